package predict_test

import (
	"context"
	"math"
	"testing"

	"github.com/espalier-go/espalier/bigen/tune/predict"
	"github.com/stretchr/testify/require"
)

// The costs of DRAGEN's Table 1: the results of its own local search are no better.
func TestFit(t *testing.T) {
	t.Parallel()
	g, err := predict.Read(genABC(1, 1, 1, 1))
	require.NoError(t, err)
	for _, c := range []struct {
		name string
		cost predict.Cost
		want float64 // the cost
	}{
		{"uniform", predict.Uniform(10), 9.025},
		{"weighted leaves",
			predict.Weighted(map[string]float64{"LeafA": 3, "LeafB": 1, "LeafC": 1}, 10), 0},
		{"weighted node", predict.Weighted(map[string]float64{"LeafA": 1, "Node": 3}, 10), 0},
		{"only", predict.Only(10, "LeafA", "Node"), 0.05},
		{"without", predict.Without(10, "LeafC"), 2.7},
	} {
		t.Run(c.name, func(t *testing.T) {
			fitted, cost, err := g.Fit(t.Context(), c.cost)
			require.NoError(t, err)
			t.Log(cost, fitted.Expect(10))
			require.InDelta(t, c.want, cost, 1e-4+0.005*c.want)
			for _, count := range fitted.Expect(10) {
				switch excluded := c.name == "only" && count.Tag != "LeafA" &&
					count.Tag != "Node" || c.name == "without" && count.Tag == "LeafC"; {
				case excluded:
					require.Zero(t, count.Mean, count)
				default:
					require.Greater(t, count.Mean, 0.0, count)
				}
			}
		})
	}
	_, _, err = g.Fit(t.Context(), predict.Only(10, "Node"))
	require.EqualError(t, err, "predict: no value ends with these constructors only: Node")
	require.False(t, math.IsNaN(g.Growth()))
	ended, end := context.WithCancel(t.Context())
	end()
	fitted, _, err := g.Fit(ended, predict.Uniform(1<<14)) // which would take minutes
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, g.Weights(), fitted.Weights())
}
