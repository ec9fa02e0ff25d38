package bigen

import (
	"math"
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
	case g.kind == inFamily:
		f := familyOf(g.op)
		c.enterFamily(f, &g.args)
		if in := &f.gen.untyped; in.kind == bounded {
			in.op.forward(c, in.lo, in.hi, p)
		} else {
			in.forward(c, p)
		}
		c.leaveFamily()
	case g.kind != bounded:
		g.forwardPick(c, p)
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
	case c.pack != nil && g.kind != inFamily: // which packs once it has its parameter
		return backwardPacked(c, *g, p, typ)
	case g.op == nil:
		panic("bigen: a zero Gen is run: a variable that has no generator yet?")
	}
	return g.back(c, p, typ)
}

// back is backward without packing.
func (g *untyped) back(c *C, p unsafe.Pointer, typ reflect.Type) bool {
	switch {
	case g.kind == inFamily:
		c.enterFamily(familyOf(g.op), &g.args)
		ok := familyOf(g.op).gen.backward(c, p)
		c.leaveFamily()
		return ok
	case g.kind != bounded:
		return g.backwardPick(c, p, typ)
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
	if g.u.kind == bounded && g.u.op != nil && g.u.lo|g.u.hi == 0 {
		return g.u.op
	}
	return box(untypedOf(&g), reflect.TypeFor[A]())
}

//go:noinline
func box(g *untyped, typ reflect.Type) op {
	if g.kind == bounded && g.op != nil {
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
	g := rangeOf(b.op, b.lo, b.hi)
	return g.backward(c, u, b.typ)
}

// backwardPick reads *p by the first of the alternatives that makes it or, if all ways are wanted,
// by each. offer returns the alternatives, perhaps in a buffer of the run; nth, if not nil, what
// [Nth] is within one. (The parameters are not one struct: that would move every generator to the
// heap.)
func backwardPick(
	c *C, ops []op, p unsafe.Pointer, typ reflect.Type,
	offer func() []choices.Alt, nth func(n int) int,
) bool {
	forced := !c.free() && len(ops) > 1
	if forced {
		ops = ops[:1]
	}
	outer := c.nth
	if c.pack == nil && c.explain == nil {
		n, i := c.readFirst(ops, p, nth)
		if c.nth = outer; n >= 0 {
			c.tree[i].Take(offer()[:len(ops)], n)
		}
		return n >= 0
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
		if nth != nil {
			c.nth = nth(n)
		}
		ok := false
		if c.pack == nil {
			ok = ops[n].backward(c, 0, 0, p)
		} else {
			ok = backwardPacked(c, untyped{op: ops[n]}, p, typ)
		}
		c.nth = outer
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

// readFirst reads *p by the first of the ops that makes it, in a run that is neither packed nor
// explained. It returns the index of the op, or -1, and that of the pick's choice.
func (c *C) readFirst(ops []op, p unsafe.Pointer, nth func(n int) int) (n, i int) {
	start := c.mark()
	for n := range ops {
		b := c.enterBranch(0)
		if nth != nil {
			c.nth = nth(n)
		}
		ok := ops[n].backward(c, 0, 0, p)
		c.leaveBranch(b)
		if ok {
			return n, b.i
		}
		c.reset(start)
	}
	return -1, 0
}

// rangeOf returns a generator that is an op with bounds.
func rangeOf(o op, lo, hi int64) untyped { return untyped{op: o, args: args{lo: lo, hi: hi}} }

// pickOfTwo returns a pick of one or two alternatives, of which b is nil or the second.
func pickOfTwo(a, b *untypedAlt) untyped {
	g := untyped{op: a.op, kind: pickOne}
	g.more[0], g.more[2] = int64(len(a.tag)), int64(math.Float64bits(a.weight))
	g.ptrs[0] = unsafe.Pointer(unsafe.StringData(a.tag))
	if b != nil {
		g.second, g.kind = b.op, pickTwo
		g.more[1], g.more[3] = int64(len(b.tag)), int64(math.Float64bits(b.weight))
		g.ptrs[1] = unsafe.Pointer(unsafe.StringData(b.tag))
	}
	return g
}

// tag and weight return those of the i-th alternative of a pick that pickOfTwo has returned.
func (g *untyped) tag(i int) string {
	return unsafe.String((*byte)(g.ptrs[i]), int(g.more[i]))
}
func (g *untyped) weight(i int) float64 { return math.Float64frombits(uint64(g.more[2+i])) }

// offer returns the alternatives of a pick of one or two, in a buffer of the run.
func (g *untyped) offer(c *C) []choices.Alt {
	setAlt(&c.two[0], g.tag(0), g.weight(0))
	if g.kind == pickOne {
		return c.two[:1]
	}
	setAlt(&c.two[1], g.tag(1), g.weight(1))
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

func (g *untyped) forwardPick(c *C, p unsafe.Pointer) {
	taken := g.op
	if c.ask(g.offer(c), nil) == 1 {
		taken = g.second
	}
	c.below(taken, p)
}

func (g *untyped) backwardPick(c *C, p unsafe.Pointer, typ reflect.Type) bool {
	ops := [2]op{g.op, g.second}
	n := 2
	if g.kind == pickOne {
		n = 1
	}
	return backwardPick(c, ops[:n], p, typ, func() []choices.Alt { return g.offer(c) }, nil)
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
		op: interfaceWords(&g.op), second: interfaceWords(&g.second), kind: g.kind, args: g.args,
		part: partOf(p, typ),
		slot: c.at.slot, index: c.at.index, lets: c.at.lets, level: c.level, derived: c.derived,
	}
	if n := len(c.params); n > 0 {
		k.params, k.nth = c.params[n-1].context, c.nth
	}
	if len(c.recursions) > 0 {
		k.context = c.pack.contextOf(c.recursions)
	}
	return k
}
