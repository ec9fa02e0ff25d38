package bigen_test

import (
	"strconv"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigentest"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/bias"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
	"github.com/espalier-go/espalier/mutate"
	"github.com/stretchr/testify/require"
)

// The listings of Frohlich, Goldstein, Pierce and Wang, "Bigenerators, Exposed!",
// that have a result. Those about expressions (section 6.1) are in examples/expr.
func TestPaper(t *testing.T) {
	genBST := bsttest.Gen
	leaf := (*bsttest.Tree)(nil)
	choicesOf := func(t *testing.T, v *bsttest.Tree) choices.Tree {
		tree, err := bigen.Choices(genBST(-10, 10), v)
		require.NoError(t, err)
		return tree
	}
	replay := func(t *testing.T, lo, hi int, tree choices.Tree, seed uint64) *bsttest.Tree {
		v, _, err := bigen.Run(genBST(lo, hi), choices.Replay(tree, rng(seed)))
		require.NoError(t, err)
		require.True(t, v.Valid(lo, hi))
		return v
	}
	twoOf := node(node(leaf, 4, leaf), 5, leaf)

	t.Run("3 unGenCheck", func(t *testing.T) {
		unGenCheck := func(v *bsttest.Tree) bool { return bigen.Check(genBST(-10, 10), v) == nil }
		require.True(t, unGenCheck(leaf))
		require.True(t, unGenCheck(node(leaf, -4, node(leaf, 10, leaf))))
		require.False(t, unGenCheck(node(leaf, 13, leaf)))
	})
	t.Run("3 sample", func(t *testing.T) {
		r := rng(1)
		leaves := 0
		for range 6000 {
			v := bigen.Sample(genBST(-10, 10), r)
			require.True(t, v.Valid(-10, 10))
			if v == nil {
				leaves++
			}
		}
		require.InDelta(t, 1000, leaves, 100, "the weights are 1 and 5")
	})
	t.Run("4.1 soundness", func(t *testing.T) {
		bigentest.Sound(t, genBST(0, 9), func(v *bsttest.Tree) bool { return v.Valid(0, 9) })
	})
	t.Run("4.1 completeness", func(t *testing.T) {
		bigentest.Complete(
			t, bsttest.Any(0, 4, 3), func(v *bsttest.Tree) bool { return v.Valid(0, 4) },
			genBST(0, 4),
		)
	})
	t.Run("5.1.1 unGenList", func(t *testing.T) {
		require.Equal(
			t, []string{"node", "5", "leaf", "leaf"}, unGenList(choicesOf(t, node(leaf, 5, leaf))),
		)
	})
	t.Run("5.2.2 Term", func(t *testing.T) {
		// The paper's listing has one more leaf, to the right of 4. But no integer fits
		// there, and then its genBST, too, makes a leaf without a pick.
		require.Equal(t, "node(5, node(4, leaf), leaf)", choicesOf(t, twoOf).String())
		require.Equal(
			t, "node(5, node(3, leaf, leaf), leaf)",
			choicesOf(t, node(node(leaf, 3, leaf), 5, leaf)).String(),
		)
	})
	t.Run("5.2.1 unGenFrequencies", func(t *testing.T) {
		f, err := bigen.Mine(genBST(-10, 10), node(leaf, 5, leaf))
		require.NoError(t, err)
		require.Equal(
			t, bias.Frequencies{{Tag: "node"}: 1, {Kind: choices.Int, N: 5}: 1, {Tag: "leaf"}: 2},
			f,
		)
	})
	t.Run("6.1.1 alwaysLeaves", func(t *testing.T) {
		r := rng(1)
		for range 100 {
			require.Nil(t, bigen.Sample(genBST(
				-10, 10,
			), r, bias.Weighted(func(tag string, _ float64) float64 {
				if tag == "leaf" {
					return 1
				}
				return 0
			})))
		}
	})
	t.Run("6.2.1 edits of a list go astray, of a tree do not", func(t *testing.T) {
		tree := choicesOf(t, node(node(leaf, 2, leaf), 5, node(leaf, 7, leaf)))
		require.Equal(
			t, []string{"node", "5", "node", "2", "leaf", "leaf", "node", "7", "leaf", "leaf"},
			unGenList(tree),
		)
		tree[2].Tag = "leaf"
		require.Equal(
			t, []string{"node", "5", "leaf", "2", "leaf", "leaf", "node", "7", "leaf", "leaf"},
			unGenList(tree),
		)
		require.Equal(t, node(leaf, 5, node(leaf, 7, leaf)), replay(t, -10, 10, tree, 1))
	})
	t.Run("6.2.2 rerollMut", func(t *testing.T) {
		// Of each choice, what its reroll may lead to.
		marked := func(i int) choices.Tree {
			tree := choicesOf(t, node(leaf, 5, leaf))
			tree[i].Reroll = true
			return tree
		}
		require.Equal(t, leaf, replay(t, -10, 10, marked(0), 1), "node to leaf chops it")
		values := map[int]bool{}
		for seed := range uint64(300) {
			v := replay(t, -10, 10, marked(1), seed)
			require.Equal(t, node(leaf, v.X, leaf), v)
			values[v.X] = true

			v = replay(t, -10, 10, marked(2), seed)
			require.Equal(
				t, node(node(leaf, v.L.X, leaf), 5, leaf), v, "leaf to node adds a single node",
			)
			v = replay(t, -10, 10, marked(3), seed)
			require.Equal(
				t, node(leaf, 5, node(leaf, v.R.X, leaf)), v, "leaf to node adds a single node",
			)
		}
		require.True(t, values[8])
		require.False(t, values[5])
		require.Len(t, values, 20, "all but 5")

		// Reroll marks each of them.
		marks := map[string]bool{}
		r := rng(1)
		for range 100 {
			marks[mutate.Reroll(choicesOf(t, node(leaf, 5, leaf)), r).String()] = true
		}
		require.Equal(t, map[string]bool{
			"node!(5, leaf, leaf)": true, "node(5!, leaf, leaf)": true,
			"node(5, leaf!, leaf)": true, "node(5, leaf, leaf!)": true,
		}, marks)
	})
	t.Run("6.2.2 shrinkMut", func(t *testing.T) {
		r := rng(1)
		for range 20 {
			tree := mutate.Shrink(choicesOf(t, twoOf), mutate.SameTag, r)
			require.Equal(t, node(leaf, 4, leaf), replay(t, -10, 10, tree, 1))
		}
	})
	t.Run("6.2.2 swapMut", func(t *testing.T) {
		// The left node and the right leaf are compatible as parts of one type.
		swapped := false
		r := rng(1)
		for seed := range uint64(100) {
			tree := mutate.Swap(choicesOf(t, twoOf), mutate.SameFamily, r)
			if tree.String() != "node(5, leaf, node(4, leaf))" {
				continue
			}
			swapped = true
			// A 4 to the right of 5 is repaired: it becomes one of 6 to 10.
			v := replay(t, -10, 10, tree, seed)
			require.Equal(t, node(leaf, 5, node(leaf, v.R.X, leaf)), v)
			require.Greater(t, v.R.X, 5)
			// Where there is no invariant, it is what it looks like.
			w, _, err := bigen.Run(bsttest.Any(-10, 10, 9), choices.Replay(tree, nil))
			require.NoError(t, err)
			require.Equal(t, node(leaf, 5, node(leaf, 4, leaf)), w)
		}
		require.True(t, swapped)
	})
	t.Run("6.2.3 mutate", func(t *testing.T) {
		v := node(node(node(leaf, 2, leaf), 4, node(leaf, 5, leaf)), 6, node(leaf, 8, leaf))
		tree, err := bigen.Choices(genBST(1, 9), v)
		require.NoError(t, err)
		require.Equal(t, int64(6), tree[1].N)
		tree[1].Reroll = true
		// The root becomes 3, the left child 1, nothing is left of its left child, and
		// its right child becomes 2. What is right of the root stays.
		require.Equal(
			t, node(node(leaf, 1, node(leaf, 2, leaf)), 3, node(leaf, 8, leaf)),
			replay(t, 1, 9, tree, figureSeed),
		)

		// Whatever the root becomes: what is possible stays.
		for seed := range uint64(1000) {
			w := replay(t, 1, 9, tree, seed)
			require.NotEqual(t, 6, w.X)
			if w.X > 5 {
				require.Equal(t, v.L, w.L)
			}
			if w.X < 8 {
				require.Equal(t, v.R, w.R)
			}
			if w.X == 5 {
				require.Equal(t, 4, w.L.X)
				require.Equal(t, v.L.L, w.L.L)
				require.Nil(t, w.L.R)
			}
		}
	})
}

// figureSeed makes the choices of the figure of section 6.2.3.
const figureSeed = 7

// unGenList returns the choices of a tree as a list (section 5.1.1).
func unGenList(t choices.Tree) (tags []string) {
	for _, c := range t {
		if c.Kind == choices.Pick {
			tags = append(tags, c.Tag)
		} else {
			tags = append(tags, strconv.FormatInt(c.N, 10))
		}
	}
	return tags
}
