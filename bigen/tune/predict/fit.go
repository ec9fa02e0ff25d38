package predict

import (
	"math"
	"math/rand/v2"

	"golang.org/x/exp/slices"
)

// Fit returns the grammar with the weights at which a cost is least, and that cost. It descends the
// gradient from several starts, by L-BFGS ("Branching Processes for QuickCheck Generators", section
// 7, has a local search). Equal arguments have equal results. The error says that the cost does not
// suit the grammar: it has an unknown tag, or no value can end without the constructors that the
// cost excludes.
func (g *Grammar) Fit(cost Cost) (*Grammar, float64, error) {
	p, err := newProblem(g, cost)
	if err != nil {
		return nil, 0, err
	}
	const starts, goodEnough = 3, 1e-9
	own, least := p.start(), math.Inf(1)
	var best []float64
	r := rand.New(rand.NewPCG(7, 1))
	for i := range starts {
		from := slices.Clone(own)
		for k := range from {
			if i > 0 {
				from[k] += r.NormFloat64()
			}
		}
		if z, c := p.descend(from); c < least || best == nil {
			best, least = z, c
		}
		if least < goodEnough || len(own) == 0 {
			break
		}
	}
	return g.With(p.weights(best)), least, nil
}

// pulls are the forces with which logarithms of weights are drawn to where they started, one run after
// the other: as a pull fades, the point moves on to the least cost nearby.
var pulls = []float64{1e-1, 1e-2, 1e-3, 1e-4, 0}

// descend returns the logarithms of weights nearby at which the cost is least, and the cost.
func (p *problem) descend(from []float64) ([]float64, float64) {
	z := from
	for _, pull := range pulls {
		z = lbfgs(z, func(x, gradient []float64) float64 {
			sum := math.Log1p(p.costAt(x, gradient))
			for i := range x {
				off := x[i] - from[i]
				sum += pull * off * off
				gradient[i] += 2 * pull * off
			}
			return sum
		})
	}
	return z, p.costAt(z, make([]float64, len(z)))
}

// lbfgs returns a point at which f is least, near another one (Nocedal and Wright, "Numerical
// Optimization", algorithm 7.5). f sets the gradient. A step is as long as the weak conditions of
// Wolfe ask for, found by bisection.
func lbfgs(from []float64, f func(x, gradient []float64) float64) []float64 {
	const iterations, remembered, flat = 2000, 10, 1e-9
	type step struct {
		s, y []float64 // the changes of x and of the gradient
		sy   float64
	}
	n := len(from)
	x, g := slices.Clone(from), make([]float64, n)
	next, gNext, d := make([]float64, n), make([]float64, n), make([]float64, n)
	value := f(x, g)
	var steps []step
	for range iterations {
		if norm := math.Sqrt(dot(g, g)); norm < flat || math.IsNaN(norm) {
			break
		}
		// The direction is -Hg, with H the inverse of the second derivatives as the last steps tell it.
		alphas := make([]float64, len(steps))
		for i := range d {
			d[i] = -g[i]
		}
		for i := len(steps) - 1; i >= 0; i-- {
			alphas[i] = dot(steps[i].s, d) / steps[i].sy
			addTo(d, -alphas[i], steps[i].y)
		}
		if k := len(steps) - 1; k >= 0 {
			scale(d, steps[k].sy/dot(steps[k].y, steps[k].y))
		} else {
			scale(d, 1/max(1, math.Sqrt(dot(g, g))))
		}
		for i, s := range steps {
			addTo(d, alphas[i]-dot(s.y, d)/s.sy, s.s)
		}
		slope := dot(g, d)
		if slope >= 0 {
			if len(steps) == 0 {
				break
			}
			steps = nil
			continue
		}
		t, lo, hi, after := 1.0, 0.0, math.Inf(1), value
		found := false
		for range 60 {
			copy(next, x)
			addTo(next, t, d)
			after = f(next, gNext)
			switch {
			case !(after <= value+1e-4*t*slope):
				hi = t
			case dot(gNext, d) < .9*slope:
				lo, found = t, true
			default:
				found = true
				lo = hi
			}
			if lo == hi {
				break
			}
			if t = (lo + hi) / 2; math.IsInf(hi, 1) {
				t = 2 * lo
			}
		}
		if !found || after > value { // the cost has no more digits here
			break
		}
		s := step{make([]float64, n), make([]float64, n), 0}
		for i := range x {
			s.s[i], s.y[i] = next[i]-x[i], gNext[i]-g[i]
		}
		if s.sy = dot(s.s, s.y); s.sy > 0 {
			steps = append(steps, s)
			steps = steps[max(0, len(steps)-remembered):]
		}
		x, next, g, gNext, value = next, x, gNext, g, after
	}
	return x
}

func dot(a, b []float64) (sum float64) {
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

// addTo adds t times b to a.
func addTo(a []float64, t float64, b []float64) {
	for i, x := range b {
		a[i] += t * x
	}
}

func scale(a []float64, t float64) {
	for i := range a {
		a[i] *= t
	}
}
