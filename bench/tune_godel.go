package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"

	"github.com/espalier-go/espalier/bench/rltrial"
	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune"
	"github.com/espalier-go/espalier/bigen/tune/predict"
	"github.com/espalier-go/espalier/choices"
	paper "github.com/espalier-go/espalier/examples/trees"
)

// A godelTarget is one of the two of GödelTest, section V: the mean size and height of general
// trees.
type godelTarget struct{ size, height float64 }

var (
	godelLong  = godelTarget{100, 36}
	godelBroad = godelTarget{100, 6}
)

func (t godelTarget) String() string { return fmt.Sprintf("(%v,%v)", t.size, t.height) }

// subject returns a generator of trees with the target.
func (t godelTarget) subject(g bigen.Gen[paper.Tree]) *tune.Subject {
	return tune.Of(g,
		tune.Measure("size", t.size, func(v paper.Tree) float64 { return float64(v.Size()) }),
		tune.Measure("height", t.height, func(v paper.Tree) float64 { return float64(v.Height()) }))
}

// godelTuned is a tuned model, measured.
type godelTuned struct {
	bits float64 // mean information
	cpu  float64 // seconds of the search
	all  float64 // of exact: the binary logarithm of how many trees there are
	near int     // trees within a tenth of both targets
}

const (
	godelTrees = 10_000 // that are measured, of each model
	godelSeeds = 5
	godelCalls = 1000 // of a rule: runs with more have failed
)

// add counts a tree.
func (t *godelTuned) add(to godelTarget, size, height float64) {
	if max(math.Abs(size-to.size)/to.size, math.Abs(height-to.height)/to.height) <= .1+1e-9 {
		t.near++
	}
}

// hits is the percentage of trees within a tenth of both targets, as in section V-F.
func (t godelTuned) hits() float64   { return 100 * float64(t.near) / godelTrees }
func (t godelTuned) bit() float64    { return t.bits }
func (t godelTuned) second() float64 { return t.cpu }
func (t godelTuned) log() float64    { return cmp.Or(t.all, t.bits) }

// A godelMethod tunes a model, and measures it.
type godelMethod struct {
	name  string
	tuned func(t godelTarget, seed uint64, quick bool) (godelTuned, error)
}

var (
	godelEntropy   = godelMethod{"cross-entropy", godelTarget.entropy}
	godelHistogram = godelMethod{"DH04", godelTarget.decayHistogram}
	godelGeometric = godelMethod{"DG", godelTarget.decayGeometric}
	godelExact     = godelMethod{"exact", godelTarget.exact}
	godelBoltzmann = godelMethod{"Boltzmann", godelTarget.boltzmann}
)

// godel compares two methods: the means of a figure over seeds.
func godel(ours, base godelMethod, of func(godelTuned) float64) measure {
	return func(r run) (o, b figure, err error) {
		return both(ours.runs(r), base.runs(r), func(all []godelTuned) figure {
			return number(meanOf(all, of))
		})
	}
}

// godelPrinted compares the hits of a method with those that the paper prints.
func godelPrinted(ours godelMethod, hits float64) measure {
	return func(r run) (o, b figure, err error) {
		all, err := ours.runs(r)()
		return number(meanOf(all, godelTuned.hits)), number(hits), err
	}
}

func (m godelMethod) runs(r run) func() ([]godelTuned, error) {
	return func() ([]godelTuned, error) {
		target := map[string]godelTarget{"(100,36)": godelLong, "(100,6)": godelBroad}[r.args[0]]
		name := target.String() + " " + m.name
		return times("godel "+name, pick(r, godelSeeds, 1), func(seed int) (godelTuned, error) {
			got, err := m.tuned(target, uint64(seed), r.quick)
			if err == nil {
				fmt.Fprintf(os.Stderr, "tune/godel/%s: %.2f%%, %.0f bits, %.1f CPU s\n", name,
					got.hits(), got.bits, got.cpu)
			}
			return got, err
		})
	}
}

