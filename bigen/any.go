package bigen

import "reflect"

// Any returns a generator of the values of g, as values of type any. So alternatives may have
// several types, and code can run generators whose types it does not know:
//
//	bigen.Pick(bigen.Tag("flag", bigen.Any(bigen.Bool())), bigen.Tag("name", bigen.Any(bigen.String(10))))
//
// Run backward, it makes the values that g makes, and no value of another type. Nil stands for
// the nil value of an interface type.
func Any[A any](g Gen[A]) Gen[any] {
	if same, ok := any(g).(Gen[any]); ok {
		return same
	}
	return Gen[any]{op: &anyOp[A]{g}}
}

type anyOp[A any] struct{ gen Gen[A] }

func (g *anyOp[A]) forward(c *C, _, _ int64, p *any) {
	var v A
	g.gen.forward(c, &v)
	*p = v
}

func (g *anyOp[A]) backward(c *C, _, _ int64, p *any) bool {
	v, ok := (*p).(A)
	if !ok && (*p != nil || reflect.TypeFor[A]().Kind() != reflect.Interface) {
		return c.explain != nil && c.fail(byValue, "it is a %T, not a %v", *p, reflect.TypeFor[A]())
	}
	return g.gen.backward(c, &v)
}
