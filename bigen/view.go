package bigen

// view is an [Iso] that is told why a value has no preimage, and that trusts from:
// to must take what from returns back to the value.
func view[A, B any](g Gen[A], to func(A) B, from func(B) (v A, whyNot string)) Gen[B] {
	return Gen[B]{op: &viewOp[A, B]{g, to, from}}
}

type viewOp[A, B any] struct {
	gen  Gen[A]
	to   func(A) B
	from func(B) (A, string)
}

func (g *viewOp[A, B]) forward(c *C, _, _ int64, p *B) {
	var v A
	g.gen.forward(c, &v)
	*p = g.to(v)
}

func (g *viewOp[A, B]) backward(c *C, _, _ int64, p *B) bool {
	v, whyNot := g.from(*p)
	if whyNot != "" {
		return c.fail(byValue, "%s", whyNot)
	}
	return g.gen.backward(c, &v)
}
