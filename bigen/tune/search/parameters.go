package search

import (
	"context"
	"math"

	"github.com/espalier-go/espalier/bigen/tune"
)

// ParametersOptions are the settings of [Parameters]. The zero value stands for those in
// parentheses.
type ParametersOptions struct {
	Evaluations int // models that are tried (4000)
	Values      int // of each of them (50)
	Round       int // evaluations of a round (60)
	Seed        uint64

	// Tolerance, Share and Progress are as in [CrossEntropyOptions].
	Tolerance float64
	Share     float64
	Progress  func(Progress)
}

func (o *ParametersOptions) defaults() {
	if o.Evaluations == 0 {
		o.Evaluations = 4000
	}
	if o.Values == 0 {
		o.Values = 50
	}
	if o.Round == 0 {
		o.Round = 60
	}
}

// A Minimizer looks for the point at which a noisy cost is least. It begins at a point, and ends
// once more returns false. Package minimize has one.
type Minimizer func(from []float64, cost func(z []float64) float64, more func() bool) error

// Parameters returns m with the parameters that meet the objectives best, by any minimizer. It
// begins at the parameters of m, and is for models of few of them.
//
// If ctx ends, Parameters returns its error and the best model so far. It panics if m has no
// parameters.
func Parameters(ctx context.Context, s Subject, m *tune.Model, by Minimizer, o ParametersOptions) (*tune.Model, error) {
	o.defaults()
	if len(m.Params()) == 0 {
		panic("search: the model has no parameters: set samplers")
	}
	p := &parameters{o: o, s: s, m: m, best: m, least: math.Inf(1)}
	p.goal = newGoal(s, (o.Evaluations+o.Round-1)/o.Round, o.Tolerance, o.Share, o.Progress)
	var from []float64
	for _, x := range m.Params() {
		x = min(max(x, .05), .95)
		from = append(from, math.Log(x/(1-x)))
	}
	err := by(from, func(z []float64) float64 { return p.cost(ctx, z) }, func() bool { return !p.done })
	if p.err != nil {
		err = p.err
	}
	return p.best, err
}

// parameters is a search by [Parameters].
type parameters struct {
	o    ParametersOptions
	s    Subject
	m    *tune.Model
	goal *goal

	evaluations int
	best        *tune.Model
	least       float64 // the cost of best
	done        bool
	err         error
}

// cost returns how bad a model is: its parameters are the logistic function of z.
func (p *parameters) cost(ctx context.Context, z []float64) float64 {
	if p.done {
		return math.Inf(1)
	}
	params := make([]float64, len(z))
	for i, x := range z {
		params[i] = round(1 / (1 + math.Exp(-x)))
	}
	m, sum := p.m.With(params), 0.0
	err := p.s.Sample(m, p.o.Seed+100+uint64(p.evaluations), p.o.Values, func(r *Run) {
		p.goal.add(r)
		sum += p.loss(r)
	})
	if err != nil {
		p.done, p.err = true, err
		return math.Inf(1)
	}
	if sum < p.least {
		p.best, p.least = m, sum
	}
	p.evaluations++
	last := p.evaluations == p.o.Evaluations
	if last || p.evaluations%p.o.Round == 0 {
		p.done, p.err = p.goal.round(ctx)
		p.done = p.done || last
	}
	return sum / float64(p.o.Values)
}

// loss returns how bad a value is: a basin about as wide as the tolerance, and a slope towards it.
func (p *parameters) loss(r *Run) float64 {
	if r.Failed || r.Invalid {
		return 1.5
	}
	sum, squares := 0.0, 0.0
	for i, o := range p.goal.objectives {
		d := o.Distance(r.Measures[i])
		sum += d
		squares += d * d / (2 * 2.25 * p.goal.tolerance * p.goal.tolerance)
	}
	return .2*min(sum, 5) - math.Exp(-squares)
}
