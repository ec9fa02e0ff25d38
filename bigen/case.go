package bigen

import (
	"fmt"
	"reflect"
)

// Case makes an alternative of the interface type I from a generator of one of the
// types that implement it. It panics if V does not implement I.
func Case[I, V any](tag string, g Gen[V]) Alt[I] {
	i, v := reflect.TypeFor[I](), reflect.TypeFor[V]()
	if i.Kind() != reflect.Interface {
		panic(fmt.Sprintf("bigen.Case(%q): %v is not an interface type", tag, i))
	}
	if !v.Implements(i) {
		panic(fmt.Sprintf("bigen.Case(%q): %v does not implement %v", tag, v, i))
	}
	return Tag(tag, Gen[I]{op: caseOp[I, V]{g}})
}

type caseOp[I, V any] struct{ gen Gen[V] }

func (g caseOp[I, V]) forward(c *C, _, _ int64, p *I) {
	var v V
	g.gen.forward(c, &v)
	*p, _ = any(v).(I) // nil, if V is an interface type and v is nil
}

func (g caseOp[I, V]) backward(c *C, _, _ int64, p *I) bool {
	v, ok := any(*p).(V)
	if !ok && (any(*p) != nil || reflect.TypeFor[V]().Kind() != reflect.Interface) {
		return c.explain != nil && c.fail(byType, "%T is not %v", *p, reflect.TypeFor[V]())
	}
	if c.pack != nil {
		return g.gen.backward(c, same(c.pack, nil, p, v))
	}
	return g.gen.backward(c, &v)
}
