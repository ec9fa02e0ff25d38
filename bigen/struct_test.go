package bigen_test

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/stretchr/testify/require"
)

type nothing struct{}

// Empty has parts of size zero. Several share an address.
type Empty struct {
	A, B  struct{}
	Other nothing
	N     int
	nothing
	Arr   [2]struct{}
	None  [0]int
	None2 [0]int
	M     int
	Last  struct{}
}

// Parts of size zero are filled one by one, whatever address they share, and keep the
// slots of their names.
func TestEmptyFields(t *testing.T) {
	empty := bigen.Pick(bigen.Tag("empty", bigen.Just(struct{}{})))
	g := bigen.Struct(func(c *bigen.C, v *Empty) {
		bigen.At(c, &v.A, empty)
		bigen.At(c, &v.B, empty)
		bigen.At(c, &v.Other, bigen.Just(nothing{}))
		bigen.At(c, &v.N, bigen.IntRange(0, 9))
		bigen.At(c, &v.nothing, bigen.Just(nothing{}))
		bigen.At(c, &v.Arr[0], empty)
		bigen.At(c, &v.Arr[1], empty)
		bigen.At(c, &v.None, bigen.ArrayOf[[0]int](bigen.IntRange(0, 9)))
		bigen.At(c, &v.None2, bigen.ArrayOf[[0]int](bigen.IntRange(0, 9)))
		bigen.At(c, &v.M, bigen.IntRange(v.N, 9))
		bigen.At(c, &v.Last, empty)
	})
	checkLaws(t, g, always)
	tree, err := bigen.Choices(g, Empty{N: 3, M: 4})
	require.NoError(t, err)
	require.Equal(t, "empty, empty, 3, empty, empty, 4, empty", tree.String())
	slots := map[uint32]bool{}
	for _, c := range tree {
		slots[c.Slot] = true
	}
	require.Len(t, slots, len(tree))

	// Another field before them does not change their slots.
	type more struct {
		New  int
		A, B struct{}
	}
	type fewer struct{ A, B struct{} }
	fill := func(c *bigen.C, a, b *struct{}) {
		bigen.At(c, a, empty)
		bigen.At(c, b, empty)
	}
	two, err := bigen.Choices(
		bigen.Struct(func(c *bigen.C, v *more) { fill(c, &v.A, &v.B) }), more{},
	)
	require.NoError(t, err)
	alone, err := bigen.Choices(
		bigen.Struct(func(c *bigen.C, v *fewer) { fill(c, &v.A, &v.B) }), fewer{},
	)
	require.NoError(t, err)
	require.Equal(t, two, alone)

	require.PanicsWithValue(t, "bigen.At: the field B of bigen_test.fewer is filled twice: what it was first would be lost", func() {
		bigen.Sample(bigen.Struct(func(c *bigen.C, v *fewer) {
			fill(c, &v.A, &v.B)
			bigen.At(c, &v.A, empty)
		}), rng(1))
	})
}

// A derived generator fills them, too, and what it records can be replayed.
func TestForEmptyFields(t *testing.T) {
	type s struct {
		A, B struct{}
		Arr  [3][0]int
		N    int8
		nothing
		P    *struct{}
		M    map[struct{}]struct{}
		Last []struct{}
	}
	g := bigen.For[s]()
	checkLaws(t, g, always)
	v, tree, err := bigen.Run(g, choices.Random(rng(1)))
	require.NoError(t, err)
	require.Zero(t, v.nothing)
	again, err := bigen.Choices(g, v)
	require.NoError(t, err)
	require.Equal(t, tree, again)
}
