package bigen

import (
	"fmt"
	"strconv"

	"github.com/espalier-go/espalier/choices"
)

// SliceOf makes a slice of minLen to maxLen elements. It asks "stop or more?"
// before each element, so that an element can be taken out of a tree, put in or
// moved without changing the others; at random, the number of elements beyond
// minLen has a mean of up to 8. A slice without elements is made as nil; backward,
// an empty slice that is not nil counts as the same. It panics unless 0 <= minLen
// <= maxLen.
func SliceOf[A any](g Gen[A], minLen, maxLen int) Gen[[]A] {
	if minLen < 0 || maxLen < minLen {
		panic(fmt.Sprintf("bigen.SliceOf: no slice has from %d to %d elements", minLen, maxLen))
	}
	more := min(8, (float64(maxLen)-float64(minLen)+1)/2)
	return Gen[[]A]{lo: int64(minLen), hi: int64(maxLen), op: &sliceOp[A]{
		gen:  g,
		alts: [2]choices.Alt{choices.MakeAlt("stop", 1), choices.MakeAlt("more", more)},
	}}
}

type sliceOp[A any] struct {
	gen  Gen[A]
	alts [2]choices.Alt // stop, more
}

// more returns the alternatives for element i: the first lo there must be.
func (g *sliceOp[A]) more(i int, lo int64) []choices.Alt {
	if int64(i) < lo {
		return g.alts[1:]
	}
	return g.alts[:]
}

func (g *sliceOp[A]) forward(c *C, lo, hi int64, p *[]A) {
	at := c.at
	var s []A
	for i := 0; int64(i) < hi; i++ {
		c.at.index = int32(i)
		alts := g.more(i, lo)
		n, b := c.pick(alts)
		stop := alts[n].Tag == "stop"
		if !stop {
			var zero A
			s = append(s, zero)
			g.gen.forward(c, &s[i])
		}
		c.leavePick(b)
		if stop {
			break
		}
	}
	c.at = at
	*p = s
}

func (g *sliceOp[A]) backward(c *C, lo, hi int64, p *[]A) bool {
	s := *p
	if int64(len(s)) < lo || int64(len(s)) > hi {
		return c.explain != nil && c.fail(byValue, "%d elements, not %d to %d", len(s), lo, hi)
	}
	at := c.at
	defer func() { c.at = at }()
	for i := 0; i <= len(s) && int64(i) < hi; i++ {
		c.at.index = int32(i)
		alts := g.more(i, lo)
		if !c.free() {
			alts = alts[:1]
		}
		b := c.enterBranch(0)
		n, ok := 0, true // stop, if there are no more
		if i < len(s) {
			n = len(alts) - 1
			c.push(strconv.Itoa(i))
			if alts[n].Tag == "stop" {
				ok = c.failTooLarge()
			} else {
				ok = g.gen.backward(c, &s[i])
			}
			c.pop()
		}
		c.leaveBranch(b)
		if !ok {
			return false
		}
		c.record(b.i, alts, n)
	}
	return true
}
