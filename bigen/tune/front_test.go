package tune_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune"
	"github.com/stretchr/testify/require"
)

// digits has two objectives that cannot both be met: 10, and 10 less.
func digits() *tune.Subject {
	return tune.Of(bigen.IntRange(0, 10),
		tune.Measure("high", 10, func(n int) float64 { return float64(n) }),
		tune.Measure("low", 10, func(n int) float64 { return float64(10 - n) }))
}

// The front of two objectives of which one loses what the other wins is a line, and both ends of it
// are found.
func TestFront(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		o := tune.Options{Rounds: 8, Values: 200, Population: 9, Seed: seed}
		all, err := tune.Front(context.Background(), digits(), o)
		require.NoError(t, err)
		require.LessOrEqual(t, len(all), 9)
		require.Greater(t, len(all), 4)
		for _, c := range all {
			require.InDelta(t, 1, c.Costs[0]+c.Costs[1], 1e-9)
			require.InDelta(t, 10, c.Means[0]+c.Means[1], 1e-9)
		}
		require.Less(t, all[0].Costs[0], .05)
		require.Less(t, all[len(all)-1].Costs[1], .05)
		again, err := tune.Front(context.Background(), digits(), o)
		require.NoError(t, err)
		for i, c := range all {
			require.Equal(t, saved(t, c.Model), saved(t, again[i].Model))
		}
	}
}

// Validity competes with a size if only small values are valid.
func TestFrontOfValid(t *testing.T) {
	t.Parallel()
	s := tune.OfValid(bigen.IntRange(0, 10), func(n int) bool { return n != 10 && n != 9 },
		tune.Measure("high", 10, func(n int) float64 { return float64(n) }), tune.Valid())
	all, err := tune.Front(context.Background(), s, tune.Options{Rounds: 8, Values: 200})
	require.NoError(t, err)
	require.Greater(t, all[0].Means[0], 7.5)
	last := all[len(all)-1]
	require.Greater(t, last.Means[1], .95)
	require.InDelta(t, 1-last.Means[1], last.Costs[1], 1e-9)
}

// No compromise of a front is better than another one in all objectives, what is left out is worse
// than one of them or one too many, and the best of each objective remains.
func TestFrontHasTheBest(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 0))
	better := func(a, b []float64) bool {
		less := false
		for k := range a {
			if a[k] > b[k] {
				return false
			}
			less = less || a[k] < b[k]
		}
		return less
	}
	for range 300 {
		objectives, most := 2+r.IntN(2), 2+r.IntN(40)
		costs := make([][]float64, 1+r.IntN(30))
		for i := range costs {
			for range objectives {
				costs[i] = append(costs[i], float64(r.IntN(6)))
			}
		}
		all := tune.Best(costs, max(most, 2*objectives))
		for _, c := range costs {
			kept, worse := false, false
			for _, b := range all {
				require.False(t, better(c, b))
				kept, worse = kept || !better(b, c) && !better(c, b), worse || better(b, c)
			}
			require.True(t, kept || worse)
		}
		for k := range objectives {
			least := func(of [][]float64) float64 {
				x := of[0][k]
				for _, c := range of {
					x = min(x, c[k])
				}
				return x
			}
			require.Equal(t, least(costs), least(all))
		}
	}
}

func TestFrontEnds(t *testing.T) {
	t.Parallel()
	one := digits()
	one.Objectives = one.Objectives[:1]
	require.PanicsWithValue(t, "tune: a front of 1 objectives: want at least 2", func() {
		_, _ = tune.Front(context.Background(), one, tune.Options{})
	})
	ctx, cancel := context.WithCancel(context.Background())
	all, err := tune.Front(ctx, digits(), tune.Options{Rounds: 5, Values: 50,
		Progress: func(p tune.Progress) {
			if p.Round == 3 {
				cancel()
			}
		}})
	require.ErrorIs(t, err, context.Canceled)
	require.NotEmpty(t, all)
}
