package bigen

import (
	"fmt"
	"reflect"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
)

// Lazy makes what f() makes, and calls f no earlier than the first run: it breaks
// the cycle of a generator that is a variable and refers to itself. f is called in
// every run.
func Lazy[A any](f func() Gen[A]) Gen[A] { return Gen[A]{op: lazyOp[A](f)} }

type lazyOp[A any] func() Gen[A]

func (f lazyOp[A]) forward(c *C, _, _ int64, p *A) {
	c.nest()
	g := f()
	g.forward(c, p)
	c.unnest()
}

func (f lazyOp[A]) backward(c *C, _, _ int64, p *A) bool {
	c.nest()
	defer c.unnest()
	g := f()
	return g.backward(c, p)
}

// Iso makes to(v) for the values v of g. Backward, from(to(v)) must be v; from
// reports false for a value that to does not make, or makes one that to does not
// take back to it. Neither may change its argument.
func Iso[A, B any](g Gen[A], to func(A) B, from func(B) (A, bool)) Gen[B] {
	return Gen[B]{op: &isoOp[A, B]{g, to, from}}
}

type isoOp[A, B any] struct {
	gen  Gen[A]
	to   func(A) B
	from func(B) (A, bool)
}

func (g *isoOp[A, B]) forward(c *C, _, _ int64, p *B) {
	var v A
	g.gen.forward(c, &v)
	*p = g.to(v)
}

func (g *isoOp[A, B]) backward(c *C, _, _ int64, p *B) bool {
	v, ok := g.from(*p)
	if !ok {
		return c.fail(true, "%s is not in the image of the Iso", show(reflect.ValueOf(p).Elem()))
	}
	if w := g.to(v); !equal(&w, p) {
		return c.fail(false, "the Iso takes it to a value and back to another: %s", show(reflect.ValueOf(&w).Elem()))
	}
	return g.gen.backward(c, &v)
}

// maxTries bounds the values that a SuchThat draws in one run at one place.
const maxTries = 100

// SuchThat makes the values of g that pass the test ok. Forward, it draws up to
// 100 values; only the one that passes is recorded, so that the tree of a value
// does not tell of the others. If none passes, the result is the fallback, which g
// must make and ok must accept, or else the run is rejected: [ErrRejected]. A
// generator that makes valid values by construction is better than one that
// throws values away; where that is not to be had, filter parts, not the whole.
//
// ok must not change its argument. SuchThat panics if there are several fallbacks,
// and a run panics if g does not make the fallback or ok does not accept it.
func SuchThat[A any](g Gen[A], ok func(A) bool, fallback ...A) Gen[A] {
	if len(fallback) > 1 {
		panic(fmt.Sprintf("bigen.SuchThat: %d fallbacks, want at most one", len(fallback)))
	}
	return Gen[A]{op: &filterOp[A]{g, ok, slices.Clone(fallback)}}
}

type filterOp[A any] struct {
	gen      Gen[A]
	ok       func(A) bool
	fallback []A
}

func (g *filterOp[A]) forward(c *C, _, _ int64, p *A) {
	at, before := c.at, len(c.tree)
	for try := range uint32(maxTries) {
		if try > 0 {
			c.at.retry = choices.SubSlot(at.retry, int(try))
		}
		g.gen.forward(c, p)
		c.at = at
		if g.ok(*p) {
			return
		}
		c.tree = c.tree[:before]
		var zero A
		*p = zero
	}
	if len(g.fallback) == 0 {
		c.unwind()
	}
	*p = g.fallback[0]
	if !g.ok(*p) {
		panic("bigen.SuchThat: the fallback does not pass the test")
	}
	t, err := choicesAt(g.gen, *p, at)
	if err != nil {
		panic(fmt.Sprintf("bigen.SuchThat: the fallback: %v", err))
	}
	if before+len(t) > maxChoices {
		c.unwind()
	}
	c.tree = append(c.tree, t...)
}

func (g *filterOp[A]) backward(c *C, _, _ int64, p *A) bool {
	if !g.ok(*p) {
		return c.fail(false, "does not pass the test of the SuchThat")
	}
	return g.gen.backward(c, p)
}
