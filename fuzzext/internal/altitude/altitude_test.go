package altitude

import (
	"math"
	"testing"

	"github.com/espalier-go/espalier/internal/testing/require"
)

func TestOf(t *testing.T) {
	scores := []float64{math.Inf(-1), -math.MaxFloat64, -1e6, -1000, -100, -10, -8, -7, -3, -1.5, -.5, 0, .5, 1, 2, 7.5, 8, 10, 100, 1000, 1e6, 1e9, math.MaxFloat64, math.Inf(1)}
	last := 0
	for _, s := range scores {
		a := Of(s)
		require.True(t, a >= last && a < Altitudes, "%v: %d after %d", s, a, last)
		last = a
	}
	for n := 8.0; n < 1e9; n *= 1.26 {
		require.Less(t, Of(n), Of(1.26*n), "%v", n)
		require.Less(t, Of(-1.26*n), Of(-n), "%v", n)
	}
	for n := range 8 {
		require.Equal(t, Of(0)+n, Of(float64(n)))
	}
}
