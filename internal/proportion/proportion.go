// Package proportion estimates a probability from k successes in n independent trials, as an
// interval. bigen and the summary of fuzzext judge shares of values by it.
package proportion

import "math"

// Wilson returns the score interval of Wilson (1927). It is short, and close to its certainty
// unless the probability is near 0 or 1. doubt is the probability that it may miss, such as
// 1e-9. n is at least 1.
func Wilson(k, n int, doubt float64) (lo, hi float64) {
	z := math.Sqrt2 * math.Erfcinv(doubt)
	trials := float64(n)
	p, zz := float64(k)/trials, z*z/trials
	middle := p + zz/2
	half := z * math.Sqrt(p*(1-p)/trials+zz/(4*trials))
	lo, hi = (middle-half)/(1+zz), (middle+half)/(1+zz)
	if k == 0 {
		lo = 0
	}
	if k == n {
		hi = 1
	}
	return max(0, lo), min(1, hi)
}

// Exact returns the interval of Clopper and Pearson (1934), which misses with at most the
// probability doubt, whatever is estimated. n is at least 1.
func Exact(k, n int, doubt float64) (lo, hi float64) {
	lo, hi = 0, 1
	if k > 0 { // so many or more are as unlikely as the doubt allows
		lo = solve(func(p float64) bool { return beta(p, float64(k), float64(n-k+1)) > doubt/2 })
	}
	if k < n { // so many or fewer
		hi = solve(func(p float64) bool { return beta(p, float64(k+1), float64(n-k)) > 1-doubt/2 })
	}
	return lo, hi
}

// solve returns the least number from 0 to 1 for which above holds.
func solve(above func(p float64) bool) float64 {
	lo, hi := 0.0, 1.0
	for range 200 {
		middle := (lo + hi) / 2
		if middle == lo || middle == hi {
			break
		}
		if above(middle) {
			hi = middle
		} else {
			lo = middle
		}
	}
	return hi
}

// beta returns the regularized incomplete beta function, by its continued fraction.
func beta(x, a, b float64) float64 {
	switch {
	case x <= 0:
		return 0
	case x >= 1:
		return 1
	case x > (a+1)/(a+b+2):
		return 1 - beta(1-x, b, a)
	}
	ab, _ := math.Lgamma(a + b)
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	front := math.Exp(ab-la-lb+a*math.Log(x)+b*math.Log1p(-x)) / a

	const tiny = 1e-300
	f, c, d := 1.0, 1.0, 0.0 // by the algorithm of Lentz
	step := func(numerator float64) (change float64) {
		if d = 1 + numerator*d; d == 0 {
			d = tiny
		}
		if c = 1 + numerator/c; c == 0 {
			c = tiny
		}
		d = 1 / d
		f *= c * d
		return c*d - 1
	}
	step(1)
	for m := 0.0; m < 1e5; m++ {
		if m > 0 {
			step(m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m)))
		}
		if change := step(-(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))); math.Abs(
			change) < 1e-15 {
			break
		}
	}
	return front * (f - 1)
}
