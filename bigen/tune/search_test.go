package tune_test

import (
	"context"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune"
	"github.com/espalier-go/espalier/examples/trees"
	"github.com/stretchr/testify/require"
)

func smallTrees() *tune.Subject {
	return tune.Of(trees.Gen(), tune.Measure("size", 20, size))
}

// withSampler returns a model with a sampler at the points of a generator.
func withSampler[A any](g bigen.Gen[A], s tune.Sampler) *tune.Model {
	m := tune.New()
	m.SetLimit(200)
	for _, p := range tune.Points(g) {
		p.In = tune.Anywhere
		m.Set(p, s)
	}
	return m
}

func saved(t *testing.T, m *tune.Model) string {
	data, err := m.MarshalJSON()
	require.NoError(t, err)
	return string(data)
}

// optimizers are all optimizers, with few values.
var optimizers = map[string]func(ctx context.Context, seed uint64, share float64, progress func(
	tune.Progress,
)) (*tune.Model, error){
	"CrossEntropy": func(
		ctx context.Context, seed uint64, share float64, progress func(tune.Progress),
	) (*tune.Model, error) {
		return tune.CrossEntropy(ctx, smallTrees(), tune.Options{
			Rounds:   5,
			Values:   60,
			Limit:    40,
			Seed:     seed,
			Share:    share,
			Progress: progress,
		})
	},
	"Differential": func(
		ctx context.Context, seed uint64, share float64, progress func(tune.Progress),
	) (*tune.Model, error) {
		m := withSampler(trees.Gen(), tune.Decay{Sampler: tune.Geometric{}, Rates: []float64{0}})
		return tune.Differential(ctx, smallTrees(), m, tune.Options{
			Population: 20,
			Rounds:     5,
			Seed:       seed,
			Share:      share,
			Progress:   progress,
		})
	},
}

// The same seed repeats a search, and another seed does not.
func TestRepeatable(t *testing.T) {
	t.Parallel()
	for name, optimize := range optimizers {
		t.Run(name, func(t *testing.T) {
			var all []string
			for _, seed := range []uint64{1, 1, 2} {
				m, err := optimize(context.Background(), seed, 0, nil)
				require.NoError(t, err)
				all = append(all, saved(t, m))
			}
			require.Equal(t, all[0], all[1])
			require.NotEqual(t, all[0], all[2])
		})
	}
}

// A search reports its progress, and ends when its values are good enough or its context ends.
func TestProgress(t *testing.T) {
	t.Parallel()
	for name, optimize := range optimizers {
		t.Run(name, func(t *testing.T) {
			var rounds []tune.Progress
			_, err := optimize(context.Background(), 1, 0, func(p tune.Progress) {
				rounds = append(rounds, p)
			})
			require.NoError(t, err)
			require.Len(t, rounds, 5)
			best := 0.0
			for i, p := range rounds {
				best = max(best, p.Within)
				require.Equal(t, i+1, p.Round)
				require.Positive(t, p.Bits)
			}
			require.Positive(t, best)

			last := 0
			m, err := optimize(context.Background(), 1, best, func(p tune.Progress) { last = p.Round })
			require.NoError(t, err)
			require.Equal(t, best, rounds[last-1].Within)
			require.NotNil(t, m)

			ctx, cancel := context.WithCancel(context.Background())
			m, err = optimize(ctx, 1, 0, func(p tune.Progress) {
				last = p.Round
				if last == 2 {
					cancel()
				}
			})
			require.ErrorIs(t, err, context.Canceled)
			require.NotNil(t, m)
			require.Equal(t, 2, last)
		})
	}
}
