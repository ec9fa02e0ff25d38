package bigen

import (
	"reflect"
	"unsafe"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
	"golang.org/x/exp/slices"
)

// Permutation makes the values in any order. At random, all orders are equally likely. Each
// choice takes one of the values that remain, 0 the first. So the given order is the simplest,
// and a change of one choice moves one value. The slices made share what the values point to.
// Without values, Permutation makes nil.
//
// Backward, Permutation compares values as [New] does. Of equal ones, it takes the first.
func Permutation[A any](values ...A) Gen[[]A] {
	return Gen[[]A]{u: untyped{op: &permutationOp[A]{append([]A(nil), values...)}}}
}

type permutationOp[A any] struct{ values []A }

func (g *permutationOp[A]) forward(c *C, _, _ int64, u unsafe.Pointer) {
	at := c.at
	s := slices.Clone(g.values)
	for i := 0; i < len(s)-1; i++ {
		c.at.index = int32(i)
		takeOut(s[i:], int(c.integer(choices.Uint, 0, int64(len(s)-1-i))))
	}
	c.at = at
	*(*[]A)(u) = s
}

func (g *permutationOp[A]) backward(c *C, _, _ int64, u unsafe.Pointer) bool {
	p := (*[]A)(u)
	if len(*p) != len(g.values) {
		return c.explain != nil && c.fail(byValue, "%d elements, not %d", len(*p), len(g.values))
	}
	at := c.at
	defer func() { c.at = at }()
	s := slices.Clone(g.values)
	for i := range *p {
		v := &(*p)[i]
		n := indexOf(s[i:], v)
		if n < 0 {
			return c.explain != nil && c.fail(
				byValue, "%s is not one of the values, or is there too often",
				shown{reflect.ValueOf(v).Elem()},
			)
		}
		noteEqual(c, s[i:], n)
		takeOut(s[i:], n)
		if i == len(s)-1 {
			break
		}
		c.at.index = int32(i)
		most := int64(len(s) - 1 - i)
		if !c.free() {
			if most = 0; n > 0 {
				return c.failTooLarge()
			}
		}
		c.addInt(choices.Uint, int64(n), 0, most)
	}
	return true
}

// takeOut moves s[n] to the front.
func takeOut[A any](s []A, n int) {
	v := s[n]
	copy(s[1:n+1], s[:n])
	s[0] = v
}

// Subset makes a slice of some of the values, in the given order. For each value there is a
// [Pick] of the tags out and in, equally likely. The simplest subset is empty, and made as
// nil. The slices made share what the values point to.
//
// Backward, Subset compares values as [New] does. Of equal ones, it takes the first. An empty
// slice that is not nil counts as nil.
func Subset[A any](values ...A) Gen[[]A] {
	return Gen[[]A]{u: untyped{op: &subsetOp[A]{append([]A(nil), values...)}}}
}

type subsetOp[A any] struct{ values []A }

var outOrIn = choices.NewAltSet([]choices.Alt{NewAlt("out", 1), NewAlt("in", 1)})

func (g *subsetOp[A]) forward(c *C, _, _ int64, u unsafe.Pointer) {
	at := c.at
	var s []A
	for i, v := range g.values {
		c.at.slot = hash.SubSlot(at.slot, uint32(i))
		n := c.pickLeaf(outOrIn)
		if n == 1 {
			s = append(s, v)
		}
	}
	c.at = at
	*(*[]A)(u) = s
}

func (g *subsetOp[A]) backward(c *C, _, _ int64, u unsafe.Pointer) bool {
	at := c.at
	defer func() { c.at = at }()
	rest := *(*[]A)(u)
	for i := range g.values {
		c.at.slot = hash.SubSlot(at.slot, uint32(i))
		n := 0
		if len(rest) > 0 && equal(&g.values[i], &rest[0]) {
			n, rest = 1, rest[1:]
			noteEqual(c, g.values, i)
		}
		if !c.readPick(outOrIn.Alts, n, nil) {
			return false
		}
	}
	if len(rest) > 0 {
		return c.explain != nil && c.fail(
			byValue, "%s is not one of the values after the element before it",
			shown{reflect.ValueOf(&rest[0]).Elem()},
		)
	}
	return true
}
