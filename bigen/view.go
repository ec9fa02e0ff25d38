package bigen

import "unsafe"

// view is an [Iso] that trusts from, whose result to must take back to the value,
// and that is told why a value has none.
func view[A, B any](g Gen[A], to func(A) B, from func(B) (A, bool), whyNot func(B) string) Gen[B] {
	return Gen[B]{op: &viewOp[A, B]{g, to, from, whyNot}}
}

type viewOp[A, B any] struct {
	gen    Gen[A]
	to     func(A) B
	from   func(B) (A, bool)
	whyNot func(B) string
}

func (g *viewOp[A, B]) forward(c *C, _, _ int64, u unsafe.Pointer) {
	p := (*B)(u)
	var v A
	makeBy(c, &g.gen, &v)
	*p = g.to(v)
}

func (g *viewOp[A, B]) backward(c *C, _, _ int64, u unsafe.Pointer) bool {
	p := (*B)(u)
	v, ok := g.from(*p)
	if !ok {
		return c.explain != nil && c.fail(byValue, "%s", g.whyNot(*p))
	}
	c.inexact()
	return readBy(c, &g.gen, &v)
}
