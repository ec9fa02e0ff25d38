package expr_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune/predict"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// How many operators, parentheses and digits has an expression? The generator is a function
// of a depth, which Read finds out.
func Example_predict() {
	g, err := predict.Read(genExpr(depth))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range g.Expect(predict.Unlimited)[:10] {
		fmt.Printf("%-8s %.2f\n", c.Tag, c.Mean)
	}
	picks, _ := g.ExpectTags(predict.Unlimited)
	fmt.Printf("picks    %.2f\n", picks)
	// Output:
	// term     2.55
	// plus     2.55
	// minus    2.55
	// factor   4.03
	// times    4.03
	// div      4.03
	// digits   3.63
	// pos      3.63
	// neg      3.63
	// parens   3.63
	// picks    54.52
}

func TestPredict(t *testing.T) {
	t.Parallel()
	g, err := predict.Read(genExpr(depth))
	require.NoError(t, err)
	runs := long.Count(200, 50_000)
	r := rand.New(rand.NewPCG(1, 1))
	observed := map[string]float64{}
	for range runs {
		_, tree, err := bigen.Run(genExpr(depth), choices.Random(r))
		require.NoError(t, err)
		for _, c := range tree {
			if c.Kind == choices.Pick {
				observed[c.Tag] += 1 / float64(runs)
			}
		}
	}
	for tag, n := range observed {
		mean, variance := g.ExpectTags(predict.Unlimited, tag)
		require.InDelta(t, mean, n, 4.5*math.Sqrt(variance/float64(runs)), tag)
	}
}

// Whether a divisor is zero depends on all of its parts.
func TestNotPredicted(t *testing.T) {
	t.Parallel()
	_, err := predict.Read(genDefined(depth))
	require.ErrorIs(t, err, predict.ErrContext)
	require.ErrorContains(t, err, "a filter threw away a value")
}
