package bigen

import (
	"reflect"
	"unsafe"
)

// An untyped is a [Gen] whose type of values the compiler does not know. What is the same for all
// types works on it: it is compiled once, not with each package for each type.
//
// Gen[A] and untyped have the same layout.
type untyped struct {
	op     op
	lo, hi int64

	second           op
	tag1, tag2       string
	weight1, weight2 float64
}

// untypedOf returns g. It does not move g to the heap.
func untypedOf[A any](g *Gen[A]) *untyped { return (*untyped)(unsafe.Pointer(g)) }

// makeBy makes *p by g, forward. It is no method: those of generic types are compiled, with
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
	if g.second == nil && g.op != nil && g.lo|g.hi == 0 {
		return g.op
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
