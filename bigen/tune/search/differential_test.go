package search_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune"
	"github.com/espalier-go/espalier/bigen/tune/search"
	"github.com/espalier-go/espalier/examples/trees"
)

// within returns the share of n values that are within a tenth of all targets, and their mean
// information.
func within(t *testing.T, s search.Subject, m *tune.Model, n int) (share, bits float64) {
	t.Helper()
	hits := 0
	require.NoError(t, s.Sample(m, 77, n, func(r *search.Run) {
		bits += r.Bits / float64(n)
		if r.Failed {
			return
		}
		for i, o := range s.Objectives() {
			if o.Distance(r.Measures[i]) > .1+1e-9 {
				return
			}
		}
		hits++
	}))
	return float64(hits) / float64(n), bits
}

// The parameters of a small model end where they must.
func TestDifferential(t *testing.T) {
	t.Parallel()
	digit := func(n int) float64 { return float64(n) }
	for name, test := range map[string]struct {
		s    search.Subject
		m    *tune.Model
		want float64 // the share of the target, at least
	}{
		"histogram": {
			search.Of(bigen.IntRange(0, 4), tune.Measure("digit", 3, digit)),
			withSampler(bigen.IntRange(0, 4), tune.Histogram{1, 1, 1, 1, 1}),
			.8,
		},
		"geometric": {
			search.Of(bigen.SliceOf(bigen.Bool(), 0, 9), tune.Measure("length", 9, func(v []bool) float64 { return float64(len(v)) })),
			withSampler(bigen.SliceOf(bigen.Bool(), 0, 9), tune.Geometric{}),
			.95,
		},
		"failures": { // trees of which the largest fail
			smallTrees(),
			withSampler(trees.Gen(), tune.Decay{Sampler: tune.Geometric{}, Rates: []float64{0}}),
			.05,
		},
	} {
		t.Run(name, func(t *testing.T) {
			before, _ := within(t, test.s, test.m, 1000)
			m, err := search.Differential(context.Background(), test.s, test.m, search.DifferentialOptions{Evaluations: 3000, Values: 30, Population: 50, Seed: 1})
			require.NoError(t, err)
			after, _ := within(t, test.s, m, 1000)
			t.Logf("%.3f, then %.3f", before, after)
			require.Less(t, before, test.want)
			require.Greater(t, after, test.want)
		})
	}
	require.PanicsWithValue(t, "search: the model has no parameters: set samplers", func() {
		_, _ = search.Differential(context.Background(), smallTrees(), tune.New(), search.DifferentialOptions{})
	})
	require.PanicsWithValue(t, "search: a population of 7: want at least 8", func() {
		_, _ = search.Differential(context.Background(), smallTrees(), tune.New(), search.DifferentialOptions{Population: 7})
	})
}
