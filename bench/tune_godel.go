package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune"
	optimize "github.com/espalier-go/espalier/bigen/tune/minimize"
	"github.com/espalier-go/espalier/bigen/tune/predict"
	"github.com/espalier-go/espalier/bigen/tune/search"
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
	all  float64 // of exact: the binary logarithm of how many trees there are

	// near counts the trees within so many steps of both targets, as figure 7 does.
	near [godelSteps + 1]int
}

// godelSteps is how many steps of 2.5 % there are.
const godelSteps = 20

// add counts a tree.
func (t *godelTuned) add(to godelTarget, size, height float64) {
	off := max(math.Abs(size-to.size)/to.size, math.Abs(height-to.height)/to.height)
	if off <= .1+1e-9 {
		t.hits += 100. / godelTrees
	}
	for i := range t.near {
		if off <= float64(i)/40+1e-9 {
			t.near[i]++
		}
	}
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
		entropy := once(t.String()+" cross-entropy", t.entropy)
		various := once(t.String()+" cross-entropy, then ValidEntropy", t.various)
		histogram := once(t.String()+" DH04", t.decayHistogram)
		geometric := once(t.String()+" DG", t.decayGeometric)
		exact := once(t.String()+" exact", t.exact)
		boltzmann := once(t.String()+" Boltzmann", t.boltzmann)
		add := func(what, baseline string, goal goal, ours, base godelMethod, figureOf func(godelTuned) float64) {
			rows = append(rows, row{name + " " + what, baseline, goal, compare(ours, base, figureOf)})
		}
		add("hits %", "DH04[20k,10]", oursAtLeast(95), entropy, histogram, godelTuned.hit)
		add("bits", "all such trees alike", oursAtLeast(130), entropy, exact, godelTuned.bit)
		add("ValidEntropy hits %", "cross-entropy", oursAtLeast(95), various, entropy, godelTuned.hit)
		add("ValidEntropy bits", "cross-entropy", ratioAbove(1), various, entropy, godelTuned.bit)
		add("cpu-s", "DH04[20k,10]", oursAtMost(5), entropy, histogram, godelTuned.second)
		add("exact hits %", "cross-entropy", oursAtLeast(99.99), exact, entropy, godelTuned.hit)
		if t == godelLong {
			add("exact log2 trees", "cross-entropy's bits", oursAtLeast(198), exact, entropy, godelTuned.log)
			add("DH04[20k,10] hits %", "the paper", ratioWithin(.5), histogram, printed(2.9), godelTuned.hit)
			add("CMA-ES of DH04 hits %", "DH04[20k,10]", ratioAbove(1), once(t.String()+" DH04, CMA-ES", t.covariance), histogram, godelTuned.hit)
			add("DG[5k,25] hits %", "DH04[20k,10]", oursAtMost(.5), geometric, histogram, godelTuned.hit)
			add("Boltzmann hits %", "the paper", oursAtMost(.03), boltzmann, printed(.01), godelTuned.hit)
		} else {
			add("DH04[20k,10] hits %", "Boltzmann", oursAtLeast(2), histogram, boltzmann, godelTuned.hit)
			add("DG[5k,25] hits %", "Boltzmann", oursAtLeast(3), geometric, boltzmann, godelTuned.hit)
		}
	}
	return rows
}

func (t godelTuned) hit() float64 { return t.hits }
func (t godelTuned) bit() float64 { return t.bits }
func (t godelTuned) log() float64 {
	if t.all == 0 {
		return t.bits
	}
	return t.all
}
func (t godelTuned) second() float64 { return t.cpu }

// A godelMethod tunes a model, and measures it.
type godelMethod func(seed uint64, quick bool) (godelTuned, error)

// godelRuns remembers what a method has found, for other rows.
var godelRuns = map[string]godelTuned{}

// once returns a method that runs once for each seed.
func once(name string, tuned godelMethod) godelMethod {
	return func(seed uint64, quick bool) (godelTuned, error) {
		key := fmt.Sprint(name, seed, quick)
		if got, ok := godelRuns[key]; ok {
			return got, nil
		}
		got, err := tuned(seed, quick)
		if err == nil {
			godelRuns[key] = got
			drawCurve(name, &got)
			fmt.Fprintf(os.Stderr, "tune/godel/%s: %.2f%%, %.0f bits, %.1f CPU s\n", name, got.hits, got.bits, got.cpu)
		}
		return got, err
	}
}

// printed returns a figure that is printed in the paper.
func printed(x float64) godelMethod {
	return func(uint64, bool) (godelTuned, error) { return godelTuned{hits: x}, nil }
}

// compare returns the measurement of a row: the means of a figure over seeds.
func compare(ours, base godelMethod, figureOf func(godelTuned) float64) func(quick bool) (figure, figure, error) {
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
	got := godelTuned{cpu: cpu}
	err := s.Sample(m, 1<<32+seed, godelTrees, func(r *search.Run) {
		got.bits += r.Bits / godelTrees
		if !r.Failed {
			got.add(t, r.Measures[0], r.Measures[1])
		}
	})
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

// various raises the entropy of the trees that the cross-entropy method finds.
func (t godelTarget) various(seed uint64, _ bool) (godelTuned, error) {
	begin := cpuTime()
	s := t.subject(paper.Gen())
	m, err := search.CrossEntropy(context.Background(), s, search.CrossEntropyOptions{Seed: seed})
	if err == nil {
		m, err = search.ValidEntropy(context.Background(), s, search.EntropyOptions{Seed: seed, From: m})
	}
	if err != nil {
		return godelTuned{}, err
	}
	return t.measure(paper.Gen(), m, seed, (cpuTime() - begin).Seconds())
}

// decayHistogram tunes the paper's DH04 by differential evolution.
func (t godelTarget) decayHistogram(seed uint64, quick bool) (godelTuned, error) {
	g, evaluations := paper.GenCounted(4), 20_000
	if quick {
		evaluations = 1500
	}
	m := godelModel(g, godelCalls, tune.Decay{Sampler: tune.Histogram(make([]float64, 5)), Rates: make([]float64, 5)})
	return t.differential(g, m, search.DifferentialOptions{Evaluations: evaluations, Values: 10, Seed: seed})
}

// covariance tunes DH04 by covariance matrix adaptation, with half as many trees.
func (t godelTarget) covariance(seed uint64, _ bool) (godelTuned, error) {
	begin := cpuTime()
	g := paper.GenCounted(4)
	m := godelModel(g, godelCalls, tune.Decay{Sampler: tune.Histogram{.5, .7, .5, .3, .3}, Rates: []float64{.9, .9, .9, .9, .9}})
	m, err := optimize.CMA(context.Background(), t.subject(g), m, search.ParametersOptions{Evaluations: 2000, Values: 50, Seed: seed})
	if err != nil {
		return godelTuned{}, err
	}
	return t.measure(g, m, seed, (cpuTime() - begin).Seconds())
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

// exact makes trees of all sizes and heights within a tenth of the targets, equally often.
func (t godelTarget) exact(seed uint64, _ bool) (godelTuned, error) {
	begin := cpuTime()
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
	got := godelTuned{cpu: (cpuTime() - begin).Seconds(), bits: e.Bits(), all: e.Values()}
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
	for _, p := range tune.Inspect(g, rand.New(rand.NewPCG(1, 1)), 100, .1, godelCalls).Points {
		p.In = tune.Anywhere
		m.Set(p.Point, s)
	}
	return m
}
