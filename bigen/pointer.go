package bigen

import (
	"reflect"
	"unsafe"
)

// Ptr makes nil or, three times as often, a pointer to a new value of g, by a [Pick]
// with the tags nil and ptr. For other weights, write that Pick.
func Ptr[A any](g Gen[A]) Gen[*A] {
	return Pick(Tag("nil", Nil[A]()), Tag("ptr", NonNil(g)).Weight(3))
}

// NonNil makes a pointer to a new value of g.
func NonNil[A any](g Gen[A]) Gen[*A] { return Gen[*A]{u: untyped{op: &pointerOp{typedOf(&g)}}} }

type pointerOp struct{ elem *typed }

func (g *pointerOp) forward(c *C, _, _ int64, p unsafe.Pointer) {
	v := reflect.New(g.elem.typ).UnsafePointer()
	g.elem.forward(c, v)
	*(*unsafe.Pointer)(p) = v
}

func (g *pointerOp) backward(c *C, _, _ int64, p unsafe.Pointer) bool {
	v := *(*unsafe.Pointer)(p)
	if v == nil {
		return c.fail(byNil, "is nil")
	}
	return g.elem.backward(c, v)
}

// Nil makes the nil *T.
func Nil[T any]() Gen[*T] { return Gen[*T]{u: untyped{op: nilOp{}}} }

type nilOp struct{}

func (nilOp) forward(_ *C, _, _ int64, p unsafe.Pointer) { *(*unsafe.Pointer)(p) = nil }

func (nilOp) backward(c *C, _, _ int64, p unsafe.Pointer) bool {
	return *(*unsafe.Pointer)(p) == nil || c.fail(byNil, "is not nil")
}
