package choices_test

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
	"github.com/stretchr/testify/require"
	"golang.org/x/exp/slices"
)

// A pick of kind Regenerate is drawn by weight, all below it at random, and nothing else
// changes.
func TestReplayRegenerate(t *testing.T) {
	t.Parallel()
	gen := bsttest.Gen(1, 99)
	base, err := bigen.Choices(gen, &bsttest.Tree{
		L: &bsttest.Tree{X: 3, R: &bsttest.Tree{X: 40}}, X: 50, R: &bsttest.Tree{X: 70},
	})
	require.NoError(t, err)
	require.Equal(
		t, "node(50, node(3, leaf, node(40, leaf, leaf)), node(70, leaf, leaf))", base.String(),
	)
	tests := []struct {
		name   string
		tag    string
		n      int
		reroll bool
		leaves bool // whether the subtree may become a leaf
		prints string
	}{
		{
			"node", "node", 2, false, true,
			"node(50, node?(3, leaf, node(40, leaf, leaf)), node(70, leaf, leaf))",
		},
		{
			"leaf, to be another", "leaf", 1, true, false,
			"node(50, node(3, leaf?!, node(40, leaf, leaf)), node(70, leaf, leaf))",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			edited := slices.Clone(base)
			i := find(t, base, tt.tag, tt.n)
			edited[i].Kind, edited[i].Reroll = choices.Regenerate, tt.reroll
			require.Equal(t, tt.prints, edited.String())
			leaves, sizes := 0, map[int]bool{}
			for seed := range uint64(500) {
				v, made, err := bigen.Run(gen, choices.Replay(edited, rng(seed)))
				require.NoError(t, err)
				require.True(t, v.Valid(1, 99))
				require.Equal(t, base[:i].String(), made[:i].String())
				after := base[base.End(i):]
				require.Equal(t, after.String(), made[made.End(i):].String())
				if made[i].Tag == "leaf" {
					leaves++
				}
				sizes[len(made.At(i))] = true
			}
			require.Equal(t, tt.leaves, leaves > 0)
			require.Less(t, leaves, 150) // of weights 1 and 5
			if tt.leaves {
				require.Greater(t, len(sizes), 15, "what was recorded below does not count")
			}
		})
	}
}

// Regenerated elements can be inserted between others, also without randomness.
func TestReplayRegenerateElements(t *testing.T) {
	t.Parallel()
	g := bigen.SliceOf(bigen.SliceOf(bigen.IntRange(0, 9), 0, 5), 0, 10)
	base, err := bigen.Choices(g, [][]int{{1}, {2}})
	require.NoError(t, err)
	stop := base[len(base)-1]
	require.Equal(t, "stop", stop.Tag)
	stop.Kind, stop.Reroll = choices.Regenerate, true
	at := base.End(0)
	edited := slices.Insert(slices.Clone(base), at, stop, stop)
	lengths := map[int]bool{}
	for seed := range uint64(200) {
		v, _, err := bigen.Run(g, choices.Replay(edited, rng(seed)))
		require.NoError(t, err)
		require.Len(t, v, 4)
		require.Equal(t, [][]int{{1}, {2}}, [][]int{v[0], v[3]})
		lengths[len(v[1])] = true
	}
	require.Len(t, lengths, 6)

	v, _, err := bigen.Run(g, choices.Replay(edited, nil))
	require.NoError(t, err)
	again, _, err := bigen.Run(g, choices.Replay(edited, nil))
	require.NoError(t, err)
	require.Equal(t, v, again)
	require.Len(t, v, 4)
}

// An integer or a text does not take a mark for a pick.
func TestReplayRegenerateLeaf(t *testing.T) {
	t.Parallel()
	base, err := bigen.Choices(bigen.IntRange[int64](0, 1<<40), 12345)
	require.NoError(t, err)
	mark := base[0]
	mark.Kind = choices.Regenerate
	v, _, err := bigen.Run(
		bigen.IntRange[int64](0, 1<<40), choices.Replay(choices.Tree{mark, base[0]}, nil),
	)
	require.NoError(t, err)
	require.EqualValues(t, 12345, v)
}
