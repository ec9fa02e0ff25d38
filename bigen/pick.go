package bigen

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/espalier-go/espalier/choices"
)

// An Alt is one alternative of a [Pick]. It is made by [Tag] or [Case].
type Alt[A any] struct{ untypedAlt }

type untypedAlt struct {
	tag    string
	weight float64
	op     op
}

// Tag makes an alternative. Trees, corpora and mutations know it by the tag, which
// should say what the alternative means, and remain when the generator changes.
// Alternatives that differ in nothing a reader would name, such as one for each
// variable in scope, may share a tag ("Bigenerators, Exposed!", section 5.2.1).
// Mutations then know them by their order: if a reference must keep its meaning when
// another alternative disappears, use its name as the tag.
func Tag[A any](tag string, g Gen[A]) Alt[A] {
	return Alt[A]{untypedAlt{tag, 1, opOf(g)}}
}

// Weight returns the alternative with weight w instead of 1. Random sources take
// alternatives in proportion to their weights. An alternative of weight 0 does not
// occur in random values, but can be decoded and read backward. Weight panics if w is
// negative, NaN or above 1e100.
func (a Alt[A]) Weight(w float64) Alt[A] {
	if !(w >= 0 && w <= 1e100) {
		panic(fmt.Sprintf("bigen: weight %v of alternative %q is not a number from 0 to 1e100", w, a.tag))
	}
	a.weight = w
	return a
}

// Pick makes a value by one of several alternatives: the pick of "Bigenerators,
// Exposed!", section 3. The first alternative must not recurse: where a value has
// become too large, it is the only one. Backward, Pick takes the first alternative
// that makes the value. Pick panics if there is no alternative.
func Pick[A any](alts ...Alt[A]) Gen[A] {
	switch len(alts) {
	case 1:
		a := &alts[0]
		return Gen[A]{op: a.op, second: a.op, lo: single, tag1: a.tag, weight1: a.weight}
	case 2:
		a, b := &alts[0], &alts[1]
		return Gen[A]{op: a.op, second: b.op, tag1: a.tag, tag2: b.tag, weight1: a.weight, weight2: b.weight}
	}
	return pickOf(alts)
}

// single is the lo of a pick of one alternative.
const single = 1

//go:noinline
func pickOf[A any](alts []Alt[A]) Gen[A] {
	if len(alts) == 0 {
		panic("bigen.Pick: no alternatives")
	}
	return Gen[A]{op: newPick(*(*[]untypedAlt)(unsafe.Pointer(&alts)), reflect.TypeFor[A]())}
}

// pickOp is a pick of any number of alternatives. That of one or two that [Pick] makes does
// without.
type pickOp struct {
	alts []choices.Alt
	ops  []op
	typ  reflect.Type
}

func newPick(alts []untypedAlt, typ reflect.Type) *pickOp {
	var m *pickOp
	switch len(alts) { // one allocation: some make a pick for each node of a value
	case 3:
		room := new(struct {
			pickOp
			alts [3]choices.Alt
			ops  [3]op
		})
		m = &room.pickOp
		m.alts, m.ops = room.alts[:], room.ops[:]
	case 4:
		room := new(struct {
			pickOp
			alts [4]choices.Alt
			ops  [4]op
		})
		m = &room.pickOp
		m.alts, m.ops = room.alts[:], room.ops[:]
	default:
		m = &pickOp{alts: make([]choices.Alt, len(alts)), ops: make([]op, len(alts))}
	}
	m.typ = typ
	for i := range alts {
		a := &alts[i]
		m.alts[i], m.ops[i] = choices.MakeAlt(a.tag, a.weight), a.op
	}
	return m
}

func (m *pickOp) forward(c *C, _, _ int64, u unsafe.Pointer) {
	n, b := c.pick(m.alts)
	m.ops[n].forward(c, 0, 0, u)
	c.leavePick(b)
}

func (m *pickOp) backward(c *C, _, _ int64, u unsafe.Pointer) bool {
	return backwardPick(c, m.ops, u, m.typ, func() []choices.Alt { return m.alts })
}

