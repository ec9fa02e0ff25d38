package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune"
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
	cost                predict.Cost
	wanted              [4]float64 // counts; 0 if they are free, or excluded
	predicted, observed [4]float64
}

var dragenTags = [4]string{"LeafA", "LeafB", "LeafC", "Node"}

var dragenTable = map[string]dragenRow{
	"uniform": {predict.Uniform(10), [4]float64{10, 10, 10, 10}, [4]float64{5.26, 5.26, 5.21, 14.73}, [4]float64{5.27, 5.26, 5.21, 14.74}},
	"weighted A3 B1 C1": {predict.Weighted(map[string]float64{"LeafA": 3, "LeafB": 1, "LeafC": 1}, 10), [4]float64{30, 10, 10},
		[4]float64{30.07, 9.76, 10.15, 48.96}, [4]float64{30.06, 9.75, 10.16, 48.98}},
	"weighted A1 Node3": {predict.Weighted(map[string]float64{"LeafA": 1, "Node": 3}, 10), [4]float64{10, 0, 0, 30},
		[4]float64{10.07, 3.15, 17.57, 29.80}, [4]float64{10.08, 3.15, 17.58, 29.82}},
	"only A Node": {predict.Only(10, "LeafA", "Node"), [4]float64{10, 0, 0, 10}, [4]float64{10.41, 0, 0, 9.41}, [4]float64{10.43, 0, 0, 9.43}},
	"without C":   {predict.Without(10, "LeafC"), [4]float64{10, 10, 0, 10}, [4]float64{6.95, 6.95, 0, 12.91}, [4]float64{6.93, 6.92, 0, 12.86}},
}

// The rows of tune/dragen repeat the figures of "Branching Processes for QuickCheck Generators": Table 1,
// and examples of its sections. The paper's numbers are the baselines.

// dragenNodes compares an expected count of nodes with its formula.
func dragenNodes(gen bigen.Gen[*dragenTree], size int, want float64) measure {
	return func(run) (ours, base figure, err error) {
		g, err := predict.Read(gen)
		if err != nil {
			return ours, base, err
		}
		ours.value, _ = g.ExpectTags(size, "Node")
		return ours, number(want), nil
	}
}

// dragenLevels returns how many nodes levels 0 to 9 have, if each part is one with a probability.
func dragenLevels(p float64) float64 { return p * (1 - math.Pow(2*p, 10)) / (1 - 2*p) }

func dragenValues(r run) int { return pick(r, 1_000_000, 20_000) }

// dragenTrue compares the expected count of the composite tree's True with that of values.
func dragenTrue(r run) (ours, base figure, err error) {
	ours.value, err = standardErrors(genComposite(), 10, dragenValues(r), nil, "True")
	return ours, number(float64(dragenValues(r))), err
}

// dragenDies returns the probability of extinction in appendix B.1.
func dragenDies(run) (ours, base figure, err error) {
	g, err := predict.Read(genB1())
	if err != nil {
		return ours, base, err
	}
	return number(g.Extinction()), number(.5), nil
}

// dragenObserved returns the largest difference of predicted and observed counts in standard errors:
// with the weights that the optimizer finds, and in the paper.
func dragenObserved(r run) (ours, base figure, err error) {
	c := dragenTable[r.args[0]]
	g, err := predict.Read(genDragen(1, 1, 1, 1))
	if err != nil {
		return ours, base, err
	}
	fitted, _, err := g.Fit(c.cost)
	if err != nil {
		return ours, base, err
	}
	ours.value, err = standardErrors(genDragen(1, 1, 1, 1), 10, dragenValues(r), fitted.Weights())
	for i, tag := range dragenTags {
		if _, variance := fitted.ExpectTags(10, tag); variance > 0 {
			base.value = max(base.value, math.Abs(c.predicted[i]-c.observed[i])/math.Sqrt(variance/100_000))
		}
	}
	return ours, base, err
}

// dragenCost returns the cost that the optimizer reaches, and that of the printed predictions.
func dragenCost(r run) (ours, base figure, err error) {
	c := dragenTable[r.args[0]]
	g, err := predict.Read(genDragen(1, 1, 1, 1))
	if err != nil {
		return ours, base, err
	}
	_, cost, err := g.Fit(c.cost)
	for i, n := range c.wanted {
		if n > 0 {
			base.value += (c.predicted[i] - n) * (c.predicted[i] - n) / n
		}
	}
	return number(cost), base, err
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
	observed, err := observeTags(gen, g.Model(size).Prior(), n)
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
func observeTags[A any](gen bigen.Gen[A], prior choices.Prior, n int) (map[string]float64, error) {
	r := rand.New(rand.NewPCG(16, 2))
	counts := map[string]float64{}
	var tree choices.Tree
	for range n {
		var err error
		if _, tree, err = bigen.RunInto(tree, gen, choices.RandomBy(r, prior)); err != nil {
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
// which are as good as all that end, and the predicted one.
func dragenExtinction(r run) (ours, base figure, err error) {
	g, err := predict.Read(genB1())
	if err != nil {
		return ours, base, err
	}
	n := pick(r, 200_000, 40_000)
	m := g.Model(predict.Unlimited)
	m.SetLimit(500)
	tune.Of(genB1()).Sample(m, 5, n, func(r *tune.Run) {
		if !r.Failed {
			ours.value += 1 / float64(n)
		}
	})
	return ours, figure{value: g.Extinction()}, nil
}
