package choices_test

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
	"github.com/stretchr/testify/require"
)

// around returns the choices whose subtrees have t[i], by the definition.
func around(t choices.Tree, i int) (list []int) {
	for j := range i {
		if t.End(j) > i {
			list = append(list, j)
		}
	}
	return list
}

func TestWalk(t *testing.T) {
	r := rng(1)
	deepest := 0
	for range 100 {
		_, tree, err := bigen.Run(bigen.SliceOf(bsttest.Gen(0, 99), 0, 4), choices.Random(r))
		require.NoError(t, err)
		next := 0
		for i, in := range tree.Walk() {
			require.Equal(t, next, i)
			require.Equal(t, around(tree, i), append([]int(nil), in...))
			deepest = max(deepest, len(in))
			next++
		}
		require.Equal(t, len(tree), next)
	}
	require.Greater(t, deepest, 4)
	for i := range make(choices.Tree, 3).Walk() {
		require.Zero(t, i)
		break
	}
}

// Where sizes are wrong, what is around still nests, and ends where what is around that does.
func TestWalkWrongSizes(t *testing.T) {
	tree := choices.Tree{{Size: 3}, {Size: 9}, {Size: -1}, {Size: 100}, {Size: 0}}
	want := [][]int{nil, {0}, {0, 1}, nil, {3}}
	for i, in := range tree.Walk() {
		require.Equal(t, want[i], append([]int(nil), in...), "%d", i)
	}
}

func TestIsSimplest(t *testing.T) {
	for _, test := range []struct {
		choice choices.Choice
		want   bool
	}{
		{choices.Choice{Kind: choices.Pick, Hi: 2}, true},
		{choices.Choice{Kind: choices.Pick, N: 1, Hi: 2}, false},
		{choices.Choice{Kind: choices.Int, Lo: -9, Hi: 9}, true},
		{choices.Choice{Kind: choices.Int, N: -3, Lo: -9, Hi: -3}, true},
		{choices.Choice{Kind: choices.Uint, N: 3, Lo: 2, Hi: -1}, false},
		{choices.Choice{Kind: choices.Uint, N: 2, Lo: 2, Hi: -1}, true},
		{choices.Choice{Kind: choices.Text}, true},
		{choices.Choice{Kind: choices.Text, Tag: "a"}, false},
	} {
		require.Equal(t, test.want, test.choice.IsSimplest(), "%+v", test.choice)
	}
}

// A reroll reaches every other alternative, those with weight evenly.
func TestRerollReachesAll(t *testing.T) {
	leaf := bigen.Just(0)
	gen := bigen.Pick(
		bigen.Tag("heavy", leaf).Weight(1000), bigen.Tag("never", leaf).Weight(0),
		bigen.Tag("light", leaf), bigen.Tag("kept", leaf).Weight(5),
	)
	_, tree, err := bigen.Run(
		gen, choices.Replay(choices.Tree{{Kind: choices.Pick, Tag: "kept", Size: 1}}, nil),
	)
	require.NoError(t, err)
	require.Equal(t, "kept", tree.String())
	for _, kind := range []choices.Kind{choices.Pick, choices.Regenerate} {
		edited := choices.Tree{tree[0]}
		edited[0].Kind, edited[0].Reroll = kind, true
		count := map[string]int{}
		r := rng(1)
		for range 4000 {
			_, made, err := bigen.Run(gen, choices.Replay(edited, r))
			require.NoError(t, err)
			count[made.String()]++
		}
		require.Zero(t, count["kept"])
		require.InDelta(t, 4000/24, count["never"], 60, "%v", count)
		require.InDelta(t, count["heavy"], count["light"], 200, "%v", count)
	}
}
