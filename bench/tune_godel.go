package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune"
	"github.com/espalier-go/espalier/bigen/tune/search"
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
func (t godelTarget) subject(g bigen.Gen[paper.Tree]) search.Subject {
	return search.Of(g,
		tune.Measure("size", t.size, func(v paper.Tree) float64 { return float64(v.Size()) }),
		tune.Measure("height", t.height, func(v paper.Tree) float64 { return float64(v.Height()) }))
}

// godelTuned is a tuned model, measured.
type godelTuned struct {
	hits float64 // percentage of trees within a tenth of both targets
	bits float64 // mean information
	cpu  float64 // seconds of the search
}

const (
	godelTrees = 10_000 // that are measured, of each model
	godelSeeds = 5
	godelCalls = 1000 // of a rule: runs with more have failed
)

// godelRows measure the share of trees within a tenth of both targets, as section V-F does.
func godelRows() []row {
	var rows []row
	for _, t := range []godelTarget{godelLong, godelBroad} {
		name := "tune/godel/" + t.String()
		rows = append(rows,
			row{name + " hits %", "GödelTest's DH04[20k,10]", oursAtLeast(95), t.compare(t.entropy, t.decayHistogram, godelTuned.hit)},
			row{name + " bits", "GödelTest's DH04[20k,10]", oursAtLeast(130), t.compare(t.entropy, t.decayHistogram, godelTuned.bit)},
			row{name + " cpu-s", "GödelTest's DH04[20k,10]", oursAtMost(5), t.compare(t.entropy, t.decayHistogram, godelTuned.second)},
		)
	}
	return append(rows,
		row{"tune/godel/(100,36) DH04[20k,10] hits %", "the paper", ratioWithin(.35), godelLong.compare(godelLong.decayHistogram, printed(2.9), godelTuned.hit)},
		row{"tune/godel/(100,6) DH04[20k,10] hits %", "DG[5k,25]", ratioAbove(1), godelBroad.compare(godelBroad.decayHistogram, godelBroad.decayGeometric, godelTuned.hit)},
		row{"tune/godel/(100,6) DG[5k,25] hits %", "Boltzmann", oursAtLeast(3), godelBroad.compare(godelBroad.decayGeometric, godelBroad.boltzmann, godelTuned.hit)},
		row{"tune/godel/(100,36) DG[5k,25] hits %", "DH04[20k,10]", oursAtMost(.5), godelLong.compare(godelLong.decayGeometric, godelLong.decayHistogram, godelTuned.hit)},
		row{"tune/godel/(100,36) Boltzmann hits %", "the paper", oursAtMost(.03), godelLong.compare(godelLong.boltzmann, printed(.01), godelTuned.hit)},
	)
}

func (t godelTuned) hit() float64    { return t.hits }
func (t godelTuned) bit() float64    { return t.bits }
func (t godelTuned) second() float64 { return t.cpu }

// A godelMethod tunes a model, and measures it.
type godelMethod func(seed uint64, quick bool) (godelTuned, error)

// printed returns a figure that is printed in the paper.
func printed(x float64) godelMethod {
	return func(uint64, bool) (godelTuned, error) { return godelTuned{hits: x}, nil }
}

// compare returns the measurement of a row: the means of a figure over seeds.
func (t godelTarget) compare(ours, base godelMethod, figureOf func(godelTuned) float64) func(quick bool) (figure, figure, error) {
	mean := func(tuned godelMethod, quick bool) (figure, error) {
		seeds := godelSeeds
		if quick {
			seeds = 1
		}
		sum := 0.0
		for seed := range seeds {
			got, err := tuned(uint64(seed), quick)
			if err != nil {
				return figure{}, err
			}
			fmt.Fprintf(os.Stderr, "tune/godel/%v: %.2f%%, %.0f bits, %.1f CPU s\n", t, got.hits, got.bits, got.cpu)
			sum += figureOf(got)
		}
		return figure{value: sum / float64(seeds)}, nil
	}
	return func(quick bool) (figure, figure, error) {
		o, err := mean(ours, quick)
		if err != nil {
			return o, o, err
		}
		b, err := mean(base, quick)
		return o, b, err
	}
}

// measure measures a model that took some CPU seconds.
func (t godelTarget) measure(g bigen.Gen[paper.Tree], m *tune.Model, seed uint64, cpu float64) (godelTuned, error) {
	s := t.subject(g)
	got, hits := godelTuned{cpu: cpu}, 0
	err := s.Sample(m, 1<<32+seed, godelTrees, func(r *search.Run) {
		got.bits += r.Bits / godelTrees
		if !r.Failed && math.Abs(r.Measures[0]-t.size) <= t.size/10 && math.Abs(r.Measures[1]-t.height) <= t.height/10 {
			hits++
		}
	})
	got.hits = 100 * float64(hits) / godelTrees
	return got, err
}

// entropy tunes by the cross-entropy method, with 40,000 trees.
func (t godelTarget) entropy(seed uint64, _ bool) (godelTuned, error) {
	begin := cpuTime()
	m, err := search.CrossEntropy(context.Background(), t.subject(paper.Gen()), search.CrossEntropyOptions{Seed: seed})
	if err != nil {
		return godelTuned{}, err
	}
	return t.measure(paper.Gen(), m, seed, (cpuTime() - begin).Seconds())
}

// decayHistogram tunes the paper's DH04 by differential evolution.
func (t godelTarget) decayHistogram(seed uint64, quick bool) (godelTuned, error) {
	g, evaluations := paper.GenCounted(4), 20_000
	if quick {
		evaluations = 5000
	}
	m := godelModel(g, godelCalls, tune.Decay{Sampler: tune.Histogram(make([]float64, 5)), Rates: make([]float64, 5)})
	return t.differential(g, m, search.DifferentialOptions{Evaluations: evaluations, Values: 10, Seed: seed})
}

// decayGeometric tunes the paper's DG.
func (t godelTarget) decayGeometric(seed uint64, _ bool) (godelTuned, error) {
	m := godelModel(paper.Gen(), 2*godelCalls, tune.Decay{Sampler: tune.Geometric{}, Rates: []float64{0}})
	return t.differential(paper.Gen(), m, search.DifferentialOptions{Evaluations: 5000, Values: 25, Seed: seed})
}

func (t godelTarget) differential(g bigen.Gen[paper.Tree], m *tune.Model, o search.DifferentialOptions) (godelTuned, error) {
	begin := cpuTime()
	m, err := search.Differential(context.Background(), t.subject(g), m, o)
	if err != nil {
		return godelTuned{}, err
	}
	return t.measure(g, m, o.Seed, (cpuTime() - begin).Seconds())
}

// boltzmann measures the Boltzmann sampler of mean size 100.
func (t godelTarget) boltzmann(seed uint64, _ bool) (godelTuned, error) {
	return t.measure(paper.Gen(), godelModel(paper.Gen(), 1<<20, tune.Geometric{P: .99 / 1.99}), seed, 0)
}

// godelModel returns a model of one sampler for all nodes.
func godelModel(g bigen.Gen[paper.Tree], limit int, s tune.Sampler) *tune.Model {
	m := tune.New()
	m.SetLimit(limit)
	for _, p := range tune.Inspect(g, rand.New(rand.NewPCG(1, 1)), 100, .1, godelCalls).Points {
		p.In = tune.Anywhere
		m.Set(p.Point, s)
	}
	return m
}
