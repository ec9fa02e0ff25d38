package bigen

import (
	"fmt"
	"reflect"
	"unsafe"
)

// As makes the values of g as values of B, a type with the same underlying type:
//
//	type ID string
//	bigen.As[ID](bigen.Matching("[a-z]{8}"))
//
// As panics if B is another type, or an interface type.
func As[B, A any](g Gen[A]) Gen[B] {
	a, b := reflect.TypeFor[A](), reflect.TypeFor[B]()
	if a.Kind() != b.Kind() || a.Kind() == reflect.Interface || !a.ConvertibleTo(b) {
		panic(fmt.Sprintf("bigen.As: %v and %v have different underlying types", b, a))
	}
	return Gen[B]{op: &asOp[B, A]{g}}
}

// asOp converts in place: values of both types are represented alike, since types of
// one kind that convert to each other have the same parts.
type asOp[B, A any] struct{ gen Gen[A] }

func (g *asOp[B, A]) forward(c *C, _, _ int64, u unsafe.Pointer) {
	p := (*B)(u)
	makeBy(c, &g.gen, (*A)(unsafe.Pointer(p)))
}
func (g *asOp[B, A]) backward(c *C, _, _ int64, u unsafe.Pointer) bool {
	p := (*B)(u)
	return readBy(c, &g.gen, (*A)(unsafe.Pointer(p)))
}
