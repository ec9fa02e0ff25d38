package main

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune"
	optimize "github.com/espalier-go/espalier/bigen/tune/minimize"
	"github.com/espalier-go/espalier/bigen/tune/predict"
	"github.com/espalier-go/espalier/choices"
)

// dragenTree is the type of "Branching Processes for QuickCheck Generators", section 2, and of
// its composite variant.
type dragenTree struct {
	L, R *dragenTree
	A, B bool
	M    *bool
}

func genDragen(a, b, c, n float64) bigen.Gen[*dragenTree] {
	var gen func() bigen.Gen[*dragenTree]
	gen = func() bigen.Gen[*dragenTree] {
		return bigen.Pick(
			bigen.Tag("LeafA", bigen.Nil[dragenTree]()).Weight(a),
			bigen.Tag("LeafB", bigen.Nil[dragenTree]()).Weight(b),
			bigen.Tag("LeafC", bigen.Nil[dragenTree]()).Weight(c),
			bigen.Tag("Node", bigen.New(func(c *bigen.C, t *dragenTree) {
				bigen.At(c, &t.L, bigen.Lazy(gen))
				bigen.At(c, &t.R, bigen.Lazy(gen))
			})).Weight(n))
	}
	return gen()
}

// genMegaDeTH is the generator of Figure 2.
func genMegaDeTH(n int) bigen.Gen[*dragenTree] {
	alts := []bigen.Alt[*dragenTree]{
		bigen.Tag("LeafA", bigen.Nil[dragenTree]()),
		bigen.Tag("LeafB", bigen.Nil[dragenTree]()),
		bigen.Tag("LeafC", bigen.Nil[dragenTree]()),
	}
	if n > 0 {
		alts = append(alts, bigen.Tag("Node", bigen.New(func(c *bigen.C, t *dragenTree) {
			bigen.At(c, &t.L, genMegaDeTH(n/2))
			bigen.At(c, &t.R, genMegaDeTH(n/2))
		})))
	}
	return bigen.Pick(alts...)
}

// genComposite is the tree of section 6.1.
func genComposite() bigen.Gen[*dragenTree] {
	boolean := bigen.Pick(bigen.Tag("False", bigen.Just(false)), bigen.Tag("True", bigen.Just(true)))
	return bigen.Pick(
		bigen.Tag("LeafA", bigen.New(func(c *bigen.C, t *dragenTree) {
			bigen.At(c, &t.M, bigen.Pick(bigen.Tag("Nothing", bigen.Nil[bool]()), bigen.Tag("Just", bigen.NonNil(boolean))))
		})),
		bigen.Tag("LeafB", bigen.New(func(c *bigen.C, t *dragenTree) {
			bigen.At(c, &t.A, boolean)
			bigen.At(c, &t.B, boolean)
		})),
		bigen.Tag("LeafC", bigen.Nil[dragenTree]()),
		bigen.Tag("Node", bigen.New(func(c *bigen.C, t *dragenTree) {
			bigen.At(c, &t.L, bigen.Lazy(genComposite))
			bigen.At(c, &t.R, bigen.Lazy(genComposite))
		})).Weight(2))
}

// genB1 is the generator of appendix B.1.
func genB1() bigen.Gen[*dragenTree] {
	node := bigen.New(func(c *bigen.C, t *dragenTree) {
		bigen.At(c, &t.L, bigen.Lazy(genB1))
		bigen.At(c, &t.R, bigen.Lazy(genB1))
	})
	return bigen.Pick(bigen.Tag("A", bigen.Nil[dragenTree]()), bigen.Tag("B", node), bigen.Tag("C", node))
}

// dragenRow is a row of Table 1, as printed.
type dragenRow struct {
	name                string
	cost                predict.Cost
	most                float64 // the cost to reach
	predicted, observed [4]float64
}

var dragenTags = [4]string{"LeafA", "LeafB", "LeafC", "Node"}

