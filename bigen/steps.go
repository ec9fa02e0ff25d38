package bigen

import (
	"fmt"
	"math"
	"unsafe"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
)

// Steps makes a slice whose elements are the steps of a machine. Each step depends on the
// state that the steps before have left. Package callseq makes sequences of calls by it. In
// random slices, the number of steps has the given mean, unless the machine stops before, and
// is never above maxLen.
//
// begin returns a new machine for each run, and elements that precede the steps, or nil. It
// may call [Part]. Forward, s is nil. Backward, s is the slice to read, and must begin with
// what begin returns.
//
// A replay of an edited tree, and bytes, may ask for a step that the machine does not allow.
// Steps leaves it out, with all its choices, and continues with the next one.
//
// Steps panics unless mean is a number from 0 to maxLen, and maxLen is at least 1.
func Steps[A any](
	begin func(c *C, s []A) (m Machine[A], head []A), mean float64, maxLen int,
) Gen[[]A] {
	if !(mean >= 0 && mean <= float64(maxLen)) || maxLen < 1 {
		panic(fmt.Sprintf("bigen.Steps: a mean of %v of up to %d steps", mean, maxLen))
	}
	e := newElements("Steps", "slice", 0, maxLen)
	e.alts[1].Weight = mean
	return Gen[[]A]{u: rangeOf(&stepsOp[A]{e, begin}, 0, int64(maxLen))}
}

// A Machine makes the elements of one slice of [Steps], in order. It may be a [Stopper] or an
// [Ender], too.
type Machine[A any] interface {
	// Offer returns the alternatives for the next step: always the same, but their
	// weights may change. Without any, the slice ends.
	Offer() []choices.Alt

	// Allows reports whether the state permits the n-th of the alternatives that
	// Offer has returned last. An alternative that it does not permit must have weight 0.
	Allows(n int) bool

	// Find returns, backward, which alternative makes the step *a. It calls [C.Refuse] if
	// none does.
	Find(c *C, a *A) int

	// Step makes *a by the n-th alternative. Backward, it reads *a, which it must not
	// change. In both directions it calls [Part] for whatever *a consists of, and
	// changes the state. Backward, it calls [C.Refuse] if it does not make *a.
	Step(c *C, n int, a *A)
}

// A Stopper is a [Machine] that changes how likely random slices end. Only probabilities change, so
// that trees and corpora do not depend on it.
type Stopper interface {
	// Stops returns, after Offer, a factor from 0 to 1 for the probability that the slice ends
	// here.
	Stops() float64
}

// An Ender is a [Machine] that may be used for another slice after its own has ended.
type Ender interface {
	// End is called when the slice is complete, but not if the run ends before.
	End()
}

// Part makes *p, a part of a step of [Steps], by g. Backward, it reads *p instead. Trees
// and corpora know parts by their names, which must differ.
func Part[A any](c *C, name string, p *A, g Gen[A]) {
	at := c.at
	c.at.slot = hash.SubSlot(at.slot, hash.FNV32(name))
	if !c.back {
		makeBy(c, &g, p)
	} else {
		c.push(name, 0)
		if !readBy(c, &g, p) {
			c.unwind()
		}
		c.pop()
	}
	c.at = at
}

// Backward reports whether the run reads a value.
func (c *C) Backward() bool { return c.back }

// Refuse ends a function of a [Machine] that reads a step which the machine does not make. The
// reason is formatted as by [fmt.Sprintf].
func (c *C) Refuse(format string, args ...any) {
	c.fail(byValue, format, args...)
	c.unwind()
}

type stepsOp[A any] struct {
	elements
	begin func(c *C, s []A) (Machine[A], []A)
}

// maxLeftOut bounds the steps in a row that are left out. Then the slice ends.
const maxLeftOut = 1000

func (g *stepsOp[A]) forward(c *C, _, hi int64, u unsafe.Pointer) {
	p := (*[]A)(u)
	at, outer := c.at, c.object
	c.object = object{}
	m, s := g.begin(c, nil)
	stopper, _ := m.(Stopper)
	head := len(s)
	leftOut := 0
	for try := 0; int64(len(s)-head) < hi; try++ {
		alts := m.Offer()
		if len(alts) == 0 {
			break
		}
		kept := len(s) - head
		c.at = at
		c.at.index = int32(min(try, math.MaxInt32))
		c.q.Steps = true
		n, b := c.pick(g.stopOrMore(stopper))
		c.q.Steps = false
		more, allowed := n == 1, false
		if more {
			n, b := c.pick(alts)
			if allowed = m.Allows(n); allowed {
				if len(s) == cap(s) {
					s = slices.Grow(s, 16)
				}
				var zero A
				s = append(s, zero)
				m.Step(c, n, &s[len(s)-1])
			}
			c.leavePick(b)
		}
		c.leavePick(b)
		c.tree[b.i].Index = int32(kept)
		if !more {
			break
		}
		if leftOut++; allowed {
			leftOut = 0
			continue
		}
		c.reject()
		c.tree = c.tree[:b.i]
		if leftOut > maxLeftOut {
			g.stop(c, kept)
			break
		}
	}
	c.at, c.object = at, outer
	*p = s
	ends(m)
}

// ends tells a machine that its slice has ended.
func ends(machine any) {
	if e, ok := machine.(Ender); ok {
		e.End()
	}
}

// stopOrMore returns the alternatives of the question whether there is another step.
func (g *stepsOp[A]) stopOrMore(s Stopper) []choices.Alt {
	factor := 1.
	if s != nil {
		factor = s.Stops()
	}
	if factor == 1 {
		return g.alts[:]
	}
	alts := g.alts
	alts[0].Weight = factor
	alts[1].Weight += 1 - factor
	return alts[:]
}

func (g *stepsOp[A]) backward(c *C, lo, hi int64, u unsafe.Pointer) bool {
	return c.reading(func() bool {
		c.object = object{}
		return g.read(c, lo, hi, (*[]A)(u))
	})
}

func (g *stepsOp[A]) read(c *C, lo, hi int64, p *[]A) bool {
	m, head := g.begin(c, *p)
	s := (*p)[len(head):]
	ok := g.scatter(c, lo, hi, len(s), func(i int) bool {
		alts := m.Offer()
		if len(alts) == 0 {
			return c.explain != nil &&
				c.fail(byValue, "%d steps, but none can follow the first %d", len(s), i)
		}
		c.pushIndex(len(head) + i)
		n := m.Find(c, &s[i])
		if !m.Allows(n) {
			return c.explain != nil && c.fail(byValue, "%s is not possible here", alts[n].Tag)
		}
		ok := c.readPick(alts, n, func() bool {
			c.pushTag(alts[n].Tag)
			m.Step(c, n, &s[i])
			c.pop()
			return true
		})
		c.pop()
		return ok
	}, func() bool { return len(m.Offer()) == 0 })
	ends(m)
	return ok
}