// offer returns the alternatives of a pick of one or two, in a buffer of the run.
func (g *untyped) offer(c *C) []choices.Alt {
	c.two[0] = choices.MakeAlt(g.tag1, g.weight1)
	if g.lo == single {
		return c.two[:1]
	}
	c.two[1] = choices.MakeAlt(g.tag2, g.weight2)
	return c.two[:]
}

func (g *untyped) forwardTwo(c *C, p unsafe.Pointer) {
	n, b := c.pick(g.offer(c))
	if n == 0 {
		g.op.forward(c, 0, 0, p)
	} else {
		g.second.forward(c, 0, 0, p)
	}
	c.leavePick(b)
}

func (g *untyped) backwardTwo(c *C, p unsafe.Pointer, typ reflect.Type) bool {
	ops := [2]op{g.op, g.second}
	n := 2
	if g.lo == single {
		n = 1
	}
	return backwardPick(c, ops[:n], p, typ, func() []choices.Alt { return g.offer(c) })
}

func backwardPick(c *C, ops []op, p unsafe.Pointer, typ reflect.Type, offer func() []choices.Alt) bool {
	forced := !c.free() && len(ops) > 1
	if forced {
		ops = ops[:1]
	}
	start := c.mark()
	best := c.explain.save()
	var faults []fault
	for n := range ops {
		b := c.enterBranch(0)
		if c.explain != nil {
			c.explain.best = fault{}
			c.pushTag(offer()[n].Tag)
		}
		ok := false
		if c.pack == nil {
			ok = ops[n].backward(c, 0, 0, p)
		} else {
			ok = backwardPacked(c, untyped{op: ops[n]}, p, typ)
		}
		c.pop()
		c.leaveBranch(b)
		if !ok && c.explain != nil {
			faults = append(faults, c.explain.best)
		}
		if ok {
			c.record(b.i, offer()[:len(ops)], n)
			if c.pack == nil || !c.pack.all {
				c.explain.restore(best)
				return true
			}
			c.pack.way(c, start)
		}
		c.reset(start)
	}
	if c.pack != nil && c.pack.ways(c, start) {
		c.explain.restore(best)
		return true
	}
	if c.explain == nil {
		return false
	}
	c.failAll(best, faults)
	if forced {
		c.failTooLarge()
	}
	return false
}

// readPick records, backward, that alts[n] was taken, with what read, if not nil, records below.
func (c *C) readPick(alts []choices.Alt, n int, read func() bool) bool {
	if !c.free() {
		alts = alts[:1]
	}
	if n >= len(alts) {
		return c.failTooLarge()
	}
	b := c.enterBranch(0)
	ok := read == nil || read()
	c.leaveBranch(b)
	if ok {
		c.record(b.i, alts, n)
	}
	return ok
}

// branch remembers what to return to after the branch of a pick.
type branch struct {
	i  int // of the pick in the tree
	at place
}

// pick asks which of alts to take, records the answer and enters its branch.
func (c *C) pick(alts []choices.Alt) (n int, b branch) {
	if !c.free() {
		alts = alts[:1]
	}
	q := c.question(choices.Pick)
	q.Alts = alts
	if n = c.src.Pick(q); uint(n) >= uint(len(alts)) {
		n = 0
	}
	b = c.enterBranch(q.Path())
	c.record(b.i, alts, n)
	return n, b
}

// leavePick ends what pick began.
func (c *C) leavePick(b branch) {
	c.src.Leave()
	c.leaveBranch(b)
}

// enterBranch adds the record of a pick, yet to be filled in.
func (c *C) enterBranch(path uint64) branch {
	b := branch{len(c.tree), c.at}
	c.add(choices.Pick)
	c.at = place{branch: path}
	c.nest()
	return b
}

func (c *C) leaveBranch(b branch) {
	c.unnest()
	c.at = b.at
	c.tree[b.i].Size = int32(len(c.tree) - b.i)
}

// record fills in that c.tree[i] took alts[n].
func (c *C) record(i int, alts []choices.Alt, n int) {
	c.tree[i].Take(alts, n)
	if c.pack != nil {
		c.pack.ask(i, choices.Question{Kind: choices.Pick, Alts: alts})
	}
}
