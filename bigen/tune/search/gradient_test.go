package search_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune"
	"github.com/espalier-go/espalier/bigen/tune/search"
	"github.com/espalier-go/espalier/examples/trees"
	"github.com/espalier-go/espalier/internal/testing/long"
)

// probabilities returns how probable values are.
func probabilities[A comparable](t *testing.T, m *tune.Model, g bigen.Gen[A]) map[A]float64 {
	t.Helper()
	seen := map[A]float64{}
	run, r := tune.NewRunner(m), rng(5)
	n := long.Count(1_000, 100_000)
	for range n {
		v, _, err := tune.Make(run, g, r)
		require.NoError(t, err)
		seen[v] += 1 / float64(n)
	}
	return seen
}

// Models have the greatest entropy that there is, where it is known.
func TestEntropy(t *testing.T) {
	t.Parallel()
	digit := func(n int) bool { return n < 5 }
	// 0 by one way, 10 to 13 by another
	g := bigen.Pick(
		bigen.Tag("zero", bigen.Just(0)).Weight(9),
		bigen.Tag("more", bigen.IntRange(10, 13)))
	skewed := bigen.Pick(
		bigen.Tag("a", bigen.Just(0)).Weight(9),
		bigen.Tag("b", bigen.Just(1)),
		bigen.Tag("c", bigen.Just(2)),
		bigen.Tag("d", bigen.Just(9)))
	two := bigen.Pick(bigen.Tag("good", bigen.Just(1)).Weight(3), bigen.Tag("bad", bigen.Just(9)))
	// What a filter throws away is not part of the value, but of what makes it.
	filtered := bigen.SuchThat(bigen.IntRange(0, 5), func(n int) bool { return n%2 == 0 })
	for name, test := range map[string]struct {
		s       search.Subject
		g       bigen.Gen[int]
		valid   bool
		want    map[int]float64
		entropy float64
	}{
		"choices":   {search.Of(g), g, false, map[int]float64{0: .2, 10: .2, 11: .2, 12: .2, 13: .2}, math.Log2(5)},
		"all valid": {search.Of(g), g, true, map[int]float64{0: .2, 10: .2, 11: .2, 12: .2, 13: .2}, math.Log2(5)},
		"invalid":   {search.OfValid(skewed, digit), skewed, true, map[int]float64{0: 1. / 3, 1: 1. / 3, 2: 1. / 3, 9: 0}, math.Log2(3)},
		"unheeded":  {search.OfValid(skewed, digit), skewed, false, map[int]float64{0: .25, 1: .25, 2: .25, 9: .25}, 1.5},
		"one":       {search.OfValid(two, digit), two, true, map[int]float64{1: 1 / math.E, 9: 1 - 1/math.E}, math.Log2(math.E) / math.E},
		"objective": {search.Of(g, tune.Measure("v", 11, func(n int) float64 { return float64(n) })), g, true, map[int]float64{0: 0, 10: 1. / 3, 11: 1. / 3, 12: 1. / 3}, math.Log2(3)},
		"filter":    {search.Of(filtered), filtered, true, map[int]float64{0: 1. / 3, 2: 1. / 3, 4: 1. / 3}, math.Log2(6)},
	} {
		t.Run(name, func(t *testing.T) {
			var last search.Progress
			o := search.EntropyOptions{Rounds: 150, Values: 400, Seed: 1, Progress: func(p search.Progress) { last = p }}
			optimize := search.Entropy
			if test.valid {
				optimize = search.ValidEntropy
			}
			m, err := optimize(context.Background(), test.s, o)
			require.NoError(t, err)
			got := probabilities(t, m, test.g)
			for v, want := range test.want {
				require.InDelta(t, want, got[v], .04, "%d: %v", v, got)
			}
			require.InDelta(t, test.entropy, last.Entropy, .1)
		})
	}
}

// Values that meet objectives become more various, and still meet them.
func TestEntropyOfGoal(t *testing.T) {
	t.Parallel()
	s := search.Of(trees.Gen(), tune.Measure("size", 20, size), tune.Measure("height", 8, height))
	m, err := search.CrossEntropy(context.Background(), s, search.CrossEntropyOptions{Seed: 1, Limit: 200})
	require.NoError(t, err)
	_, before := within(t, s, m, 1000)
	m, err = search.ValidEntropy(context.Background(), s, search.EntropyOptions{Seed: 1, From: m, Rounds: 60, Values: 300})
	require.NoError(t, err)
	share, after := within(t, s, m, 1000)
	t.Logf("%.1f bits, then %.1f", before, after)
	require.Greater(t, share, .95)
	require.Greater(t, after, 1.05*before)
}
