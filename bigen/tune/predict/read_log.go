package predict

import (
	"encoding/binary"
	"math"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
)

// log holds the picks of all runs, parents before children.
type log struct {
	nodes   []node
	menus   []menu
	weights [][]float64
	endless int // runs that were given up

	menuOf   map[string]int32
	weightOf map[string]int32
	key      []byte // buffer of intern
}

// node is a pick that was asked, or the root of a run.
type node struct {
	parent  int32 // -1 for the root
	kid     int32 // the first pick that its branch asked, or -1
	sibling int32 // the next pick of the branch around, or -1
	next    int32 // the next question of its sequence, or -1; that is no sibling
	menu    int32
	weights int32
	alt     int32
	slot    uint32
	index   int32
	depth   int32 // picks around; -1 for the root
}

// menu is what picks offer, but for the weights.
type menu struct {
	tags   []string
	family uint16
	common bool // many types have such picks

	element bool // they say whether a sequence has another element
}

func newLog() *log {
	// Menu 0 and weights 0 are those of roots.
	return &log{
		menus: []menu{{tags: []string{""}}}, weights: [][]float64{{1}},
		menuOf: map[string]int32{}, weightOf: map[string]int32{},
	}
}

// intern returns the menu and the weights of the alternatives of q.
func (l *log) intern(q *choices.Question) (m, w int32) {
	alts, key := q.Alts, l.key[:0]
	for i := range alts {
		key = append(append(key, alts[i].Tag...), 0)
	}
	if q.Element() {
		key = append(key, 1)
	}
	m, ok := l.menuOf[string(key)]
	if !ok {
		m = int32(len(l.menus))
		l.menuOf[string(key)] = m
		tags := make([]string, len(alts))
		for i := range alts {
			tags[i] = alts[i].Tag
		}
		l.menus = append(l.menus, menu{tags, choices.Family(alts), isCommon(q), q.Element()})
	}
	key = key[:0]
	for i := range alts {
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(alts[i].Weight))
	}
	w, ok = l.weightOf[string(key)]
	if !ok {
		w = int32(len(l.weights))
		l.weightOf[string(key)] = w
		weights := make([]float64, len(alts))
		for i := range alts {
			weights[i] = alts[i].Weight
		}
		l.weights = append(l.weights, weights)
	}
	l.key = key
	return m, w
}

// isCommon reports whether many types have the alternatives of q: those of the elements of a
// sequence and those of pointers.
func isCommon(q *choices.Question) bool {
	return q.Element() || len(q.Alts) == 2 && q.Alts[0].Tag == "nil" && q.Alts[1].Tag == "ptr"
}

// tag returns the tag that a pick took.
func (l *log) tag(i int32) string { return l.menus[l.nodes[i].menu].tags[l.nodes[i].alt] }

// continues reports whether node i is the next question of the sequence of node last.
func (l *log) continues(last, i int32) bool {
	a, b := &l.nodes[last], &l.nodes[i]
	of := &l.menus[a.menu]
	return of.element && l.menus[b.menu].element &&
		a.slot == b.slot && a.index+1 == b.index && int(a.alt) == len(of.tags)-1
}

// point returns where a node was asked.
func (l *log) point(i int32) point {
	n := &l.nodes[i]
	p := point{slot: n.slot}
	if n.parent >= 0 && l.nodes[n.parent].parent >= 0 {
		p.in = l.tag(n.parent)
	}
	return p
}

// differs returns the first node from start on that the tree of its run records otherwise,
// or -1.
func (l *log) differs(start int, t choices.Tree) int32 {
	i := start
	for j := range t {
		if t[j].Kind != choices.Pick {
			continue
		}
		if i == len(l.nodes) {
			return int32(i - 1)
		}
		if l.tag(int32(i)) != t[j].Tag {
			return int32(i)
		}
		i++
	}
	if i < len(l.nodes) {
		return int32(i)
	}
	return -1
}

// path names the place of a node by the tags around.
func (l *log) path(i int32) string {
	var tags []string
	for i = l.nodes[i].parent; i > 0 && l.nodes[i].parent >= 0; i = l.nodes[i].parent {
		tags = append(tags, l.tag(i))
	}
	slices.Reverse(tags)
	if n := len(tags); n > 12 {
		tags = append(append(slices.Clone(tags[:6]), "..."), tags[n-5:]...)
	}
	return "/" + strings.Join(tags, "/")
}

// follows lists what follows on a pick: the alternatives of the picks of its branch, and of
// the next question of its sequence.
func (l *log) follows(i int32) []string {
	var list []string
	for k := l.nodes[i].kid; k >= 0; k = l.nodes[k].sibling {
		list = append(list, l.menus[l.nodes[k].menu].name())
	}
	if k := l.nodes[i].next; k >= 0 {
		list = append(list, "then "+l.menus[l.nodes[k].menu].name())
	}
	return list
}

// name lists the tags.
func (m *menu) name() string {
	const most = 6
	tags := m.tags
	if len(tags) > most {
		tags = append(slices.Clone(tags[:most-1]), "...")
	}
	return strings.Join(tags, "|")
}
