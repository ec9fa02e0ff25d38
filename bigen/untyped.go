package bigen

import (
	"reflect"
	"unsafe"

	"github.com/espalier-go/espalier/choices"
)

// untypedOf returns g. It does not move g to the heap.
func untypedOf[A any](g *Gen[A]) *untyped { return &g.u }

// makeBy makes *p by g, forward. It is not a method: methods of generic types are compiled, with
// wrappers, for each type in each package.
func makeBy[A any](c *C, g *Gen[A], p *A) { untypedOf(g).forward(c, unsafe.Pointer(p)) }

// readBy reads *p by g, backward.
func readBy[A any](c *C, g *Gen[A], p *A) bool {
	return untypedOf(g).backward(c, unsafe.Pointer(p), reflect.TypeFor[A]())
}

func (g *untyped) forward(c *C, p unsafe.Pointer) {
	switch {
	case g.second != nil:
		g.forwardTwo(c, p)
	case g.op == nil:
		panic("bigen: a zero Gen is run: a variable that has no generator yet?")
	default:
		g.op.forward(c, g.lo, g.hi, p)
	}
}

// backward runs backward on a value of some type.
func (g *untyped) backward(c *C, p unsafe.Pointer, typ reflect.Type) bool {
	switch {
	case c.filling != nil && c.filling.isHole(p, typ):
		return c.filling.fill(c, g, p, typ)
	case c.pack != nil:
		return backwardPacked(c, *g, p, typ)
	case g.op == nil:
		panic("bigen: a zero Gen is run: a variable that has no generator yet?")
	}
	return g.back(c, p, typ)
}

// back is backward without packing.
func (g *untyped) back(c *C, p unsafe.Pointer, typ reflect.Type) bool {
	if g.second != nil {
		return g.backwardTwo(c, p, typ)
	}
	return g.op.backward(c, g.lo, g.hi, p)
}

// A typed is a generator of a type that is known when the program runs.
type typed struct {
	untyped
	typ reflect.Type
}

func typedOf[A any](g *Gen[A]) *typed { return &typed{*untypedOf(g), reflect.TypeFor[A]()} }

func (g *typed) backward(c *C, p unsafe.Pointer) bool { return g.untyped.backward(c, p, g.typ) }

// opOf returns an op that makes the values of g without its bounds.
func opOf[A any](g Gen[A]) op {
	if g.u.second == nil && g.u.op != nil && g.u.lo|g.u.hi == 0 {
		return g.u.op
	}
	return box(untypedOf(&g), reflect.TypeFor[A]())
}

//go:noinline
func box(g *untyped, typ reflect.Type) op {
	if g.second == nil && g.op != nil {
		return &boundOp{g.op, g.lo, g.hi, typ}
	}
	return &boxOp{typed{*g, typ}}
}

// boxOp is a generator that needs more than its op.
type boxOp struct{ gen typed }

func (b *boxOp) forward(c *C, _, _ int64, u unsafe.Pointer)       { b.gen.forward(c, u) }
func (b *boxOp) backward(c *C, _, _ int64, u unsafe.Pointer) bool { return b.gen.backward(c, u) }

// boundOp is a generator that is an op with bounds.
type boundOp struct {
	op     op
	lo, hi int64
	typ    reflect.Type
}

func (b *boundOp) forward(c *C, _, _ int64, u unsafe.Pointer) { b.op.forward(c, b.lo, b.hi, u) }

func (b *boundOp) backward(c *C, _, _ int64, u unsafe.Pointer) bool {
	g := untyped{op: b.op, lo: b.lo, hi: b.hi}
	return g.backward(c, u, b.typ)
}

func backwardPick(
	c *C, ops []op, p unsafe.Pointer, typ reflect.Type, offer func() []choices.Alt,
) bool {
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

// single is the lo of a pick of one alternative.
const single = 1

// offer returns the alternatives of a pick of one or two, in a buffer of the run.
func (g *untyped) offer(c *C) []choices.Alt {
	setAlt(&c.two[0], g.tag1, g.weight1)
	if g.lo == single {
		return c.two[:1]
	}
	setAlt(&c.two[1], g.tag2, g.weight2)
	return c.two[:]
}

// setAlt makes *a what NewAlt returns. It is fast if the tag is still there, as in a
// recursive type.
func setAlt(a *choices.Alt, tag string, weight float64) {
	if len(a.Tag) != len(tag) || unsafe.StringData(a.Tag) != unsafe.StringData(tag) || tag == "" {
		*a = NewAlt(tag, weight)
	}
	a.Weight = weight
}

func (g *untyped) forwardTwo(c *C, p unsafe.Pointer) {
	taken := g.op
	if c.ask(g.offer(c)) == 1 {
		taken = g.second
	}
	c.below(taken, p)
}

func (g *untyped) backwardTwo(c *C, p unsafe.Pointer, typ reflect.Type) bool {
	ops := [2]op{g.op, g.second}
	n := 2
	if g.lo == single {
		n = 1
	}
	return backwardPick(c, ops[:n], p, typ, func() []choices.Alt { return g.offer(c) })
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

func keyOf(c *C, g *untyped, p unsafe.Pointer, typ reflect.Type) packKey {
	k := packKey{
		op: interfaceWords(&g.op), second: interfaceWords(&g.second), lo: g.lo, hi: g.hi,
		tags: [2]string{g.tag1, g.tag2}, weights: [2]float64{g.weight1, g.weight2},
		part: partOf(p, typ),
		slot: c.at.slot, index: c.at.index, lets: c.at.lets, level: c.level, derived: c.derived,
	}
	if len(c.recursions) > 0 {
		k.context = c.pack.contextOf(c.recursions)
	}
	return k
}
