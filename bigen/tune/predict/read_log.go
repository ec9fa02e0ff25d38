package predict

import (
	"strconv"
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
	alts := q.Alts
	tags, weights := make([]string, len(alts)), make([]float64, len(alts))
	var key strings.Builder
	for i, a := range alts {
		tags[i], weights[i] = a.Tag, a.Weight
		key.WriteString(a.Tag)
		key.WriteByte(0)
	}
	if q.Element() {
		key.WriteByte(1)
	}
	m, ok := l.menuOf[key.String()]
	if !ok {
		m = int32(len(l.menus))
		l.menuOf[key.String()] = m
		l.menus = append(l.menus, menu{tags, choices.Family(alts), isCommon(q), q.Element()})
	}
	key.Reset()
	writeFloats(&key, weights)
	w, ok = l.weightOf[key.String()]
	if !ok {
		w = int32(len(l.weights))
		l.weightOf[key.String()] = w
		l.weights = append(l.weights, weights)
	}
	return m, w
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

// place returns the Place of the constructors of a node whose menu is common.
func (l *log) place(i int32) uint64 {
	n := &l.nodes[i]
	return placeOf(n.slot, int(n.depth), func(level int) enclosure {
		p := n.parent
		for range int(n.depth) - 1 - level {
			p = l.nodes[p].parent
		}
		m := &l.menus[l.nodes[p].menu]
		return enclosure{m.family, l.tag(p), l.nodes[p].slot, m.element}
	})
}

// truncate drops the nodes from start on.
func (l *log) truncate(start int) { l.nodes = l.nodes[:start] }

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

func writeFloats(b *strings.Builder, list []float64) {
	for _, x := range list {
		b.WriteString(strconv.FormatFloat(x, 'g', -1, 64))
		b.WriteByte(0)
	}
}
