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
	return anyOf(untypedOf(&g), reflect.TypeFor[A](), makeAny[A])
}

func anyOf(g *untyped, typ reflect.Type, make func(*C, *untyped, *any)) Gen[any] {
	return Gen[any]{op: &anyOp{*g, typ, make}}
}

type anyOp struct {
	gen  untyped // a Gen of the type
	typ  reflect.Type
	make func(c *C, gen *untyped, p *any)
}

// makeAny makes *p by gen, a Gen[A].
func makeAny[A any](c *C, gen *untyped, p *any) {
	var v A
	gen.forward(c, unsafe.Pointer(&v))
	*p = v
}

func (g *anyOp) forward(c *C, _, _ int64, u unsafe.Pointer) { g.make(c, &g.gen, (*any)(u)) }

func (g *anyOp) backward(c *C, _, _ int64, u unsafe.Pointer) bool {
	given, v := reflect.ValueOf(*(*any)(u)), reflect.New(g.typ)
	switch {
	case !given.IsValid() && g.typ.Kind() == reflect.Interface: // nil
	case given.IsValid() && (given.Type() == g.typ || g.typ.Kind() == reflect.Interface && given.Type().Implements(g.typ)):
		v.Elem().Set(given)
	default:
		return c.failType(*(*any)(u), g.typ)
	}
	typ := g.typ
	if c.pack == nil {
		typ = nil // see typeIn
	}
	return g.gen.backward(c, v.UnsafePointer(), typ)
}

func (c *C) failType(v any, typ reflect.Type) bool {
	return c.explain != nil && c.fail(byValue, "it is a %T, not a %v", v, typ)
}
