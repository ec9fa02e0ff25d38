package mutants

import (
	"math"
	"slices"

	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
)

var heaps = New(Spec[heapCase]{
	Name: "heaps",
	Bugs: []string{
		"push: stays at the end", "push: up one level only", "push: parent is one to the right",
		"push: least goes nowhere", "push: the 16th is lost",

		"pop: last is not moved", "pop: stays at the top", "pop: down one level only",
		"pop: only left children", "pop: takes the greater child",
		"pop: equal children stop it", "pop: last child is not seen", "pop: of two does nothing",

		"remove: never up", "remove: never down", "remove: last takes another along",
		"set: never up", "set: never down", "set: same as the top goes nowhere",

		"make: starts too early", "make: goes forward", "make: of three is not sorted",
		"make: greatest is dropped",
		"merge: last is dropped", "merge: with an equal top is dropped",
	},
	Valid: func(c heapCase) bool { return isHeap(c.A) && isHeap(c.B) },
	Fails: func(bug string, c heapCase) bool { return heap(bug).fails(c) },

	Built:      genHeapCase(bigen.SliceBy(above, 0, math.MaxInt)),
	Naive:      genHeapCase(bigen.SliceOf(bigen.IntRange(0, lastPriority), 0, math.MaxInt)),
	RapidBuilt: func(t *rapid.T) heapCase { return rapidHeapCase(t, rapidHeap) },
	RapidNaive: func(t *rapid.T) heapCase {
		return rapidHeapCase(t, rapid.SliceOf(rapid.IntRange(0, lastPriority)).Draw)
	},
})

const lastPriority = 999

// A heapCase has two heaps, and a list that is none.
type heapCase struct {
	A, B  []int // each not less than the one at (i-1)/2
	List  []int
	X, At int // At counts from the top
}

func genHeapCase(g bigen.Gen[[]int]) bigen.Gen[heapCase] {
	list := bigen.SliceOf(bigen.IntRange(0, lastPriority), 0, math.MaxInt)
	return bigen.Struct(func(c *bigen.C, h *heapCase) {
		bigen.At(c, &h.A, g)
		bigen.At(c, &h.B, g)
		bigen.At(c, &h.List, list)
		bigen.At(c, &h.X, bigen.IntRange(0, lastPriority))
		bigen.At(c, &h.At, bigen.IntRange(0, 30))
	})
}

func above(h []int) (bigen.Gen[int], bool) {
	if len(h) == 0 {
		return bigen.IntRange(0, lastPriority), true
	}
	return bigen.IntRange(h[(len(h)-1)/2], lastPriority), true
}

func rapidHeapCase(t *rapid.T, draw func(t *rapid.T, label string) []int) heapCase {
	priority := rapid.IntRange(0, lastPriority)
	return heapCase{draw(t, "a"), draw(t, "b"), rapid.SliceOf(priority).Draw(t, "list"),
		priority.Draw(t, "x"), rapid.IntRange(0, 30).Draw(t, "at")}
}

func rapidHeap(t *rapid.T, label string) (h []int) {
	least := 0
	for range rapid.IntRange(0, 16).Draw(t, label) {
		if len(h) > 0 {
			least = h[(len(h)-1)/2]
		}
		h = append(h, rapid.IntRange(least, lastPriority).Draw(t, "priority"))
	}
	return h
}

func isHeap(h []int) bool {
	for i := 1; i < len(h); i++ {
		if h[i] < h[(i-1)/2] {
			return false
		}
	}
	return true
}

// A heap implements priority queues by binary heaps.
type heap string

