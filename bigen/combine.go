package bigen

import (
	"reflect"
	"unsafe"
)

// Lazy makes the values of f(). It calls f whenever a run needs it, and not before. So a
// function that makes a generator can call itself where neither New nor Struct delays the
// call. (Go does not let a package variable refer to itself, even so: write a function.)
func Lazy[A any](f func() Gen[A]) Gen[A] { return Gen[A]{u: untyped{op: lazyOp[A](f)}} }

type lazyOp[A any] func() Gen[A]

func (f lazyOp[A]) forward(c *C, _, _ int64, u unsafe.Pointer) {
	c.nest()
	g := f()
	makeBy(c, &g, (*A)(u))
	c.unnest()
}

func (f lazyOp[A]) backward(c *C, _, _ int64, u unsafe.Pointer) bool {
	c.nest()
	defer c.unnest()
	g := f()
	return readBy(c, &g, (*A)(u))
}

// Iso makes to(v) for the values v of g. Backward, from(to(v)) must be v. from reports false
// for a value that to does not make, and for one that to does not restore from the result of
// from. Neither function may change its argument.
func Iso[A, B any](g Gen[A], to func(A) B, from func(B) (A, bool)) Gen[B] {
	return Gen[B]{u: untyped{op: &isoOp[A, B]{opOf(g), to, from, nil}}}
}

// view is an [Iso] that trusts from, whose result to must take back to the value, and that is
// can say why a value has none.
func view[A, B any](g Gen[A], to func(A) B, from func(B) (A, bool), whyNot func(B) string) Gen[B] {
	return Gen[B]{u: untyped{op: &isoOp[A, B]{opOf(g), to, from, whyNot}}}
}

type isoOp[A, B any] struct {
	op     op
	to     func(A) B
	from   func(B) (A, bool)
	whyNot func(B) string // of a view, else nil
}

func (g *isoOp[A, B]) forward(c *C, _, _ int64, u unsafe.Pointer) {
	var v A
	g.op.forward(c, 0, 0, unsafe.Pointer(&v))
	*(*B)(u) = g.to(v)
}

func (g *isoOp[A, B]) backward(c *C, _, _ int64, u unsafe.Pointer) bool {
	p := (*B)(u)
	v, ok := g.from(*p)
	switch {
	case !ok && c.explain == nil:
		return false
	case !ok && g.whyNot != nil:
		return c.fail(byValue, "%s", g.whyNot(*p))
	case !ok:
		return c.fail(
			byValue, "the Iso does not make %s: its function from reports false",
			shown{reflect.ValueOf(p).Elem()},
		)
	case g.whyNot != nil:
		c.inexact()
	default:
		if w := g.to(v); !equal(&w, p) {
			return c.explain != nil && c.fail(
				byValue, "the Iso does not make it: its functions from and to, in turn, make it %s",
				shown{reflect.ValueOf(&w).Elem()},
			)
		}
	}
	gen := Gen[A]{u: untyped{op: g.op}}
	if c.pack != nil {
		return readBy(c, &gen, same(c.pack, unsafe.Pointer(g), p, v))
	}
	return readBy(c, &gen, &v)
}
