package bigen

import (
	"strconv"
	"unsafe"
)

// SliceOf makes a slice of minLen to maxLen elements. It asks "stop or more?" before
// each element, so an edit of a tree can remove, insert or move an element without a
// change to the others. Of random slices, the number of elements beyond minLen has a
// mean of up to 8. An empty slice is made as nil; backward, an empty slice that is
// not nil counts as nil. [For] makes others by [EmptyNotNil] or [EmptyOrNil]. It panics
// unless 0 <= minLen <= maxLen.
func SliceOf[A any](g Gen[A], minLen, maxLen int) Gen[[]A] {
	return Gen[[]A]{lo: int64(minLen), hi: int64(maxLen), op: &sliceOp[A]{
		elements: newElements("SliceOf", "slice", minLen, maxLen),
		gen:      g,
	}}
}

// SliceBy is a [SliceOf] whose elements depend on those before: next returns the
// generator of the element that follows prev, or false if none can, which ends the
// slice. Use it for ascending lists, sequences of calls, graphs whose nodes refer to
// earlier ones. A run is rejected ([ErrRejected]) if next ends a slice of fewer than
// minLen elements.
//
// next must be a function of prev, and must neither change nor keep it.
func SliceBy[A any](next func(prev []A) (g Gen[A], ok bool), minLen, maxLen int) Gen[[]A] {
	return Gen[[]A]{lo: int64(minLen), hi: int64(maxLen), op: &sliceOp[A]{
		elements: newElements("SliceBy", "slice", minLen, maxLen),
		next:     next,
	}}
}

type sliceOp[A any] struct {
	elements
	gen  Gen[A]
	next func(prev []A) (Gen[A], bool) // of SliceBy, else nil
}

func (g *sliceOp[A]) forward(c *C, lo, hi int64, u unsafe.Pointer) {
	p := (*[]A)(u)
	at := c.at
	var s []A
	gen := &g.gen
	for i := 0; int64(i) < hi; i++ {
		if g.next != nil {
			following, ok := g.next(s[:i:i])
			if !ok {
				if int64(i) < lo {
					c.unwind()
				}
				break
			}
			gen = &following
		}
		c.at.index = int32(i)
		alts := g.more(i, lo)
		n, b := c.pick(alts)
		stop := g.stops(alts, n)
		if !stop {
			var zero A
			s = append(s, zero)
			makeBy(c, gen, &s[i])
		}
		c.leavePick(b)
		if stop {
			break
		}
	}
	c.at = at
	*p = s
}

func (g *sliceOp[A]) backward(c *C, lo, hi int64, u unsafe.Pointer) bool {
	p := (*[]A)(u)
	s := *p
	gen := &g.gen
	element := func(i int) bool {
		if g.next != nil {
			following, ok := g.next(s[:i:i])
			if !ok {
				return c.explain != nil && c.fail(byValue, "%d elements, but none can follow the first %d", len(s), i)
			}
			gen = &following
		}
		c.pushIndex(i)
		ok := readBy(c, gen, &s[i])
		c.pop()
		return ok
	}
	if g.next == nil {
		return g.scatter(c, lo, hi, len(s), element, nil)
	}
	return g.scatter(c, lo, hi, len(s), element, func() bool {
		_, ok := g.next(s[:len(s):len(s)])
		return !ok
	})
}

func (c *C) pushIndex(i int) {
	if c.explain != nil {
		c.push(strconv.Itoa(i), i)
	}
}
