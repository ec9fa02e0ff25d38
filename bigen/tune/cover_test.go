package tune_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune"
	"github.com/stretchr/testify/require"
)

// stairs returns the steps that digits climb: each needs one digit after the step before.
func stairs(digits []int) (steps []int) {
	for _, d := range digits {
		if d == len(steps)%3 {
			steps = append(steps, len(steps))
		}
	}
	return steps
}

// Values tuned to cover climb higher than those of the generator's own weights, and Differential
// finds weights that cover as much as any.
func TestCover(t *testing.T) {
	t.Parallel()
	g := bigen.SliceOf(bigen.IntRange(0, 9), 0, 30)
	s := tune.Of(g, tune.Cover("steps", stairs))
	covered := func(m *tune.Model) int {
		all := map[int]bool{}
		s.Sample(m, 99, 200, func(r *tune.Run) {
			steps := stairs(r.Value.([]int))
			require.Equal(t, float64(len(steps)), r.Measures[0])
			for _, step := range steps {
				all[step] = true
			}
		})
		return len(all)
	}
	own := covered(tune.New())
	m, err := tune.CrossEntropy(context.Background(), s, tune.Options{Rounds: 10, Values: 300})
	require.NoError(t, err)
	require.Greater(t, covered(m), own+3)
	m, err = tune.Differential(context.Background(), s,
		withSampler(g, tune.Histogram(make([]float64, 10))),
		tune.Options{Population: 8, Rounds: 20})
	require.NoError(t, err)
	require.Greater(t, covered(m), own)
	require.Equal(t, "steps", s.Objectives[0].String())
}

// A value leads by its share of what all cover: alone, or with others.
func TestRank(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		covers [][]int
		order  []float64
	}{
		{[][]int{{1}, {2}}, []float64{0, .5}},                                 // equal shares
		{[][]int{{1, 2}, {1, 2}, {3}, {}}, []float64{0, .25, .5, .75}},        // 1, 1, 1, 0
		{[][]int{{1}, {1, 2, 3}, {1, 2, 3}, {4}}, []float64{.75, 0, .25, .5}}, // 1/3, 4/3, 4/3, 1
		{[][]int{{1, 2}, {1, 2}, {1, 2}, {9}}, []float64{.25, .5, .75, 0}},    // 2/3, 2/3, 2/3, 1
	} {
		require.Equal(t, test.order, tune.Ranked(test.covers), "%v", test.covers)
	}
}

// A value has a feature more if an answer occurs in new surroundings, or about twice as often.
func TestVariety(t *testing.T) {
	t.Parallel()
	g := bigen.SliceOf(bigen.Bool(), 0, 9)
	features := map[string]float64{}
	s := tune.Of(g, tune.Variety())
	s.Sample(tune.New(), 1, 20_000, func(r *tune.Run) {
		features[fmt.Sprint(r.Value)] = r.Measures[0]
	})
	require.Equal(t, []float64{1, 3, 5, 7, 7, 9}, []float64{features["[]"], features["[true]"],
		features["[true true]"], features["[true true true]"], features["[true true true true]"],
		features["[true true true true true]"]})
	require.Equal(t, features["[true false]"], features["[false true]"])
	require.Equal(t, features["[true true true true]"]+1, features["[true true true false]"])
}

// Values tuned for variety have more features together than as many by the generator's own weights.
func TestVarietyGrows(t *testing.T) {
	t.Parallel()
	g := bigen.SliceOf(bigen.SliceOf(bigen.IntRange(0, 99), 0, 3), 0, 30)
	s := tune.Of(g, tune.Variety())
	different := func(m *tune.Model) int {
		all := map[int]bool{}
		s.Sample(m, 99, 200, func(r *tune.Run) {
			for _, f := range tune.FeaturesOf(r.Tree) {
				all[f] = true
			}
		})
		return len(all)
	}
	m, err := tune.CrossEntropy(context.Background(), s, tune.Options{Rounds: 5, Values: 300})
	require.NoError(t, err)
	require.Greater(t, different(m), different(tune.New())*11/10)
}
