package minimize_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune"
	"github.com/espalier-go/espalier/bigen/tune/minimize"
	"github.com/espalier-go/espalier/bigen/tune/search"
	"github.com/espalier-go/espalier/choices"
)

// Slices of bytes become about as long as they shall be.
func TestCMA(t *testing.T) {
	t.Parallel()
	g := bigen.SliceOf(bigen.Bool(), 0, 100)
	s := search.Of(g, tune.Measure("length", 20, func(v []bool) float64 { return float64(len(v)) }))
	m := tune.New()
	m.Set(tune.Point{Kind: choices.Pick, Tags: []string{"stop", "more"}, In: tune.Anywhere}, tune.Mixture{
		Share: .5, A: tune.Geometric{P: .5}, B: tune.Geometric{P: .5},
	})
	mean := func(m *tune.Model) float64 {
		sum := 0.0
		require.NoError(t, s.Sample(m, 5, 1000, func(r *search.Run) { sum += r.Measures[0] / 1000 }))
		return sum
	}
	require.Less(t, mean(m), 2.)
	var models []*tune.Model
	for range 2 {
		rounds := 0
		m, err := minimize.CMA(context.Background(), s, m, search.ParametersOptions{Evaluations: 600, Round: 20, Values: 50, Seed: 1, Progress: func(search.Progress) { rounds++ }})
		require.NoError(t, err)
		require.Equal(t, 30, rounds)
		models = append(models, m)
	}
	require.Equal(t, models[0], models[1])
	require.InDelta(t, 20, mean(models[0]), 8)

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m, err := minimize.CMA(ctx, s, m, search.ParametersOptions{})
	require.ErrorIs(t, err, context.Canceled)
	require.NotNil(t, m)
}
