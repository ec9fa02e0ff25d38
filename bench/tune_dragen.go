package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune/predict"
	"github.com/espalier-go/espalier/choices"
)

// dragenTree is the type of "Branching Processes for QuickCheck Generators", section 2.
type dragenTree struct{ L, R *dragenTree }

func genDragen() bigen.Gen[*dragenTree] {
	return bigen.Pick(
		bigen.Tag("LeafA", bigen.Nil[dragenTree]()),
		bigen.Tag("LeafB", bigen.Nil[dragenTree]()),
		bigen.Tag("LeafC", bigen.Nil[dragenTree]()),
		bigen.Tag("Node", bigen.New(func(c *bigen.C, t *dragenTree) {
			bigen.At(c, &t.L, bigen.Lazy(genDragen))
			bigen.At(c, &t.R, bigen.Lazy(genDragen))
		})))
}

// dragenRow is a row of Table 1, as printed.
type dragenRow struct {
	cost                predict.Cost
	wanted              [4]float64 // counts; 0 if they are free, or excluded
	predicted, observed [4]float64
}

var dragenTags = [4]string{"LeafA", "LeafB", "LeafC", "Node"}

var dragenTable = map[string]dragenRow{
	"uniform": {predict.Uniform(10), [4]float64{10, 10, 10, 10},
		[4]float64{5.26, 5.26, 5.21, 14.73}, [4]float64{5.27, 5.26, 5.21, 14.74}},
	"weighted A3 B1 C1": {predict.Weighted(map[string]float64{"LeafA": 3, "LeafB": 1, "LeafC": 1},
		10), [4]float64{30, 10, 10},
		[4]float64{30.07, 9.76, 10.15, 48.96}, [4]float64{30.06, 9.75, 10.16, 48.98}},
	"weighted A1 Node3": {predict.Weighted(map[string]float64{"LeafA": 1, "Node": 3}, 10),
		[4]float64{10, 0, 0, 30},
		[4]float64{10.07, 3.15, 17.57, 29.80}, [4]float64{10.08, 3.15, 17.58, 29.82}},
	"only A Node": {predict.Only(10, "LeafA", "Node"), [4]float64{10, 0, 0, 10},
		[4]float64{10.41, 0, 0, 9.41}, [4]float64{10.43, 0, 0, 9.43}},
	"without C": {predict.Without(10, "LeafC"), [4]float64{10, 10, 0, 10},
		[4]float64{6.95, 6.95, 0, 12.91}, [4]float64{6.93, 6.92, 0, 12.86}},
}

// The rows of tune/dragen repeat Table 1. The paper's numbers are the baselines. What its sections
// compute is in the tests of package predict.

// dragenObserved returns the largest difference of predicted and observed counts in standard
// errors: with the weights that the optimizer finds, and in the paper.
func dragenObserved(r run) (ours, base figure, err error) {
	c := dragenTable[r.args[0]]
	g, err := predict.Read(genDragen())
	if err != nil {
		return ours, base, err
	}
	fitted, _, err := g.Fit(context.Background(), c.cost)
	if err != nil {
		return ours, base, err
	}
	ours.value, err = standardErrors(fitted, 10, pick(r, 1_000_000, 20_000))
	for i, tag := range dragenTags {
		if _, variance := fitted.ExpectTags(10, tag); variance > 0 {
			base.value = max(base.value, math.Abs(c.predicted[i]-c.observed[i])/math.Sqrt(variance/100_000))
		}
	}
	return ours, base, err
}

// dragenCost returns the costs that the optimizer reaches and that the printed predictions have.
func dragenCost(r run) (ours, base figure, err error) {
	c := dragenTable[r.args[0]]
	g, err := predict.Read(genDragen())
	if err != nil {
		return ours, base, err
	}
	_, cost, err := g.Fit(context.Background(), c.cost)
	for i, n := range c.wanted {
		if n > 0 {
			base.value += (c.predicted[i] - n) * (c.predicted[i] - n) / n
		}
	}
	return number(cost), base, err
}

// standardErrors makes n values of a size and returns the largest difference of predicted and
// observed counts of constructors, in standard errors.
func standardErrors(g *predict.Grammar, size, n int) (float64, error) {
	observed, err := observeTags(g.Model(size).Prior(), n)
	if err != nil {
		return 0, err
	}
	most := 0.0
	for _, tag := range dragenTags {
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
func observeTags(prior choices.Prior, n int) (map[string]float64, error) {
	r := rand.New(rand.NewPCG(16, 2))
	gen, counts := genDragen(), map[string]float64{}
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
