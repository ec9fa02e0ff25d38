package proportion

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// The values of Wilson are as QuickCheck's wilsonLow and wilsonHigh give them; the values of Exact
// are from tables of the beta distribution.
func TestIntervals(t *testing.T) {
	for _, tt := range []struct {
		of     func(k, n int, doubt float64) (lo, hi float64)
		k, n   int
		doubt  float64
		lo, hi float64
	}{
		{Wilson, 50, 100, 0.05, 0.403832, 0.596168},
		{Wilson, 0, 10, 0.05, 0, 0.277533},
		{Wilson, 10, 10, 0.05, 0.722467, 1},
		{Wilson, 1, 20, 0.05, 0.008881, 0.236131},
		{Exact, 50, 100, 0.05, 0.398321, 0.601679},
		{Exact, 0, 10, 0.05, 0, 0.308497},
		{Exact, 10, 10, 0.05, 0.691503, 1},
		{Exact, 1, 20, 0.05, 0.001265, 0.248733},
	} {
		lo, hi := tt.of(tt.k, tt.n, tt.doubt)
		require.InDelta(t, tt.lo, lo, 2e-6, "%v", tt)
		require.InDelta(t, tt.hi, hi, 2e-6, "%v", tt)
	}
}

// The ends of Exact are where the tails of the binomial distribution have half of the doubt.
func TestExactTails(t *testing.T) {
	tail := func(from, to, n int, p float64) (sum float64) { // P(from <= X <= to)
		for k := from; k <= to; k++ {
			a, _ := math.Lgamma(float64(n + 1))
			b, _ := math.Lgamma(float64(k + 1))
			c, _ := math.Lgamma(float64(n - k + 1))
			sum += math.Exp(a - b - c + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
		}
		return sum
	}
	for _, n := range []int{1, 2, 7, 100, 5000} {
		for _, k := range []int{0, 1, n / 3, n / 2, n - 1, n} {
			for _, doubt := range []float64{0.1, 1e-3, 1e-9} {
				lo, hi := Exact(k, n, doubt)
				require.LessOrEqual(t, lo, float64(k)/float64(n))
				require.GreaterOrEqual(t, hi, float64(k)/float64(n))
				if k > 0 {
					require.InEpsilon(t, doubt/2, tail(k, n, n, lo), 1e-2, "%d of %d", k, n)
				}
				if k < n {
					require.InEpsilon(t, doubt/2, tail(0, k, n, hi), 1e-2, "%d of %d", k, n)
				}
			}
		}
	}
}
