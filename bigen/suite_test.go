package bigen_test

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/bias"
	"github.com/espalier-go/espalier/choices/combinations"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

func TestMine(t *testing.T) {
	g := bsttest.Gen(0, 9)
	f, err := bigen.Mine(g, &bsttest.Tree{X: 5}, nil, &bsttest.Tree{X: 5, R: &bsttest.Tree{X: 7}})
	require.NoError(t, err)
	require.Equal(t, "6 leaf\n3 node\n2 5\n1 7\n", f.String())

	f, err = bigen.Mine(g)
	require.NoError(t, err)
	require.Empty(t, f)
	require.NotNil(t, f, "to be added to")

	_, err = bigen.Mine(g, nil, &bsttest.Tree{X: 5, L: &bsttest.Tree{X: 7}})
	require.ErrorIs(t, err, bigen.ErrNotProduced)
	require.EqualError(
		t, err, "value 1: not produced by the generator: at /node/L/node/X: 7 not in [0,4]",
	)
}

func TestMineModel(t *testing.T) {
	g := bsttest.Gen(0, 9)
	example := &bsttest.Tree{X: 5, L: &bsttest.Tree{X: 2}, R: &bsttest.Tree{X: 7}}
	m, err := bigen.MineModel(g, example, example)
	require.NoError(t, err)
	for seed := range uint64(20) {
		v, err := bigen.Value(g, choices.RandomBy(rng(seed), m.Prior()))
		require.NoError(t, err)
		require.Equal(t, example, v)
	}

	m, err = bigen.MineModel(g)
	require.NoError(t, err)
	require.NotNil(t, m, "to be added to")

	_, err = bigen.MineModel(g, nil, &bsttest.Tree{X: 5, L: &bsttest.Tree{X: 7}})
	require.ErrorIs(t, err, bigen.ErrNotProduced)
	require.EqualError(
		t, err, "value 1: not produced by the generator: at /node/L/node/X: 7 not in [0,4]",
	)
}

func TestThin(t *testing.T) {
	g := bsttest.Gen(0, 9)
	r := rng(1)
	var suite []*bsttest.Tree
	for range long.Count(100, 300) {
		suite = append(suite, bigen.Sample(g, r))
	}
	covered := func(strength int, trees []*bsttest.Tree) int {
		c := combinations.New(strength, nil)
		for _, tree := range trees {
			choicesOf, err := bigen.Choices(g, tree)
			require.NoError(t, err)
			c.Add(choicesOf)
		}
		return c.Len()
	}
	for strength := 1; strength <= 3; strength++ {
		thin, err := bigen.Thin(g, suite, strength)
		require.NoError(t, err)
		require.Less(t, len(thin), len(suite)*2/3)
		require.Equal(t, covered(strength, suite), covered(strength, thin))
		require.Less(t, covered(strength, thin[1:]), covered(strength, thin))
	}
	_, err := bigen.Thin(g, []*bsttest.Tree{nil, {X: 10}}, 2)
	require.EqualError(
		t, err, "value 1: not produced by the generator: at /node/X: 10 not in [0,9]",
	)
	require.Panics(t, func() { _, _ = bigen.Thin(g, suite, 0) })
}

// The best of several covers more than any.
func TestSampleNew(t *testing.T) {
	g := bsttest.Gen(0, 9)
	lens := map[int]int{}
	for _, n := range []int{1, 20} {
		for seed := range uint64(10) {
			r := rng(seed)
			c := combinations.New(3, nil)
			for range 10 {
				require.NoError(t, bigen.Check(g, bigen.SampleNew(g, r, c, n)))
			}
			lens[n] += c.Len()
		}
	}
	require.Greater(t, lens[20], lens[1]*5/4)

	c := combinations.New(1, nil)
	never := bigen.SuchThat(bigen.Bool(), func(bool) bool { return false })
	require.Panics(t, func() { bigen.SampleNew(never, rng(1), c, 3) })
	require.Panics(t, func() { bigen.SampleNew(bigen.Bool(), rng(1), c, 0) })
	require.True(t, bigen.SampleNew(
		bigen.Bool(), rng(1), c, 3,
		bias.Weighted(func(tag string, _ float64) float64 { return float64(len(tag) % 5) }),
	))
}
