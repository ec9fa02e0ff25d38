package predict

import (
	"encoding/binary"
	"math"

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
	sibling int32 // the next pick of the enclosing branch, or -1
	next    int32 // the next question of its sequence, or -1; it is not a sibling
	menu    int32
	weights int32
	alt     int32
	slot    uint32
	index   int32
	depth   int32 // enclosing picks; -1 for the root
}

// menu is what picks offer, except for the weights. The picks of a menu belong to one family of
// the grammar.
type menu struct {
	tags    []string
	family  uint16
	element bool   // they say whether a sequence has another element
	common  bool   // many types have such picks
	place   uint64 // if common
}

func newLog() *log {
	// Menu 0 and weights 0 belong to roots.
	return &log{
		menus: []menu{{tags: []string{""}}}, weights: [][]float64{{1}},
		menuOf: map[string]int32{}, weightOf: map[string]int32{},
	}
}

// intern returns the menu and the weights of the alternatives of q, a question in the branch of
// a node.
func (l *log) intern(q *choices.Question, around int32) (m, w int32) {
	place := l.pointIn(around, q.Slot).place()
	common := q.Element() || len(q.Alts) == 2 && q.Alts[0].Tag == "nil" && q.Alts[1].Tag == "ptr"
	if !common {
		place = 0
	}
	key := binary.LittleEndian.AppendUint64(l.key[:0], place)
	for i := range q.Alts {
		key = append(append(key, q.Alts[i].Tag...), 0)
	}
	if q.Element() {
		key = append(key, 1)
	}
	m, ok := l.menuOf[string(key)]
	if !ok {
		m = int32(len(l.menus))
		l.menuOf[string(key)] = m
		tags := make([]string, len(q.Alts))
		for i := range tags {
			tags[i] = q.Alts[i].Tag
		}
		l.menus = append(l.menus, menu{tags, q.Family(), q.Element(), common, place})
	}
	key = key[:0]
	for i := range q.Alts {
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(q.Alts[i].Weight))
	}
	w, ok = l.weightOf[string(key)]
	if !ok {
		w = int32(len(l.weights))
		l.weightOf[string(key)] = w
		weights := make([]float64, len(q.Alts))
		for i := range weights {
			weights[i] = q.Alts[i].Weight
		}
		l.weights = append(l.weights, weights)
	}
	l.key = key
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

// pointIn returns where the branch of a node asks a question of a slot.
func (l *log) pointIn(around int32, slot uint32) point {
	if around < 0 || l.nodes[around].parent < 0 {
		return point{slot: slot}
	}
	return point{slot, l.tag(around)}
}

// differs returns the first node from start on that differs from the tree of its run, or
// -1.
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
