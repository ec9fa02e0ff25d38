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
	o := opOf(g)
	if f, ok := o.(structOp[V]); ok {
		return Tag(tag, Gen[I]{u: untyped{op: structCaseOp[I, V](f)}})
	}
	return Tag(tag, Gen[I]{u: untyped{op: caseOp[I, V]{o}}})
}

type caseOp[I, V any] struct{ op op }

func (g caseOp[I, V]) forward(c *C, _, _ int64, u unsafe.Pointer) {
	v := new(V)
	g.op.forward(c, 0, 0, unsafe.Pointer(v))
	*(*I)(u), _ = boxed(v).(I) // nil, if V is an interface type and v is nil
}

func (g caseOp[I, V]) backward(c *C, _, _ int64, u unsafe.Pointer) bool {
	p := (*I)(u)
	v, ok := any(*p).(V)
	if !ok && (any(*p) != nil || reflect.TypeFor[V]().Kind() != reflect.Interface) {
		return c.explain != nil && c.fail(byType, "%T is not %v", *p, reflect.TypeFor[V]())
	}
	gen := Gen[V]{u: untyped{op: g.op}}
	if c.pack != nil {
		return readBy(c, &gen, same(c.pack, nil, p, v))
	}
	return readBy(c, &gen, &v)
}

// A structCaseOp is a caseOp of a structOp. It needs no memory, where many are made for each node
// of a value, and one taken.
type structCaseOp[I, V any] func(c *C, v *V)

func (f structCaseOp[I, V]) forward(c *C, _, _ int64, u unsafe.Pointer) {
	caseOp[I, V]{structOp[V](f)}.forward(c, 0, 0, u)
}

func (f structCaseOp[I, V]) backward(c *C, _, _ int64, u unsafe.Pointer) bool {
	return caseOp[I, V]{structOp[V](f)}.backward(c, 0, 0, u)
}

// boxed returns *v, which nobody changes from now on.
func boxed[V any](v *V) any {
	if unsafe.Sizeof(*v) == unsafe.Sizeof(v) {
		return *v // the word may be kept in the interface itself
	}
	if t := reflect.TypeFor[V](); t.Kind() != reflect.Interface {
		words := [2]unsafe.Pointer{interfaceWords(&t)[1], unsafe.Pointer(v)}
		return *(*any)(unsafe.Pointer(&words))
	}
	return *v
}
