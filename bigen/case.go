package bigen

import (
	"fmt"
	"reflect"
	"unsafe"
)

// Case makes an alternative of the interface type I from a generator of one of the
// types that implement it. It panics if V does not implement I.
func Case[I, V any](tag string, g Gen[V]) Alt[I] {
	i := reflect.TypeFor[I]()
	if i.Kind() != reflect.Interface {
		panic(fmt.Sprintf("bigen.Case(%q): %v is not an interface type", tag, i))
	}
	var zero V
	if _, ok := any(zero).(I); ok { // which costs less than Implements
	} else if v := reflect.TypeFor[V](); !v.Implements(i) {
		panic(fmt.Sprintf("bigen.Case(%q): %v does not implement %v", tag, v, i))
	}
	return Tag(tag, Gen[I]{op: caseOp[I, V]{opOf(g)}})
}

type caseOp[I, V any] struct{ op op }

func (g caseOp[I, V]) forward(c *C, _, _ int64, u unsafe.Pointer) {
	var v V
	g.op.forward(c, 0, 0, unsafe.Pointer(&v))
	*(*I)(u), _ = any(v).(I) // nil, if V is an interface type and v is nil
}

func (g caseOp[I, V]) backward(c *C, _, _ int64, u unsafe.Pointer) bool {
	p := (*I)(u)
	v, ok := any(*p).(V)
	if !ok && (any(*p) != nil || reflect.TypeFor[V]().Kind() != reflect.Interface) {
		return c.explain != nil && c.fail(byType, "%T is not %v", *p, reflect.TypeFor[V]())
	}
	gen := Gen[V]{op: g.op}
	if c.pack != nil {
		return readBy(c, &gen, same(c.pack, nil, p, v))
	}
	return readBy(c, &gen, &v)
}
