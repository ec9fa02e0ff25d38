package search_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune"
	"github.com/espalier-go/espalier/bigen/tune/search"
	"github.com/espalier-go/espalier/examples/trees"
)

func smallTrees() search.Subject {
	return search.Of(trees.Gen(), tune.Measure("size", 20, size))
}

// withSampler returns a model with a sampler at the points of a generator.
func withSampler[A any](g bigen.Gen[A], s tune.Sampler) *tune.Model {
	m := tune.New()
	m.SetLimit(200)
	for _, p := range tune.Inspect(g, rand.New(rand.NewPCG(1, 1)), 300, .1, 1000).Points {
		p.In = tune.Anywhere
		m.Set(p.Point, s)
	}
	return m
}

func saved(t *testing.T, m *tune.Model) string {
	data, err := m.MarshalJSON()
	require.NoError(t, err)
	return string(data)
}

// optimizers are all optimizers, with few values.
var optimizers = map[string]func(ctx context.Context, seed uint64, share float64, progress func(search.Progress)) (*tune.Model, error){
	"CrossEntropy": func(ctx context.Context, seed uint64, share float64, progress func(search.Progress)) (*tune.Model, error) {
		return search.CrossEntropy(ctx, smallTrees(), search.CrossEntropyOptions{Rounds: 5, Values: 300, Limit: 150, Seed: seed, Share: share, Progress: progress})
	},
	"Differential": func(ctx context.Context, seed uint64, share float64, progress func(search.Progress)) (*tune.Model, error) {
		m := withSampler(trees.Gen(), tune.Decay{Sampler: tune.Geometric{}, Rates: []float64{0}})
		return search.Differential(ctx, smallTrees(), m, search.DifferentialOptions{Population: 20, Evaluations: 100, Seed: seed, Share: share, Progress: progress})
	},
	"ValidEntropy": func(ctx context.Context, seed uint64, share float64, progress func(search.Progress)) (*tune.Model, error) {
		return search.ValidEntropy(ctx, smallTrees(), search.EntropyOptions{Rounds: 5, Values: 300, Limit: 150, Contexts: true, Seed: seed, Share: share, Progress: progress})
	},
	"Parameters": func(ctx context.Context, seed uint64, share float64, progress func(search.Progress)) (*tune.Model, error) {
		m := withSampler(trees.Gen(), tune.Decay{Sampler: tune.Geometric{P: .5}, Rates: []float64{.5}})
		return search.Parameters(ctx, smallTrees(), m, walk(seed), search.ParametersOptions{Evaluations: 100, Round: 20, Values: 20, Seed: seed, Share: share, Progress: progress})
	},
}

// walk returns a minimizer that takes random steps from the best point so far.
func walk(seed uint64) search.Minimizer {
	return func(from []float64, cost func(z []float64) float64, more func() bool) error {
		r := rand.New(rand.NewPCG(seed, 9))
		best, least := from, cost(from)
		for more() {
			z := slices.Clone(best)
			for i := range z {
				z[i] += r.NormFloat64() / 2
			}
			if c := cost(z); c < least {
				best, least = z, c
			}
		}
		return nil
	}
}

// A seed repeats a search, another one differs.
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

// A search tells how far it is, ends when its values are good enough, and when its context ends.
func TestProgress(t *testing.T) {
	t.Parallel()
	for name, optimize := range optimizers {
		t.Run(name, func(t *testing.T) {
			var rounds []search.Progress
			_, err := optimize(context.Background(), 1, 0, func(p search.Progress) { rounds = append(rounds, p) })
			require.NoError(t, err)
			require.Len(t, rounds, rounds[0].Rounds)
			best := 0.0
			for i, p := range rounds {
				best = max(best, p.Within)
				require.Equal(t, i+1, p.Round)
				require.Equal(t, best, p.Best)
				require.Positive(t, p.Bits)
			}
			require.Positive(t, best)

			last := 0
			m, err := optimize(context.Background(), 1, best, func(p search.Progress) { last = p.Round })
			require.NoError(t, err)
			require.Equal(t, best, rounds[last-1].Within)
			require.NotNil(t, m)

			ctx, cancel := context.WithCancel(context.Background())
			m, err = optimize(ctx, 1, 0, func(p search.Progress) {
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

func rng(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }
