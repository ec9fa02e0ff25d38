package chance

// LimitWeight returns a weight that sums of many cannot make infinite: 0 for one that is negative
// or not a number.
func LimitWeight(w float64) float64 {
	if w > 0 {
		return min(w, 1e100)
	}
	return 0
}