// measure measures a model that took some CPU seconds.
func (t godelTarget) measure(
	g bigen.Gen[paper.Tree], m *tune.Model, seed uint64, cpu float64,
) (godelTuned, error) {
	s := t.subject(g)
	got := godelTuned{cpu: cpu}
	s.Sample(m, 1<<32+seed, godelTrees, func(r *tune.Run) {
		got.bits += r.Bits / godelTrees
		if !r.Failed {
			got.add(t, r.Measures[0], r.Measures[1])
		}
	})
	return got, nil
}

// entropy tunes by the cross-entropy method, with 40,000 trees.
func (t godelTarget) entropy(seed uint64, _ bool) (godelTuned, error) {
	begin := rltrial.CPU()
	m, err := tune.CrossEntropy(context.Background(), t.subject(paper.Gen()), tune.Options{Seed: seed})
	if err != nil {
		return godelTuned{}, err
	}
	return t.measure(paper.Gen(), m, seed, (rltrial.CPU() - begin).Seconds())
}

// decayHistogram tunes the paper's DH04 by differential evolution.
func (t godelTarget) decayHistogram(seed uint64, quick bool) (godelTuned, error) {
	g, rounds := paper.GenCounted(4), 200
	if quick {
		rounds = 15
	}
	m := godelModel(g, godelCalls, tune.Decay{
		Sampler: tune.Histogram(make([]float64, 5)),
		Rates:   make([]float64, 5),
	})
	return t.differential(g, m, tune.Options{Rounds: rounds, Values: 10, Seed: seed})
}

// decayGeometric tunes the paper's DG.
func (t godelTarget) decayGeometric(seed uint64, _ bool) (godelTuned, error) {
	m := godelModel(paper.Gen(), 2*godelCalls, tune.Decay{
		Sampler: tune.Geometric{},
		Rates:   []float64{0},
	})
	return t.differential(paper.Gen(), m, tune.Options{Rounds: 50, Values: 25, Seed: seed})
}

func (t godelTarget) differential(
	g bigen.Gen[paper.Tree], m *tune.Model, o tune.Options,
) (godelTuned, error) {
	begin := rltrial.CPU()
	m, err := tune.Differential(context.Background(), t.subject(g), m, o)
	if err != nil {
		return godelTuned{}, err
	}
	return t.measure(g, m, o.Seed, (rltrial.CPU() - begin).Seconds())
}

// boltzmann measures the Boltzmann sampler of mean size 100.
func (t godelTarget) boltzmann(seed uint64, _ bool) (godelTuned, error) {
	return t.measure(paper.Gen(), godelModel(paper.Gen(), 1<<20, tune.Geometric{P: .99 / 1.99}),
		seed, 0)
}

// exact makes trees of all sizes and heights within a tenth of the targets, equally often.
func (t godelTarget) exact(seed uint64, _ bool) (godelTuned, error) {
	begin := rltrial.CPU()
	g, err := predict.Read(paper.Gen())
	if err != nil {
		return godelTuned{}, err
	}
	within := func(x float64) [2]int { // of what is more than the root
		return [2]int{int(math.Ceil(.9*x)) - 1, int(1.1*x+1e-9) - 1}
	}
	e, err := g.Exact(within(t.size), within(t.height))
	if err != nil {
		return godelTuned{}, err
	}
	got := godelTuned{cpu: (rltrial.CPU() - begin).Seconds()}
	got.all, got.bits = e.Counted()
	r, p := rand.New(rand.NewPCG(seed, 5)), e.Prior()
	for range godelTrees {
		v, err := bigen.Value(paper.Gen(), choices.RandomBy(r, p))
		if err != nil {
			return got, err
		}
		got.add(t, float64(v.Size()), float64(v.Height()))
	}
	return got, nil
}

// godelModel returns a model of one sampler for all nodes.
func godelModel(g bigen.Gen[paper.Tree], limit int, s tune.Sampler) *tune.Model {
	m := tune.New()
	m.SetLimit(limit)
	for _, p := range tune.Points(g) {
		p.In = tune.Anywhere
		m.Set(p, s)
	}
	return m
}
