package bigen

import (
	"reflect"
	"unsafe"
)

// Any returns a generator of the values of g, as values of type any. So alternatives may have
// several types, and code can run generators whose types it does not know:
//
//	bigen.Pick(bigen.Tag("flag", bigen.Any(bigen.Bool())), bigen.Tag("name", bigen.Any(bigen.String(10))))
//
// Run backward, it makes the values that g makes, and no value of another type. Nil stands for
// the nil value of an interface type.
func Any[A any](g Gen[A]) Gen[any] {
	return Gen[any]{op: &anyOp[A]{*g.untyped()}}
}

type anyOp[A any] struct{ gen untyped } // a Gen[A]

func (g *anyOp[A]) forward(c *C, _, _ int64, u unsafe.Pointer) {
	p := (*any)(u)
	var v A
	g.gen.forward(c, unsafe.Pointer(&v))
	*p = v
}

func (g *anyOp[A]) backward(c *C, _, _ int64, u unsafe.Pointer) bool {
	p := (*any)(u)
	v, ok := (*p).(A)
	if !ok && (*p != nil || reflect.TypeFor[A]().Kind() != reflect.Interface) {
		return c.failType(*p, reflect.TypeFor[A]())
	}
	return g.gen.backward(c, unsafe.Pointer(&v), typeIn[A](c))
}

func (c *C) failType(v any, typ reflect.Type) bool {
	return c.explain != nil && c.fail(byValue, "it is a %T, not a %v", v, typ)
}
