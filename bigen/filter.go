package bigen

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
)

// SuchThat makes the values of g that pass the test ok. Forward, it draws up to 100
// values and records only the one that passes. If none passes, the result is the
// fallback; without one, the run is rejected: [ErrRejected]. Where a value has become
// too large (see [Run]), the fallback is its only value. Prefer a generator that
// makes valid values by construction; if there is none, filter parts, not the whole.
//
// ok must not change its argument. SuchThat panics if there are several fallbacks. A
// run panics if g does not make the fallback, or if ok does not accept it.
func SuchThat[A any](g Gen[A], ok func(A) bool, fallback ...A) Gen[A] {
	if len(fallback) > 1 {
		panic(fmt.Sprintf("bigen.SuchThat: %d fallbacks, want at most one", len(fallback)))
	}
	f := &filterOp[A]{gen: g, ok: ok}
	if len(fallback) == 1 {
		f.fallback = &fallback[0]
	}
	return Gen[A]{u: untyped{op: f}}
}

// Satisfying is [SuchThat] with a test that says what is wrong: check returns an error for values
// that do not pass. Backward, this error is the reason why the value is not made.
func Satisfying[A any](g Gen[A], check func(A) error) Gen[A] {
	return Gen[A]{u: untyped{op: &filterOp[A]{
		gen: g, ok: func(v A) bool { return check(v) == nil }, why: check,
	}}}
}

type filterOp[A any] struct {
	gen      Gen[A]
	ok       func(A) bool
	why      func(A) error // nil, or the reason why not ok
	fallback *A
}

// forced reports whether the fallback is the only value, since there is no room
// for the choices of another. It depends on the tree alone, as free does.
func (g *filterOp[A]) forced(c *C) bool {
	return g.fallback != nil &&
		(c.beyond(maxChoices-fallbackRoom) || c.beneath(maxDepth-fallbackRoom))
}

func (g *filterOp[A]) forward(c *C, _, _ int64, u unsafe.Pointer) {
	p := (*A)(u)
	if g.forced(c) {
		*p = g.another()
		return
	}
	at, start := c.at, c.mark()
	for try := range uint32(maxTries) {
		if try > 0 {
			c.at.retry = hash.SubSlot(at.retry, try)
		}
		makeBy(c, &g.gen, p)
		c.at = at
		if g.ok(*p) {
			return
		}
		c.reject()
		c.reset(start)
		var zero A
		*p = zero
	}
	if g.fallback == nil {
		c.unwind()
	}
	*p = *g.fallback
	if !g.ok(*p) {
		panic("bigen.SuchThat: the fallback does not pass the test")
	}
	t, err := g.fallbackAt(position{
		at: at, before: c.size(), depth: c.depth, recursions: c.recursions,
		params: c.params, nth: c.nth,
	})
	if err != nil {
		if c.measures() {
			c.unwind() // the Recursive makes less now
		}
		if err := Check(g.gen, *p); err != nil {
			panic(fmt.Sprintf("bigen.SuchThat: the fallback: %v", err))
		}
		c.unwind() // no room
	}
	c.tree = append(c.tree, t...)
	*p = g.another()
}

// fallbackAt returns the choices of the fallback where a run stands.
func (g *filterOp[A]) fallbackAt(begin position) (choices.Tree, error) {
	c := newC()
	defer c.release()
	return c.choices(typedOf(&g.gen), unsafe.Pointer(g.fallback), begin)
}

// another returns a new copy of the fallback, which the caller may change.
func (g *filterOp[A]) another() A {
	t, err := Choices(g.gen, *g.fallback)
	if err == nil {
		if v, _, err := Run(g.gen, choices.Replay(t, nil)); err == nil {
			return v
		}
	}
	return *g.fallback
}

func (g *filterOp[A]) backward(c *C, _, _ int64, u unsafe.Pointer) bool {
	p := (*A)(u)
	if g.forced(c) {
		return equal(g.fallback, p) || c.failTooLarge()
	}
	if c.filling != nil { // otherwise there are no holes
		return readBy(c, &g.gen, p) && g.ok(*p)
	}
	if !g.ok(*p) {
		if c.explain != nil && g.why != nil {
			return c.fail(byValue, "%v", g.why(*p))
		}
		return c.explain != nil && c.fail(
			byValue, "%s does not pass the test of the SuchThat", shown{reflect.ValueOf(p).Elem()},
		)
	}
	c.inexact()
	return readBy(c, &g.gen, p)
}
