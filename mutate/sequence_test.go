package mutate_test

import (
	"math"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/mutate"
	"github.com/stretchr/testify/require"
)

// A slice gets as many elements as requested, as far as the generator makes them.
func TestResize(t *testing.T) {
	gen := bigen.SliceOf(bigen.IntRange(0, math.MaxInt32), 2, 5000)
	tree, err := bigen.Choices(gen, []int{7, 8, 9})
	require.NoError(t, err)
	var all []mutate.Sequence
	for s := range mutate.Sequences(tree) {
		all = append(all, s)
	}
	require.Len(t, all, 1)
	require.Equal(t, 3, all[0].N)
	require.True(t, all[0].Open)
	for n, want := range map[int]int{2: 2, 3: 3, 4: 4, 50: 50, 5000: 4096} {
		v, err := bigen.Value(gen, choices.Replay(mutate.Resize(tree, all[0].From, n), nil))
		require.NoError(t, err)
		require.Len(t, v, want, "%d", n)
		require.Equal(t, []int{7, 8}, v[:2])
	}
	v, err := bigen.Value(gen, choices.Replay(mutate.Resize(tree, all[0].From, -1), nil))
	require.NoError(t, err)
	require.Len(t, v, 2, "the least that the generator makes")
	require.Equal(t, tree, mutate.Resize(tree, len(tree), 4), "no sequence")
}

// Elements that change places take the indices of their new places.
func TestSwapElements(t *testing.T) {
	tree, err := bigen.Choices(genInts, []int{5, 7})
	require.NoError(t, err)
	edited := mutate.Swap(tree, mutate.SameTag, rng(1))
	for i := range tree {
		require.Equal(t, tree[i].Index, edited[i].Index, "choice %d", i)
	}
	v, err := bigen.Value(genInts, choices.Replay(edited, nil))
	require.NoError(t, err)
	require.Equal(t, []int{7, 5}, v)
}
