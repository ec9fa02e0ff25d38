package bigen

import "unsafe"

// Distinct makes a slice of minLen to maxLen elements that differ by ==. It asks for elements
// as [SliceOf] does. It drops an element that equals an earlier one, that does not equal
// itself, such as NaN, or that is an interface whose value cannot be compared. To compare
// pointers by what they point to, use [DistinctBy].
//
// If a run does not find minLen different elements, in 100 tries or more for each, it is
// rejected ([ErrRejected]). Distinct panics unless 0 <= minLen <= maxLen.
func Distinct[A comparable](g Gen[A], minLen, maxLen int) Gen[[]A] {
	return newDistinct("Distinct", g, func(v A) A { return v }, minLen, maxLen)
}

// DistinctBy is [Distinct] for elements that are compared by key(element). key must
// neither change nor keep its argument.
func DistinctBy[A any, K comparable](g Gen[A], key func(v A) K, minLen, maxLen int) Gen[[]A] {
	return newDistinct("DistinctBy", g, key, minLen, maxLen)
}

func newDistinct[A any, K comparable](function string, g Gen[A], key func(A) K, minLen, maxLen int) Gen[[]A] {
	return Gen[[]A]{lo: int64(minLen), hi: int64(maxLen), op: &distinctOp[A, K]{
		newElements(function, "slice", minLen, maxLen), g, key, keysOf[K](),
	}}
}

type distinctOp[A any, K comparable] struct {
	elements
	gen  Gen[A]
	key  func(A) K
	keys keys[K]
}

func (g *distinctOp[A, K]) forward(c *C, lo, hi int64, u unsafe.Pointer) {
	p := (*[]A)(u)
	var s []A
	var k K
	seen := make(map[K]struct{})
	draw := func() bool {
		var zero A
		s = append(s[:len(seen)], zero)
		makeBy(c, &g.gen, &s[len(seen)])
		k = g.key(s[len(seen)])
		if !g.keys.usable(&k) {
			return false
		}
		_, ok := seen[k]
		return !ok
	}
	g.gather(c, lo, hi, draw, func() { seen[k] = struct{}{} })
	if len(seen) > 0 {
		*p = s[:len(seen):len(seen)]
	}
}

func (g *distinctOp[A, K]) backward(c *C, lo, hi int64, u unsafe.Pointer) bool {
	p := (*[]A)(u)
	s := *p
	seen := make(map[K]int)
	c.inexact()
	return g.scatter(c, lo, hi, len(s), func(i int) bool {
		c.pushIndex(i)
		defer c.pop()
		if !readBy(c, &g.gen, &s[i]) {
			return false
		}
		k := g.key(s[i])
		if !g.keys.usable(&k) {
			return c.fail(byValue, "its key is not equal to itself, or cannot be compared")
		}
		if first, ok := seen[k]; ok {
			return c.explain != nil && c.fail(byValue, "has the key of element %d", first)
		}
		seen[k] = i
		return true
	}, nil)
}
