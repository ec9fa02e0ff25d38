// Package minimize finds the parameters at which a cost is least, by the optimizers of gonum. It
// stands apart from package search because what fuzzext imports must not need another module.
package minimize

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/optimize"

	"github.com/espalier-go/espalier/bigen/tune/predict"
)

// Weighing is what [Weights] has found.
type Weighing struct {
	Weights     predict.Weights
	Cost        float64
	Evaluations int // of the cost, with or without its gradient
}

// Weights returns the weights of a grammar's constructors at which a cost is least, by L-BFGS
// from several starts ("Branching Processes for QuickCheck Generators", section 7, has a local
// search). The grammar with these weights is g.With(w.Weights). Equal arguments have equal
// results. The error is that of [predict.NewProblem].
func Weights(g *predict.Grammar, cost predict.Cost) (Weighing, error) {
	p, err := predict.NewProblem(g, cost)
	if err != nil {
		return Weighing{}, err
	}
	const starts, goodEnough = 3, 1e-9
	best := Weighing{Cost: math.Inf(1)}
	r := rand.New(rand.NewPCG(7, 1))
	from := p.Start()
	for range starts {
		if z, c, evaluations := lbfgs(p, from); c < best.Cost {
			best = Weighing{p.Weights(z), c, best.Evaluations + evaluations}
		} else {
			best.Evaluations += evaluations
		}
		if best.Cost < goodEnough || p.Len() == 0 {
			break
		}
		from = p.Start()
		for i := range from {
			from[i] += r.NormFloat64()
		}
	}
	return best, nil
}

// pulls are the forces with which logarithms of weights are drawn to where they started, one run after
// the other: as a pull fades, the point moves on to the least cost nearby.
var pulls = []float64{1e-1, 1e-2, 1e-3, 1e-4, 0}

// lbfgs runs L-BFGS. If its line search fails, the best point so far is as good as it gets:
// mostly, the cost has no more digits there.
func lbfgs(p *predict.Problem, from []float64) (z []float64, cost float64, evaluations int) {
	z, cost = append([]float64(nil), from...), math.Inf(1)
	note := func(x []float64, c float64) {
		evaluations++
		if c < cost {
			cost = c
			copy(z, x)
		}
	}
	if p.Len() == 0 {
		note(from, p.Cost(from, nil))
		return z, cost, evaluations
	}
	// The optimizer asks for the cost and for its gradient at the same point, one after the
	// other.
	at, gradient, value := make([]float64, len(from)), make([]float64, len(from)), math.NaN()
	evaluate := func(x []float64) {
		if !math.IsNaN(value) && equal(at, x) {
			return
		}
		copy(at, x)
		value = p.Cost(x, gradient)
		note(x, value)
	}
	begin := append([]float64(nil), from...)
	for _, pull := range pulls {
		problem := optimize.Problem{
			Func: func(x []float64) float64 {
				evaluate(x)
				sum := math.Log1p(value)
				for i := range x {
					sum += pull * (x[i] - begin[i]) * (x[i] - begin[i])
				}
				return sum
			},
			Grad: func(grad, x []float64) {
				evaluate(x)
				for i := range x {
					grad[i] = gradient[i] + 2*pull*(x[i]-begin[i])
				}
			},
		}
		settings := &optimize.Settings{MajorIterations: 2000, GradientThreshold: 1e-9}
		if result, _ := optimize.Minimize(problem, from, settings, &optimize.LBFGS{}); result != nil {
			from = result.X
		}
		if pull > 0 { // what it costs there is no result yet
			cost = math.Inf(1)
			value = math.NaN()
		}
	}
	return z, cost, evaluations
}

func equal(a, b []float64) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
