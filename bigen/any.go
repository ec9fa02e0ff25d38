package bigen

import (
	"reflect"
	"unsafe"
)

// Any returns a generator of the values of g, as values of type any. So alternatives may have
// several types, and code can run generators whose types it does not know:
//
//	bigen.Pick(
//		bigen.Tag("flag", bigen.Any(bigen.Bool())),
//		bigen.Tag("name", bigen.Any(bigen.String(10))),
//	)
//
// Run backward, it makes the values that g makes, and no value of another type. Nil stands for
// the nil value of an interface type.
func Any[A any](g Gen[A]) Gen[any] { return anyOf(typedOf(&g)) }

// anyOf is not inlined, since each type would then have a copy.
//
//go:noinline
func anyOf(g *typed) Gen[any] { return Gen[any]{u: untyped{op: &anyOp{*g}}} }

type anyOp struct{ gen typed }

func (g *anyOp) forward(c *C, _, _ int64, u unsafe.Pointer) {
	v := reflect.New(g.gen.typ)
	g.gen.forward(c, v.UnsafePointer())
	*(*any)(u) = v.Elem().Interface()
}

func (g *anyOp) backward(c *C, _, _ int64, u unsafe.Pointer) bool {
	typ := g.gen.typ
	given, v := reflect.ValueOf(*(*any)(u)), reflect.New(typ)
	switch {
	case !given.IsValid() && typ.Kind() == reflect.Interface: // nil
	case given.IsValid() &&
		(given.Type() == typ || typ.Kind() == reflect.Interface && given.Type().Implements(typ)):
		v.Elem().Set(given)
	default:
		return c.explain != nil && c.fail(byValue, "it is a %T, not a %v", *(*any)(u), typ)
	}
	return g.gen.backward(c, v.UnsafePointer())
}
