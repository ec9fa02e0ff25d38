package bigen

import (
	"math"
	"reflect"
	"unsafe"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
)

// A packed run backward asks each generator about each part of the value once. It
// folds what the generator has recorded into points of a [choices.Forest], which its
// tree holds as a single choice of kind packedKind. So alternatives that share parts
// cost the sum of their work, not the product.
//
// Two generators are known to be the same if they were made from the same parts:
// the same function value given to New (functions without captured variables always
// are the same; one that captures variables only if it is the same value), the same
// alternatives, and so on. Generators that are made again with the same parameters are
// not recognized: [Memo] is for these.

const packedKind choices.Kind = 255

// packer is the state of a packed run.
type packer struct {
	all       bool // all ways are wanted, not just the leftmost
	inexact   bool // see choices.Forest
	known     map[packKey]*packed
	contexts  map[context]int    // see contextOf
	boxes     map[boxKey]any     // see same
	nodes     []*packed          // which the choices of kind packedKind stand for
	found     []foundWay         // of the picks that are being tried
	questions []choices.Question // that the choices of the tree answer

	// What the innermost packing has come upon:
	limited bool // a limit that the value has reached
	room    int  // with how many more choices it would have
	deepest int  // the greatest depth
}

func newPacker(all bool) *packer {
	return &packer{all: all, known: map[packKey]*packed{}, contexts: map[context]int{}, boxes: map[boxKey]any{}, room: math.MaxInt}
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
	fault  fault // if not ok: the best reason
	base   int   // the length of the path below which the fault is
	points []*choices.Point
	size   int // of the leftmost tree

	limited bool // it holds only where it was found out,
	below   int  // or else where fewer choices than these precede it,
	height  int  // and as deep as it nests is no limit
}

// packKey identifies a generator, the part of the value that it is asked about, and
// what else the recorded choices depend on. Its pointers keep what they point to alive,
// so no other generator or value can have the same.
type packKey struct {
	op, second [2]unsafe.Pointer
	lo, hi     int64
	tags       [2]string
	weights    [2]float64
	part       partID
	slot       uint32
	index      int32
	lets       int
	level      int
	derived    int
	context    int // see contextOf
}

// partID identifies a part of the value: by its address, or by what it holds, if that
// is the same part wherever it is held.
type partID struct {
	words [2]unsafe.Pointer
	len   int // of a string
}

func partOf(p unsafe.Pointer, typ reflect.Type) partID {
	switch typ.Kind() {
	case reflect.Pointer:
		return partID{words: [2]unsafe.Pointer{*(*unsafe.Pointer)(p)}}
	case reflect.Interface:
		return partID{words: *(*[2]unsafe.Pointer)(p)}
	case reflect.String:
		s := *(*string)(p)
		return partID{words: [2]unsafe.Pointer{unsafe.Pointer(unsafe.StringData(s))}, len: len(s)}
	}
	return partID{words: [2]unsafe.Pointer{p}}
}

// context is where a run stands within Recursives.
type context struct {
	outer          int
	of             any
	nesting, start int
}

// contextOf returns a number for where the run stands within Recursives.
func (x *packer) contextOf(within []recursion) int {
	n := 0
	for _, r := range within {
		k := context{n, r.of, r.nesting, r.start}
		if n = x.contexts[k]; n == 0 {
			n = len(x.contexts) + 1
			x.contexts[k] = n
		}
	}
	return n
}

// interfaceWords returns the type and the data of a non-empty interface or any.
func interfaceWords[I any](p *I) [2]unsafe.Pointer {
	return *(*[2]unsafe.Pointer)(unsafe.Pointer(p))
}

func keyOf(c *C, g *untyped, p unsafe.Pointer, typ reflect.Type) packKey {
	k := packKey{
		op: interfaceWords(&g.op), second: interfaceWords(&g.second), lo: g.lo, hi: g.hi,
		tags: [2]string{g.tag1, g.tag2}, weights: [2]float64{g.weight1, g.weight2}, part: partOf(p, typ),
		slot: c.at.slot, index: c.at.index, lets: c.at.lets, level: c.level, derived: c.derived,
	}
	if len(c.recursions) > 0 {
		k.context = c.pack.contextOf(c.recursions)
	}
	return k
}

// backwardPacked is backward in a packed run. It takes a copy of the generator: a
// pointer would move every generator to the heap.
func backwardPacked(c *C, g untyped, p unsafe.Pointer, typ reflect.Type) bool {
	x, k := c.pack, keyOf(c, &g, p, typ)
	e := x.known[k]
	switch {
	case e == nil || !e.holds(c):
		if e = c.packing(func() bool { return g.back(c, p, typ) }); !e.limited {
			x.known[k] = e
		}
	case !e.ok:
		if c.explain != nil {
			c.failAgain(e.fault.moved(e.base, c.explain.path))
		}
	}
	if e.ok {
		c.addPacked(e)
	}
	return e.ok
}

// packing packs what run records.
func (c *C) packing(run func() bool) *packed {
	x, start, size := c.pack, c.mark(), c.size()
	limited, room, deepest := x.limited, x.room, x.deepest
	x.limited, x.room, x.deepest = false, math.MaxInt, c.depth
	best := c.explain.save()
	c.explain.restore(fault{})

	e := &packed{ok: run()}
	if e.ok {
		e.points, e.size = x.fold(c.tree, start.tree, len(c.tree)), c.size()-size
	}
	e.fault = c.explain.save()
	if c.explain != nil {
		e.base = c.explain.path.len()
	}
	e.limited, e.below, e.height = x.limited, math.MaxInt, x.deepest-c.depth
	if x.room < math.MaxInt {
		e.below = size + x.room
	}

	c.reset(start)
	c.explain.restore(best)
	c.failAgain(e.fault)
	x.limited, x.room, x.deepest = x.limited || limited, min(x.room, room), max(x.deepest, deepest)
	return e
}

// holds reports whether e also holds where the run stands now.
func (e *packed) holds(c *C) bool {
	if c.size() >= e.below || c.depth+e.height > maxDepth-fallbackRoom {
		return false
	}
	x := c.pack
	if e.below < math.MaxInt {
		x.room = min(x.room, e.below-c.size())
	}
	x.deepest = max(x.deepest, c.depth+e.height)
	return true
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

// inexact records that other choices, or another order, may lead to the value forward.
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

// beyond reports whether the value has limit choices or more by now. All code that
// depends on the size of the value calls it, so that packed runs know.
func (c *C) beyond(limit int) bool {
	room := limit - c.size()
	if x := c.pack; x != nil {
		if room <= 0 {
			x.limited = true
		} else {
			x.room = min(x.room, room)
		}
	}
	return room <= 0
}

// beneath likewise reports whether the run is deeper than limit.
func (c *C) beneath(limit int) bool {
	if x := c.pack; x != nil {
		x.deepest = max(x.deepest, c.depth)
		x.limited = x.limited || c.depth > limit
	}
	return c.depth > limit
}

// boxKey identifies a value that was made of a part of the value.
type boxKey struct {
	maker unsafe.Pointer
	part  partID
	typ   reflect.Type
}

// same returns a pointer to v, which maker has made of *p, always the same for the
// same maker and part.
func same[I, V any](x *packer, maker unsafe.Pointer, p *I, v V) *V {
	k := boxKey{maker, partOf(unsafe.Pointer(p), reflect.TypeFor[I]()), reflect.TypeFor[V]()}
	q, ok := x.boxes[k].(*V)
	if !ok {
		q = &v
		x.boxes[k] = q
	}
	return q
}
