package bigen

import (
	"fmt"
	"math"
	"reflect"

	"github.com/espalier-go/espalier/choices"
)

// An Alt is one alternative of a [Pick]. It is made by [Tag] or [Case].
type Alt[A any] struct {
	choices.Alt
	gen Gen[A]
}

// Tag makes an alternative. The tag is what trees, corpora and mutations know it
// by: it should say what the alternative means, and stay when the generator
// changes. Alternatives that differ in nothing a reader would name, such as one
// for each variable in scope, may share a tag ("Bigenerators, Exposed!", section
// 5.2.1). Then a mutation knows them by their order: where it matters that a
// reference still means the same after another thing has gone, use its name.
func Tag[A any](tag string, g Gen[A]) Alt[A] { return Alt[A]{choices.MakeAlt(tag, 1), g} }

// Weight returns the alternative with weight w instead of 1: random sources take
// alternatives in proportion to their weights. Weight 0 leaves one out of random
// values, but not out of what can be decoded, or read backward. It panics if w is
// negative, infinite or NaN.
func (a Alt[A]) Weight(w float64) Alt[A] {
	if !(w >= 0) || math.IsInf(w, 1) {
		panic(fmt.Sprintf("bigen: weight %v of alternative %q is not a number from 0 up", w, a.Tag))
	}
	a.Alt.Weight = w
	return a
}

// Pick makes a value by one of several alternatives: the pick of "Bigenerators,
// Exposed!", section 3. The first alternative must not recurse: it is what remains
// where a value has become too large. Backward, the first alternative that makes
// the value is taken. Pick panics if there is no alternative.
func Pick[A any](alts ...Alt[A]) Gen[A] {
	if len(alts) == 0 {
		panic("bigen.Pick: no alternatives")
	}
	return Gen[A]{alts: append([]Alt[A](nil), alts...)}
}

func forwardPick[A any](c *C, alts []Alt[A], p *A) {
	if len(alts) == 0 {
		panic("bigen: a zero Gen is run: a variable that has no generator yet?")
	}
	n, b := c.pick(offer(c, alts))
	alts[n].gen.forward(c, p)
	c.src.Leave()
	c.leaveBranch(b)
}

func backwardPick[A any](c *C, alts []Alt[A], p *A) bool {
	forced := !c.free() && len(alts) > 1
	if forced {
		alts = alts[:1]
	}
	b := c.enterBranch(0)
	best := c.explain.save()
	for n := range alts {
		c.push(alts[n].Tag)
		ok := alts[n].gen.backward(c, p)
		c.pop()
		if ok {
			c.record(b.i, offer(c, alts), n)
			c.leaveBranch(b)
			c.explain.restore(best)
			return true
		}
		c.tree = c.tree[:b.i+1]
	}
	c.leaveBranch(b)
	c.tree = c.tree[:b.i]
	if forced {
		return c.failTooLarge()
	}
	return c.failAll(best, offer(c, alts))
}

// offer returns the part of alts that sources see, in a buffer of the run.
func offer[A any](c *C, alts []Alt[A]) []choices.Alt {
	c.offered = c.offered[:0]
	for i := range alts {
		c.offered = append(c.offered, alts[i].Alt)
	}
	return c.offered
}

// branch remembers what to return to after the branch of a pick.
type branch struct {
	i  int // of the pick in the tree
	at place
}

// pick asks which of alts to take, records the answer and enters its branch.
func (c *C) pick(alts []choices.Alt) (n int, b branch) {
	if !c.free() {
		alts = alts[:1]
	}
	q := c.question(choices.Pick)
	q.Alts = alts
	if n = c.src.Pick(q); uint(n) >= uint(len(alts)) {
		n = 0
	}
	b = c.enterBranch(q.Path())
	c.record(b.i, alts, n)
	return n, b
}

// enterBranch adds the record of a pick, yet to be filled in.
func (c *C) enterBranch(path uint64) branch {
	b := branch{len(c.tree), c.at}
	c.add(choices.Pick)
	c.at = place{branch: path}
	c.nest()
	return b
}

func (c *C) leaveBranch(b branch) {
	c.unnest()
	c.at = b.at
	c.tree[b.i].Size = int32(len(c.tree) - b.i)
}

// record fills in that c.tree[i] took alts[n].
func (c *C) record(i int, alts []choices.Alt, n int) {
	e := &c.tree[i]
	e.Tag, e.N, e.Hi = alts[n].Tag, int64(n), int64(len(alts)-1)
	for j := range alts {
		if alts[j].Code() == alts[n].Code() {
			if j < n {
				e.Rank++
			}
			e.Peers++
		}
	}
}

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
	return g.gen.backward(c, &v)
}
