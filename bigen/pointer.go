package bigen

import "unsafe"

// Ptr makes nil or, three times as often, a pointer to a new value of g, by a [Pick]
// with the tags nil and ptr. For other weights, write that Pick.
func Ptr[A any](g Gen[A]) Gen[*A] {
	return Pick(Tag("nil", Nil[A]()), Tag("ptr", NonNil(g)).Weight(3))
}

// NonNil makes a pointer to a new value of g.
func NonNil[A any](g Gen[A]) Gen[*A] { return Gen[*A]{op: &pointerOp[A]{g}} }

type pointerOp[A any] struct{ gen Gen[A] }

func (g *pointerOp[A]) forward(c *C, _, _ int64, u unsafe.Pointer) {
	p := (**A)(u)
	v := new(A)
	makeBy(c, &g.gen, v)
	*p = v
}

func (g *pointerOp[A]) backward(c *C, _, _ int64, u unsafe.Pointer) bool {
	p := (**A)(u)
	if *p == nil {
		return c.fail(byNil, "is nil")
	}
	return readBy(c, &g.gen, *p)
}
