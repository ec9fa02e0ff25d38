package tune_test

import (
	"context"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune"
	"github.com/espalier-go/espalier/examples/trees"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// The parameters of a small model end where they must.
func TestDifferential(t *testing.T) {
	t.Parallel()
	digit := func(n int) float64 { return float64(n) }
	for name, test := range map[string]struct {
		s    *tune.Subject
		m    *tune.Model
		want float64 // the least share of the target

		rounds int
	}{
		"histogram": {
			tune.Of(bigen.IntRange(0, 4), tune.Measure("digit", 3, digit)),
			withSampler(bigen.IntRange(0, 4), tune.Histogram{1, 1, 1, 1, 1}),
			.8, 60,
		},
		"geometric": {
			tune.Of(bigen.SliceOf(bigen.Bool(), 0, 9),
				tune.Measure("length", 9, func(v []bool) float64 { return float64(len(v)) })),
			withSampler(bigen.SliceOf(bigen.Bool(), 0, 9), tune.Geometric{}),
			.9, 10,
		},
		"failures": { // trees, the largest of which fail
			smallTrees(),
			withSampler(trees.Gen(), tune.Decay{Sampler: tune.Geometric{}, Rates: []float64{0}}),
			.05, long.Count(8, 60),
		},
	} {
		t.Run(name, func(t *testing.T) {
			before, _ := within(test.s, test.m, 500)
			m, err := tune.Differential(context.Background(), test.s, test.m, tune.Options{
				Rounds:     test.rounds,
				Values:     30,
				Population: 50,
				Seed:       1,
			})
			require.NoError(t, err)
			after, _ := within(test.s, m, 500)
			t.Logf("%.3f, then %.3f", before, after)
			require.Less(t, before, test.want)
			require.Greater(t, after, test.want)
		})
	}
	require.PanicsWithValue(t, "tune: the model has no parameters: set samplers", func() {
		_, _ = tune.Differential(context.Background(), smallTrees(), tune.New(), tune.Options{})
	})
	require.PanicsWithValue(t, "tune: a population of 7: want at least 8", func() {
		_, _ = tune.Differential(context.Background(), smallTrees(), tune.New(),
			tune.Options{Population: 7})
	})
}