func dragenTable() []dragenRow {
	return []dragenRow{
		{"uniform", predict.Uniform(10), 9.0251,
			[4]float64{5.26, 5.26, 5.21, 14.73}, [4]float64{5.27, 5.26, 5.21, 14.74}},
		{"weighted A3 B1 C1", predict.Weighted(map[string]float64{"LeafA": 3, "LeafB": 1, "LeafC": 1}, 10), 1e-9,
			[4]float64{30.07, 9.76, 10.15, 48.96}, [4]float64{30.06, 9.75, 10.16, 48.98}},
		{"weighted A1 Node3", predict.Weighted(map[string]float64{"LeafA": 1, "Node": 3}, 10), 1e-9,
			[4]float64{10.07, 3.15, 17.57, 29.80}, [4]float64{10.08, 3.15, 17.58, 29.82}},
		{"only A Node", predict.Only(10, "LeafA", "Node"), 0.0501,
			[4]float64{10.41, 0, 0, 9.41}, [4]float64{10.43, 0, 0, 9.43}},
		{"without C", predict.Without(10, "LeafC"), 2.7001,
			[4]float64{6.95, 6.95, 0, 12.91}, [4]float64{6.93, 6.92, 0, 12.86}},
	}
}

// dragenRows repeat the figures of "Branching Processes for QuickCheck Generators": Table 1,
// and examples of its sections. The paper's numbers are the baselines, its local search is that
// of the optimizer.
func dragenRows() []row {
	var rows []row
	for _, c := range dragenTable() {
		rows = append(rows,
			row{"tune/dragen/table 1/" + c.name + "/as printed", "largest difference: rounding", oursAtMost(0.0151), func(bool) (ours, base figure, err error) {
				ours.value, err = c.asPrinted()
				return ours, figure{value: 0.005}, err
			}},
			row{"tune/dragen/table 1/" + c.name + "/standard errors", "as printed, 100,000 values", oursAtMost(4), c.observe},
			row{"tune/dragen/cost/" + c.name, "Table 1", oursAtMost(c.most), c.tuned})
	}
	exact := func(name, tag string, size int, want float64, gen bigen.Gen[*dragenTree]) row {
		return row{"tune/dragen/" + name, "exact", ratioWithin(1e-9), func(bool) (ours, base figure, err error) {
			g, err := predict.Read(gen)
			if err != nil {
				return ours, base, err
			}
			ours.value, _ = g.ExpectTags(size, tag)
			return ours, figure{value: want}, nil
		}}
	}
	nodes := func(p float64) float64 { return p * (1 - math.Pow(2*p, 10)) / (1 - 2*p) } // of levels 0 to 9
	return append(rows,
		exact("section 3/nodes, p=.25", "Node", 10, nodes(.25), genDragen(1, 1, 1, 1)),
		exact("section 3/nodes, p=.7", "Node", 10, nodes(.7), genDragen(1, 1, 1, 7)),
		exact("figure 2/nodes", "Node", predict.Unlimited, .46875, genMegaDeTH(10)),
		row{"tune/dragen/section 6.1/E[True], standard errors", "values", oursAtMost(4), func(quick bool) (ours, base figure, err error) {
			n := dragenValues(quick)
			ours.value, err = standardErrors(genComposite(), 10, n, nil, "True")
			return ours, figure{value: float64(n)}, err
		}},
		row{"tune/dragen/appendix B.1/extinction", "paper", ratioWithin(1e-12), func(bool) (ours, base figure, err error) {
			g, err := predict.Read(genB1())
			if err != nil {
				return ours, base, err
			}
			return figure{value: g.Extinction()}, figure{value: .5}, nil
		}},
		row{"tune/dragen/appendix B.1/extinction observed", "predicted", ratioWithin(.01), dragenExtinction},
		row{"tune/dragen/31 types 136 constructors/cpu-s", "local search", oursAtMost(2), func(quick bool) (ours, base figure, err error) {
			b, err := dragenBig(quick)
			return figure{value: b.ours.cpu}, figure{value: b.local.cpu}, err
		}},
		row{"tune/dragen/31 types 136 constructors/cost", "local search", ratioAtMost(1), func(quick bool) (ours, base figure, err error) {
			b, err := dragenBig(quick)
			return figure{value: b.ours.cost}, figure{value: b.local.cost}, err
		}})
}

