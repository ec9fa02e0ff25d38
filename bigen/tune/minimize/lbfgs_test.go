package minimize_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune/minimize"
	"github.com/espalier-go/espalier/bigen/tune/predict"
)

type leafy struct{ L, R *leafy }

// genLeafy makes the trees of DRAGEN, section 2.
func genLeafy() bigen.Gen[*leafy] {
	return bigen.Pick(
		bigen.Tag("LeafA", bigen.Nil[leafy]()),
		bigen.Tag("LeafB", bigen.Nil[leafy]()),
		bigen.Tag("LeafC", bigen.Nil[leafy]()),
		bigen.Tag("Node", bigen.New(func(c *bigen.C, t *leafy) {
			bigen.At(c, &t.L, bigen.Lazy(genLeafy))
			bigen.At(c, &t.R, bigen.Lazy(genLeafy))
		})))
}

// The costs of DRAGEN's Table 1: what its own local search has found is no better.
func TestWeights(t *testing.T) {
	t.Parallel()
	g, err := predict.Read(genLeafy())
	require.NoError(t, err)
	for _, c := range []struct {
		name string
		cost predict.Cost
		want float64 // the cost
	}{
		{"uniform", predict.Uniform(10), 9.025},
		{"weighted leaves", predict.Weighted(map[string]float64{"LeafA": 3, "LeafB": 1, "LeafC": 1}, 10), 0},
		{"weighted node", predict.Weighted(map[string]float64{"LeafA": 1, "Node": 3}, 10), 0},
		{"only", predict.Only(10, "LeafA", "Node"), 0.05},
		{"without", predict.Without(10, "LeafC"), 2.7},
		{"custom", predict.Custom(10, func(count func(string) float64) float64 {
			return (count("Node") - 2*count("LeafA")) * (count("Node") - 2*count("LeafA"))
		}), 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, err := minimize.Weights(g, c.cost)
			require.NoError(t, err)
			t.Log(w.Cost, w.Evaluations, g.With(w.Weights).Expect(10))
			require.InDelta(t, c.want, w.Cost, 1e-4+0.005*c.want)
			for _, count := range g.With(w.Weights).Expect(10) {
				switch excluded := c.name == "only" && count.Tag != "LeafA" && count.Tag != "Node" || c.name == "without" && count.Tag == "LeafC"; {
				case excluded:
					require.Zero(t, count.Mean, count)
				default:
					require.Greater(t, count.Mean, 0.0, count)
				}
			}
		})
	}
	_, err = minimize.Weights(g, predict.Only(10, "Node"))
	require.EqualError(t, err, "predict: no value ends with these constructors only: Node")
	require.False(t, math.IsNaN(g.Growth()))
}
