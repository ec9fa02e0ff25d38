package bigen_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
	"github.com/espalier-go/espalier/mutate"
	"github.com/stretchr/testify/require"
)

// manipulate is manipulate of "Bigenerators, Exposed!", section 6.2.3.
func manipulate(
	t choices.Tree, r *rand.Rand,
) choices.Tree {
	return mutate.Any(t, mutate.SameTag, r)
}

// Mutants are valid, differ from the value more often than not, and keep most of it.
func TestMutate(t *testing.T) {
	g := bsttest.Gen(0, 99)
	r := rng(1)
	differ, kept, all := 0, 0, 0
	for range 500 {
		v := bsttest.Random(r, 10, 0, 99)
		w, err := bigen.Mutate(g, v, manipulate, r)
		require.NoError(t, err)
		require.True(t, w.Valid(0, 99))
		if fmt.Sprint(v.Keys()) != fmt.Sprint(w.Keys()) {
			differ++
		}
		kept, all = kept+v.Kept(w), all+10
	}
	require.Greater(t, differ, 300)
	require.Greater(t, kept, all/2)

	_, err := bigen.Mutate(g, node(nil, 100, nil), manipulate, r)
	require.EqualError(t, err, "not produced by the generator: at /node/X: 100 not in [0,99]")
}

// Each way of making a value is edited equally often.
func TestMutateWays(t *testing.T) {
	g := bigen.Pick(
		bigen.Tag("bit", bigen.IntRange(0, 1)),
		bigen.Tag("digit", bigen.IntRange(0, 9)),
		bigen.Tag("sign", bigen.Pick(
			bigen.Tag("plus", bigen.IntRange(0, 2)), bigen.Tag("minus", bigen.IntRange(-9, 1)),
		)),
	)
	ways := map[string]int{}
	note := func(t choices.Tree, _ *rand.Rand) choices.Tree {
		ways[t.String()]++
		return t
	}
	const n = 4000
	r := rng(1)
	for range n {
		v, err := bigen.Mutate(g, 1, note, r)
		require.NoError(t, err)
		require.Equal(t, 1, v)
	}
	require.Len(t, ways, 4)
	for way, k := range ways {
		require.InDelta(t, n/4, k, n/16, way)
	}
}

// An edit that leads to nothing is made again.
func TestMutateRejected(t *testing.T) {
	g := bigen.SuchThat(bigen.IntRange(0, 9), even)
	asked := 0
	odd := func(t choices.Tree, _ *rand.Rand) choices.Tree {
		if asked++; asked < 3 {
			return choices.Tree{{Kind: choices.Int, Slot: t[0].Slot, N: 5, Size: 1}}
		}
		return t
	}
	_, err := bigen.Mutate(g, 4, odd, rng(1))
	require.NoError(t, err)

	fussy, strict := bigen.Bool(), false
	fussy = bigen.SuchThat(fussy, func(bool) bool { return !strict })
	_, err = bigen.Mutate(fussy, true, func(t choices.Tree, _ *rand.Rand) choices.Tree {
		strict = true
		return t
	}, rng(1))
	require.ErrorIs(t, err, bigen.ErrRejected)
}

// A mutation of a search tree is a search tree, with most of it kept.
func ExampleMutate() {
	type Tree = bsttest.Tree
	tree := &Tree{L: &Tree{X: 2}, X: 5, R: &Tree{X: 7}}
	r := rand.New(rand.NewPCG(1, 1))
	for range 4 {
		mutant, err := bigen.Mutate(bsttest.Gen(0, 9), tree, mutate.Reroll, r)
		fmt.Println(mutant.Keys(), err)
	}
	// Output:
	// [2 5 7 9] <nil>
	// [2 5 7 9] <nil>
	// [2 5 6 7] <nil>
	// [2 3 5 7] <nil>
}
