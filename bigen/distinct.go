package bigen

import (
	"reflect"
	"unsafe"
)

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

func newDistinct[A any, K comparable](
	function string, g Gen[A], key func(A) K, minLen, maxLen int,
) Gen[[]A] {
	return Gen[[]A]{u: rangeOf(&distinctOp{
		elements: newElements(function, "slice", minLen, maxLen),
		elem:     typedOf(&g),
		typ:      reflect.TypeFor[[]A](),
		keys: func() func(unsafe.Pointer, int) (int, bool) {
			seen := make(map[K]int)
			return func(p unsafe.Pointer, i int) (int, bool) {
				k := key(*(*A)(p))
				if !usableKey(reflect.ValueOf(&k).Elem()) {
					return i, false
				}
				if first, ok := seen[k]; ok {
					return first, false
				}
				seen[k] = i
				return i, true
			}
		},
	}, int64(minLen), int64(maxLen))}
}

type distinctOp struct {
	elements
	elem *typed
	typ  reflect.Type // of the slice

	// keys returns, for a run, a function that reports whether the key of *p, the element i, is
	// new. If not, it returns the first element with the key, or i if it cannot be a key.
	keys func() func(p unsafe.Pointer, i int) (first int, ok bool)
}

func (g *distinctOp) forward(c *C, lo, hi int64, p unsafe.Pointer) {
	s := reflect.New(g.typ).Elem()
	isNew, n := g.keys(), 0
	g.gather(c, lo, hi, func() bool {
		s.SetLen(n)
		s.Grow(1)
		s.SetLen(n + 1)
		s.Index(n).SetZero() // it may have been drawn in vain
		last := s.Index(n).Addr().UnsafePointer()
		g.elem.forward(c, last)
		_, ok := isNew(last, n)
		return ok
	}, func() { n++ })
	if n > 0 {
		reflect.NewAt(g.typ, p).Elem().Set(s.Slice3(0, n, n))
	}
}

func (g *distinctOp) backward(c *C, lo, hi int64, p unsafe.Pointer) bool {
	s := reflect.NewAt(g.typ, p).Elem()
	isNew := g.keys()
	c.inexact()
	return g.scatter(c, lo, hi, s.Len(), func(i int) bool {
		c.pushIndex(i)
		defer c.pop()
		v := s.Index(i).Addr().UnsafePointer()
		if !g.elem.backward(c, v) {
			return false
		}
		switch first, ok := isNew(v, i); {
		case ok:
			return true
		case first == i:
			return c.fail(byValue, "its key is not equal to itself, or cannot be compared")
		default:
			return c.explain != nil && c.fail(byValue, "has the key of element %d", first)
		}
	}, nil)
}
