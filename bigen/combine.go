package bigen

import (
	"reflect"
	"unsafe"
)

// Lazy makes the values of f(). It calls f whenever a run needs it, and not before. So a
// function that makes a generator can call itself where neither New nor Struct delays the
// call. (Go does not let a package variable refer to itself, even so: write a function.)
func Lazy[A any](f func() Gen[A]) Gen[A] { return Gen[A]{op: lazyOp[A](f)} }

type lazyOp[A any] func() Gen[A]

func (f lazyOp[A]) forward(c *C, _, _ int64, u unsafe.Pointer) {
	p := (*A)(u)
	c.nest()
	g := f()
	makeBy(c, &g, p)
	c.unnest()
}

func (f lazyOp[A]) backward(c *C, _, _ int64, u unsafe.Pointer) bool {
	p := (*A)(u)
	c.nest()
	defer c.unnest()
	g := f()
	return readBy(c, &g, p)
}

// Iso makes to(v) for the values v of g. Backward, from(to(v)) must be v. from reports false
// for a value that to does not make, and for one that to does not restore from the result of
// from. Neither function may change its argument.
func Iso[A, B any](g Gen[A], to func(A) B, from func(B) (A, bool)) Gen[B] {
	return Gen[B]{op: &isoOp[A, B]{opOf(g), to, from}}
}

type isoOp[A, B any] struct {
	op   op
	to   func(A) B
	from func(B) (A, bool)
}

func (g *isoOp[A, B]) forward(c *C, _, _ int64, u unsafe.Pointer) {
	p := (*B)(u)
	var v A
	g.op.forward(c, 0, 0, unsafe.Pointer(&v))
	*p = g.to(v)
}

func (g *isoOp[A, B]) backward(c *C, _, _ int64, u unsafe.Pointer) bool {
	p := (*B)(u)
	v, ok := g.from(*p)
	if !ok {
		return c.explain != nil && c.fail(byValue, "the Iso does not make %s: its function from reports false", show(reflect.ValueOf(p).Elem()))
	}
	if w := g.to(v); !equal(&w, p) {
		return c.explain != nil && c.fail(byValue, "the Iso does not make it: its functions from and to, in turn, make it %s", show(reflect.ValueOf(&w).Elem()))
	}
	gen := Gen[A]{op: g.op}
	if c.pack != nil {
		return readBy(c, &gen, same(c.pack, unsafe.Pointer(g), p, v))
	}
	return readBy(c, &gen, &v)
}
