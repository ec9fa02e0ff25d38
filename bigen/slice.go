package bigen

import (
	"reflect"
	"unsafe"
)

// SliceOf makes a slice of minLen to maxLen elements. It asks "stop or more?" before
// each element, so an edit of a tree can remove, insert or move an element without a
// change to the others. Of random slices, the number of elements beyond minLen has a
// mean of up to 8. An empty slice is made as nil; backward, an empty slice that is
// not nil counts as nil. [For] makes others by [EmptyNotNil] or [EmptyOrNil]. It panics
// unless 0 <= minLen <= maxLen.
func SliceOf[A any](g Gen[A], minLen, maxLen int) Gen[[]A] {
	elem := typed{*untypedOf(&g), reflect.TypeFor[A]()}
	o := newSlice(minLen, maxLen, elem, reflect.TypeFor[[]A]())
	return Gen[[]A]{u: rangeOf(o, int64(minLen), int64(maxLen))}
}

func newSlice(minLen, maxLen int, elem typed, typ reflect.Type) *sliceOp {
	room := &struct { // one allocation: some make a slice for each node of a value
		sliceOp
		elem typed
	}{elem: elem}
	room.sliceOp = sliceOp{
		elements: newElements("SliceOf", "slice", minLen, maxLen), elem: &room.elem, typ: typ,
	}
	return &room.sliceOp
}

// SliceBy is a [SliceOf] whose elements depend on those before: next returns the
// generator of the element that follows prev, or false if none can, which ends the
// slice. Use it for ascending lists, sequences of calls, graphs whose nodes refer to
// earlier ones. A run is rejected ([ErrRejected]) if next ends a slice of fewer than
// minLen elements.
//
// next must be a function of prev, and must neither change nor keep it.
func SliceBy[A any](next func(prev []A) (g Gen[A], ok bool), minLen, maxLen int) Gen[[]A] {
	return Gen[[]A]{u: rangeOf(&sliceOp{
		elements: newElements("SliceBy", "slice", minLen, maxLen),
		elem:     &typed{typ: reflect.TypeFor[A]()},
		typ:      reflect.TypeFor[[]A](),
		next: func(p unsafe.Pointer, n int) (untyped, bool) {
			g, ok := next((*(*[]A)(p))[:n:n])
			return *untypedOf(&g), ok
		},
	}, int64(minLen), int64(maxLen))}
}

type sliceOp struct {
	elements
	elem *typed
	typ  reflect.Type                                  // of the slice
	next func(p unsafe.Pointer, n int) (untyped, bool) // of SliceBy: what follows n elements
}

func (g *sliceOp) forward(c *C, lo, hi int64, p unsafe.Pointer) {
	at, size := c.at, g.elem.typ.Size()
	s := (*sliceHeader)(p)
	*s = sliceHeader{}
	gen := &g.elem.untyped
	for i := 0; int64(i) < hi; i++ {
		if g.next != nil {
			following, ok := g.next(p, i)
			if !ok {
				if int64(i) < lo {
					c.unwind()
				}
				break
			}
			gen = &following
		}
		c.at.index = int32(i)
		alts := g.more(c, i, lo)
		n, b := c.pick(alts)
		stop := g.stops(alts, n)
		if !stop {
			g.derived.deeper(c, 1)
			if s.len == s.cap {
				reflect.NewAt(g.typ, p).Elem().Grow(1)
			}
			s.len++
			gen.forward(c, unsafe.Add(s.data, uintptr(i)*size))
			g.derived.deeper(c, -1)
		}
		c.leavePick(b)
		if stop {
			break
		}
	}
	c.at = at
}

func (g *sliceOp) backward(c *C, lo, hi int64, p unsafe.Pointer) bool {
	s := reflect.NewAt(g.typ, p).Elem()
	size, from, n := g.elem.typ.Size(), s.UnsafePointer(), s.Len()
	element := func(i int) bool {
		gen := &g.elem.untyped
		if g.next != nil {
			following, ok := g.next(p, i)
			if !ok {
				return c.explain != nil &&
					c.fail(byValue, "%d elements, but none can follow the first %d", n, i)
			}
			gen = &following
		}
		c.pushIndex(i)
		ok := gen.backward(c, unsafe.Add(from, uintptr(i)*size), g.elem.typ)
		c.pop()
		return ok
	}
	if g.next == nil {
		return g.scatter(c, lo, hi, n, element, nil)
	}
	return g.scatter(c, lo, hi, n, element, func() bool {
		_, ok := g.next(p, n)
		return !ok
	})
}