func dragenValues(quick bool) int {
	if quick {
		return 20_000
	}
	return 1_000_000
}

// asPrinted returns how far the printed row is from the prediction for weights with its
// proportions of leaves, and as many nodes.
func (c dragenRow) asPrinted() (float64, error) {
	g, err := predict.Read(genDragen(1, 1, 1, 1))
	if err != nil {
		return 0, err
	}
	w := predict.Weights{}
	lo, hi := 0.0, 1000.0
	for range 60 {
		for i, constructor := range g.Constructors() {
			w[constructor] = c.predicted[i]
		}
		w[g.Constructors()[3]] = (lo + hi) / 2
		if nodes, _ := g.With(w).ExpectTags(10, "Node"); nodes < c.predicted[3] {
			lo = w[g.Constructors()[3]]
		} else {
			hi = w[g.Constructors()[3]]
		}
	}
	most := 0.0
	for i, tag := range dragenTags {
		mean, _ := g.With(w).ExpectTags(10, tag)
		most = max(most, math.Abs(mean-c.predicted[i]))
	}
	return most, nil
}

// observe returns the largest difference of predicted and observed counts in standard errors:
// with the weights that the optimizer finds, and in the paper.
func (c dragenRow) observe(quick bool) (ours, base figure, err error) {
	g, err := predict.Read(genDragen(1, 1, 1, 1))
	if err != nil {
		return ours, base, err
	}
	w, err := optimize.Weights(g, c.cost)
	if err != nil {
		return ours, base, err
	}
	ours.value, err = standardErrors(genDragen(1, 1, 1, 1), 10, dragenValues(quick), w.Weights)
	for i, tag := range dragenTags {
		if _, variance := g.With(w.Weights).ExpectTags(10, tag); variance > 0 {
			base.value = max(base.value, math.Abs(c.predicted[i]-c.observed[i])/math.Sqrt(variance/100_000))
		}
	}
	return ours, base, err
}

// tuned returns the cost that the optimizer reaches, and that of the printed predictions.
func (c dragenRow) tuned(bool) (ours, base figure, err error) {
	g, err := predict.Read(genDragen(1, 1, 1, 1))
	if err != nil {
		return ours, base, err
	}
	w, err := optimize.Weights(g, c.cost)
	if err != nil {
		return ours, base, err
	}
	p, err := predict.NewProblem(g, c.cost)
	if err != nil {
		return ours, base, err
	}
	base.value = p.CostOf(func(constructor predict.Constructor) float64 {
		for i, tag := range dragenTags {
			if tag == constructor.Tag {
				return c.predicted[i]
			}
		}
		return 0
	})
	return figure{value: w.Cost}, base, nil
}

// standardErrors makes n values of a size and returns the largest difference of predicted and
// observed counts of constructors, in standard errors: of some tags, or of all.
func standardErrors[A any](gen bigen.Gen[A], size, n int, w predict.Weights, tags ...string) (float64, error) {
	g, err := predict.Read(gen)
	if err != nil {
		return 0, err
	}
	if g = g.With(w); len(tags) == 0 {
		tags = dragenTags[:]
	}
	observed, err := observeTags(gen, choices.RandomBy, g.Prior(size), n)
	if err != nil {
		return 0, err
	}
	most := 0.0
	for _, tag := range tags {
		mean, variance := g.ExpectTags(size, tag)
		difference := math.Abs(observed[tag] - mean)
		if variance > 0 {
			difference /= math.Sqrt(variance / float64(n))
		} else if difference > 0 {
			return 0, fmt.Errorf("%s: %v of a constructor without variance", tag, observed[tag])
		}
		most = max(most, difference)
	}
	return most, nil
}

