package bigen

import (
	"reflect"
	"unsafe"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
)

// A packed run backward asks each generator about each part of the value once. What
// it has recorded for a part is then folded into points of a [choices.Forest], and
// stands in the tree of the run as a single choice of kind packedKind. So alternatives
// that share parts cost the sum of their work, not the product.
//
// Two generators are known to be the same if they were made from the same parts:
// the same function value given to New (functions without captured variables are;
// one that captures is only if it is the same value), the same alternatives, and
// so on. That misses generators that are made anew with the same parameters: for
// these there is Memo.

const packedKind choices.Kind = 255

// packer is the state of a packed run.
type packer struct {
	all       bool // all ways are wanted, not just the leftmost
	inexact   bool // see choices.Forest
	known     map[packKey]*packed
	boxes     map[boxKey]any     // see unboxed
	nodes     []*packed          // which the choices of kind packedKind stand for
	found     []foundWay         // of the picks that are being tried
	questions []choices.Question // that the choices of the tree answer
	forced    int                // how many choices were not free
	deepest   int
}

func newPacker(all bool) *packer {
	return &packer{all: all, known: map[packKey]*packed{}, boxes: map[boxKey]any{}}
}

// foundWay is a way with its question and the size of its leftmost tree.
type foundWay struct {
	choices.Way
	question choices.Question
	size     int
}

// packed is what is known of one generator and one part of the value.
type packed struct {
	ok     bool
	fault  fault // if not ok: the best reason known
	points []*choices.Point
	size   int // of the leftmost tree
	height int // how deep it nests
}

// packKey identifies a generator, the part of the value that it is asked about, and
// what else the recorded choices depend on. Pointers keep what they point to alive,
// so that no other generator or value comes to have the same.
type packKey struct {
	op, second [2]unsafe.Pointer
	lo, hi     int64
	tags       [2]string
	weights    [2]float64
	memo       any
	part       [2]unsafe.Pointer
	slot       uint32
	index      int32
	lets       int
	level      int
	nesting    int // of all Recursives
}

// interfaceWords returns the type and the data of a non-empty interface or any.
func interfaceWords[I any](p *I) [2]unsafe.Pointer {
	return *(*[2]unsafe.Pointer)(unsafe.Pointer(p))
}

func keyOf[A any](c *C, g *Gen[A], p *A) packKey {
	k := packKey{
		op: interfaceWords(&g.op), second: interfaceWords(&g.second), lo: g.lo, hi: g.hi,
		tags: [2]string{g.tag1, g.tag2}, weights: [2]float64{g.wght1, g.wght2},
		part: [2]unsafe.Pointer{unsafe.Pointer(p)},
		slot: c.at.slot, index: c.at.index, lets: c.at.lets, level: c.level,
	}
	if m, ok := g.op.(*memoOp[A]); ok {
		k.op[1], k.memo = nil, m.key
	}
	for i := range c.recursions {
		k.nesting = 257*k.nesting + c.recursions[i].nesting
	}
	// What a pointer or an interface holds is the same part wherever it is held.
	switch reflect.TypeFor[A]().Kind() {
	case reflect.Pointer:
		k.part[0] = *(*unsafe.Pointer)(unsafe.Pointer(p))
	case reflect.Interface:
		k.part = interfaceWords(p)
	}
	return k
}

// backwardPacked is backward in a packed run.
func backwardPacked[A any](c *C, g *Gen[A], p *A) bool {
	x, k := c.pack, keyOf(c, g, p)
	switch e := x.known[k]; {
	case e == nil:
	case !e.ok:
		return c.failAgain(e.fault)
	case c.size()+e.size <= maxChoices-fallbackRoom && c.depth+e.height <= maxDepth-fallbackRoom:
		c.addPacked(e)
		return true
	}
	start, size := c.mark(), c.size()
	forced, deepest := x.forced, x.deepest
	x.deepest = c.depth
	e := &packed{ok: g.back(c, p)}
	e.height = x.deepest - c.depth
	x.deepest = max(x.deepest, deepest)
	if e.ok {
		e.points, e.size = x.fold(c.tree, start.tree, len(c.tree)), c.size()-size
		c.reset(start)
		c.addPacked(e)
	} else if c.explain != nil {
		e.fault = c.explain.best
	}
	if x.forced == forced { // else it depends on what stands around
		x.known[k] = e
	}
	return e.ok
}

// addPacked records what e stands for.
func (c *C) addPacked(e *packed) {
	c.pack.nodes = append(c.pack.nodes, e)
	c.add(packedKind).N = int64(len(c.pack.nodes) - 1)
	c.before += e.size - 1
}

// fold makes points of the choices t[i:end].
func (x *packer) fold(t choices.Tree, i, end int) []*choices.Point {
	var points []*choices.Point
	for ; i < end; i = t.End(i) {
		if t[i].Kind == packedKind {
			points = append(points, x.nodes[t[i].N].points...)
		} else {
			points = append(points, &choices.Point{Question: x.questions[i], Ways: []choices.Way{x.wayAt(t, i)}})
		}
	}
	return points
}

func (x *packer) wayAt(t choices.Tree, i int) choices.Way {
	w := choices.Way{Choice: t[i], Below: x.fold(t, i+1, t.End(i))}
	w.Choice.Size = 0
	return w
}

// way adds the pick at i, the last choice of the tree, to the ways found.
func (x *packer) way(c *C, start mark) {
	i := start.tree
	x.found = append(x.found, foundWay{x.wayAt(c.tree, i), x.questions[i], c.size() - start.before - i})
}

// ways records, as one point, the ways found since start; it reports whether there
// are any.
func (x *packer) ways(c *C, start mark) bool {
	found := x.found[start.ways:]
	if len(found) == 0 {
		return false
	}
	p := &choices.Point{Question: found[0].question}
	for _, w := range found {
		p.Ways = append(p.Ways, w.Way)
	}
	e := &packed{ok: true, points: []*choices.Point{p}, size: found[0].size}
	x.found = x.found[:start.ways]
	c.addPacked(e)
	return true
}

// asked remembers, in a packed run, the question that the last choice answers.
func (c *C) asked(q choices.Question) {
	if c.pack != nil {
		c.pack.ask(len(c.tree)-1, q)
	}
}

// inexact says that the choices recorded are not the only ones, or not in the only
// order, that lead to the value forward.
func (c *C) inexact() {
	if c.pack != nil {
		c.pack.inexact = true
	}
}

// ask remembers the question that c.tree[i] answers.
func (x *packer) ask(i int, q choices.Question) {
	if i >= len(x.questions) {
		x.questions = append(x.questions, make([]choices.Question, i+1-len(x.questions))...)
	}
	if x.all {
		q.Alts = slices.Clone(q.Alts)
	} else {
		q.Alts = nil
	}
	x.questions[i] = q
}

// limited says, in a packed run, that what is recorded is so because the value has
// become large.
func (c *C) limited() {
	if c.pack != nil {
		c.pack.forced++
	}
}

// boxKey identifies a value held in an interface.
type boxKey struct {
	words [2]unsafe.Pointer
	typ   reflect.Type
}

// unboxed returns a pointer to v, which *p holds: always the same for the same part.
func unboxed[I, V any](x *packer, p *I, v V) *V {
	k := boxKey{interfaceWords(p), reflect.TypeFor[V]()}
	q, ok := x.boxes[k].(*V)
	if !ok {
		q = &v
		x.boxes[k] = q
	}
	return q
}
