package search

import "math"

// digits is the precision of the weights that searches try, so that the model which is saved is
// small and the one which was measured.
const digits = 1e6

// round returns x with 6 decimals. What is above 0 remains so.
func round(x float64) float64 {
	if x > 0 {
		x = max(x, 1/digits)
	}
	return math.Round(x*digits) / digits
}

func rounded(all []float64) []float64 {
	out := make([]float64, len(all))
	for i, x := range all {
		out[i] = round(x)
	}
	return out
}