// observeTags returns how often each tag occurs in n values, on average.
func observeTags[A any](gen bigen.Gen[A], by func(*rand.Rand, choices.Prior) choices.Source, prior choices.Prior, n int) (map[string]float64, error) {
	r := rand.New(rand.NewPCG(16, 2))
	counts := map[string]float64{}
	var tree choices.Tree
	for range n {
		var err error
		if _, tree, err = bigen.RunInto(tree, gen, by(r, prior)); err != nil {
			return nil, err
		}
		for i := range tree {
			if tree[i].Kind == choices.Pick {
				counts[tree[i].Tag]++
			}
		}
	}
	for tag := range counts {
		counts[tag] /= float64(n)
	}
	return counts, nil
}

// dragenExtinction returns the share of the values of appendix B.1 that end within 500 picks,
// which are as good as all that end,
// and the predicted one.
func dragenExtinction(quick bool) (ours, base figure, err error) {
	g, err := predict.Read(genB1())
	if err != nil {
		return ours, base, err
	}
	n := 200_000
	if quick {
		n = 40_000
	}
	m := g.Model(predict.Unlimited)
	m.SetLimit(500)
	r, run := rand.New(rand.NewPCG(16, 5)), tune.NewRunner(m)
	gen := genB1()
	var tree choices.Tree
	for range n {
		if _, tree, err = tune.MakeInto(tree, run, gen, r); err == nil {
			ours.value += 1 / float64(n)
		} else if !errors.Is(err, tune.ErrLimit) {
			return ours, base, err
		}
	}
	return ours, figure{value: g.Extinction()}, nil
}

// dragenBigResult is what optimizers reach on a grammar of the size of Bash's.
type dragenBigResult struct{ ours, local bigOptimum }

type bigOptimum struct{ cpu, cost float64 }

var dragenBigKnown = map[bool]dragenBigResult{}

// dragenBig wants 10 of each of 136 constructors of 31 types, of size 10. Local search has 60
// CPU seconds.
func dragenBig(quick bool) (dragenBigResult, error) {
	if b, ok := dragenBigKnown[quick]; ok {
		return b, nil
	}
	g, err := predict.Read(genBashLike())
	if err != nil {
		return dragenBigResult{}, err
	}
	if len(g.Types()) != 31 || len(g.Constructors()) != 136 {
		return dragenBigResult{}, fmt.Errorf("%d types and %d constructors have been read", len(g.Types()), len(g.Constructors()))
	}
	start := cpuTime()
	w, err := optimize.Weights(g, predict.Uniform(10))
	if err != nil {
		return dragenBigResult{}, err
	}
	b := dragenBigResult{ours: bigOptimum{(cpuTime() - start).Seconds(), w.Cost}}
	p, err := predict.NewProblem(g, predict.Uniform(10))
	if err != nil {
		return dragenBigResult{}, err
	}
	limit := 60 * time.Second
	if quick {
		limit = 6 * time.Second
	}
	b.local = localSearch(p, 10, limit)
	dragenBigKnown[quick] = b
	return b, nil
}

// bashLike is a value of any of 31 types.
type bashLike struct{ A, B, C, D *bashLike }

// genBashLike makes values of 31 mutually recursive types with 136 constructors in all, of up to
// four parts at random.
func genBashLike() bigen.Gen[*bashLike] {
	const types, constructors = 31, 136
	alts, gens := make([][]bigen.Alt[*bashLike], types), make([]bigen.Gen[*bashLike], types)
	r := rand.New(rand.NewPCG(4, 4))
	for t := range types {
		alts[t] = append(alts[t], bigen.Tag(fmt.Sprint("T", t), bigen.Nil[bashLike]()))
	}
	for i := types; i < constructors; i++ {
		t := i % types
		var parts []int
		for k := r.IntN(4); k > 0; k-- {
			parts = append(parts, r.IntN(types))
		}
		if i < 2*types {
			parts = append(parts, (t+1)%types)
		}
		alts[t] = append(alts[t], bigen.Tag(fmt.Sprint("C", i), bigen.New(func(c *bigen.C, v *bashLike) {
			for k, field := range []**bashLike{&v.A, &v.B, &v.C, &v.D}[:len(parts)] {
				bigen.At(c, field, gens[parts[k]])
			}
		})))
	}
	for t := range types {
		gens[t] = bigen.Pick(alts[t]...)
	}
	return gens[0]
}
