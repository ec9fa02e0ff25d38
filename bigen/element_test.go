package bigen_test

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/stretchr/testify/require"
)

// A choice says whether it was asked if a sequence has another element, forward and backward. A
// user's own pick of the same tags is none of these.
func TestElement(t *testing.T) {
	elements := func(tree choices.Tree) (n, picks int) {
		for i := range tree {
			if tree[i].Element {
				n++
			}
			if tree[i].Kind == choices.Pick {
				picks++
			}
		}
		return n, picks
	}
	small := bigen.IntRange(0, 9)
	own := bigen.Pick(bigen.Tag("stop", small), bigen.Tag("more", small), bigen.Tag("other", small))
	two := bigen.Pick(bigen.Tag("stop", small), bigen.Tag("more", small))
	all := func(t *testing.T, want bool, tree choices.Tree) {
		n, picks := elements(tree)
		if !want {
			picks = 0
		}
		require.Equal(t, picks, n, "%v", tree)
	}
	t.Run("SliceOf", func(t *testing.T) { testElements(t, bigen.SliceOf(small, 1, 5), true, all) })
	t.Run("Distinct", func(t *testing.T) {
		testElements(t, bigen.Distinct(small, 1, 5), true, all)
	})
	t.Run("SetOf", func(t *testing.T) { testElements(t, bigen.SetOf(small, 0, 5), true, all) })
	t.Run("Matching", func(t *testing.T) { testElements(t, bigen.Matching(`(a[bc])*`), true, all) })
	t.Run("a derived slice", func(t *testing.T) { testElements(t, bigen.For[[]int](), true, all) })
	t.Run("a derived map", func(t *testing.T) {
		testElements(t, bigen.For[map[int]int](), true, all)
	})
	t.Run("a pick of three", func(t *testing.T) { testElements(t, own, false, all) })
	t.Run("a pick of two", func(t *testing.T) { testElements(t, two, false, all) })
	t.Run("steps", func(t *testing.T) {
		testElements(t, genBrackets(
			3, false, new(int),
		), true, func(t *testing.T, _ bool, tree choices.Tree) {
			for i := range tree { // an element, then which step it is
				require.Equal(
					t, tree[i].Tag == "more" || tree[i].Tag == "stop", tree[i].Element, "%v", tree,
				)
			}
		})
	})
}

func testElements[A any](
	t *testing.T, g bigen.Gen[A], want bool, check func(*testing.T, bool, choices.Tree),
) {
	r := rng(1)
	picks := 0
	for range 50 {
		v, made, err := bigen.Run(g, choices.Random(r))
		require.NoError(t, err)
		check(t, want, made)
		read, err := bigen.Choices(g, v)
		require.NoError(t, err)
		check(t, want, read)
		again, err := bigen.Value(g, choices.FromBytes(choices.Encode(made)))
		require.NoError(t, err)
		require.Equal(t, v, again)
		picks += len(made)
	}
	require.NotZero(t, picks)
}