func (m heap) fails(c heapCase) bool {
	is := func(h []int, want ...int) bool { // as sets
		if !isHeap(h) || len(h) != len(want) {
			return false
		}
		h = slices.Clone(h)
		slices.Sort(h)
		slices.Sort(want)
		return slices.Equal(h, want)
	}
	if !is(m.push(slices.Clone(c.A), c.X), append(slices.Clone(c.A), c.X)...) ||
		!is(m.heapify(slices.Clone(c.List)), slices.Clone(c.List)...) ||
		!is(m.merge(slices.Clone(c.A), c.B), slices.Concat(c.A, c.B)...) {
		return true
	}
	if len(c.A) > 0 && !is(m.pop(slices.Clone(c.A)), slices.Clone(c.A[1:])...) {
		return true
	}
	if c.At >= len(c.A) {
		return false
	}
	rest := slices.Delete(slices.Clone(c.A), c.At, c.At+1)
	return !is(m.remove(slices.Clone(c.A), c.At), slices.Clone(rest)...) ||
		!is(m.set(slices.Clone(c.A), c.At, c.X), append(rest, c.X)...)
}

func (m heap) push(h []int, x int) []int {
	if m == "push: least goes nowhere" && x == 0 || m == "push: the 16th is lost" && len(h) == 15 {
		return h
	}
	h = append(h, x)
	if m != "push: stays at the end" {
		m.up(h, len(h)-1)
	}
	return h
}

func (m heap) up(h []int, i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if m == "push: parent is one to the right" {
			parent = i / 2
		}
		if h[parent] <= h[i] {
			return
		}
		h[parent], h[i] = h[i], h[parent]
		if i = parent; m == "push: up one level only" {
			return
		}
	}
}

func (m heap) down(h []int, i int) {
	for {
		child := 2*i + 1
		if child >= len(h) || m == "pop: last child is not seen" && child == len(h)-1 {
			return
		}
		if right := child + 1; right < len(h) && m != "pop: only left children" {
			if m == "pop: equal children stop it" && h[child] == h[right] {
				return
			}
			if (h[right] < h[child]) != (m == "pop: takes the greater child") {
				child = right
			}
		}
		if h[i] <= h[child] {
			return
		}
		h[i], h[child] = h[child], h[i]
		if i = child; m == "pop: down one level only" {
			return
		}
	}
}

func (m heap) pop(h []int) []int {
	last := len(h) - 1
	switch {
	case m == "pop: last is not moved":
		return h[:last]
	case m == "pop: of two does nothing" && last == 1:
		return h
	}
	h[0] = h[last]
	if h = h[:last]; m != "pop: stays at the top" {
		m.down(h, 0)
	}
	return h
}

func (m heap) remove(h []int, i int) []int {
	last := len(h) - 1
	if m == "remove: last takes another along" && i == last && i > 2 {
		return h[:last-1]
	}
	h[i] = h[last]
	h = h[:last]
	if i < last {
		m.fix("remove", h, i)
	}
	return h
}

func (m heap) set(h []int, i, x int) []int {
	if m == "set: same as the top goes nowhere" && x == h[0] {
		return h
	}
	h[i] = x
	m.fix("set", h, i)
	return h
}

func (m heap) fix(op string, h []int, i int) {
	if string(m) != op+": never down" {
		m.down(h, i)
	}
	if string(m) != op+": never up" {
		m.up(h, i)
	}
}

func (m heap) heapify(h []int) []int {
	if m == "make: of three is not sorted" && len(h) == 3 {
		return h
	}
	if m == "make: greatest is dropped" {
		h = slices.DeleteFunc(h, func(x int) bool { return x == lastPriority })
	}
	start := len(h)/2 - 1
	if m == "make: starts too early" {
		start--
	}
	for i := start; i >= 0; i-- {
		if m == "make: goes forward" {
			m.down(h, start-i)
		} else {
			m.down(h, i)
		}
	}
	return h
}

func (m heap) merge(a, b []int) []int {
	if m == "merge: with an equal top is dropped" && len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		return a
	}
	if m == "merge: last is dropped" && len(b) > 1 {
		b = b[:len(b)-1]
	}
	return m.heapify(slices.Concat(a, b))
}
