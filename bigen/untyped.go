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

// typeIn returns the type of values, if the run needs it; see [partOf].
func typeIn[A any](c *C) reflect.Type {
	if c.pack == nil {
		return nil
	}
	return reflect.TypeFor[A]()
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

// backward runs backward; typ is that of [typeIn].
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
