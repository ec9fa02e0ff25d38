package main

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune/predict"
	"github.com/espalier-go/espalier/choices"
)

// The rows of tune/dragen/sizes have what Figures 3 and 12 of "Branching Processes for QuickCheck
// Generators" show: how much the sizes of trees differ, by three ways to make them. A size is a
// number of constructors. The figure is the entropy of sizes, in bits.

const (
	megaDeTH = "MegaDeTH, of size 10"
	feat     = "Feat, of up to 400"
)

// sizes compares trees of weights that are fitted to uniform counts with others.
func sizes(of func(n int) (shares map[int]float64, err error)) measure {
	return func(r run) (ours, base figure, err error) {
		n := pick(r, 100_000, 10_000)
		g, err := predict.Read(genDragen())
		if err != nil {
			return ours, base, err
		}
		fitted, _, err := g.Fit(context.Background(), predict.Uniform(10))
		if err != nil {
			return ours, base, err
		}
		tuned, err := sizesOf(genDragen(), fitted.Model(10).Prior(), n)
		if err != nil {
			return ours, base, err
		}
		others, err := of(n)
		return number(entropy(tuned)), number(entropy(others)), err
	}
}

// sizesOf returns how large a part of n values each size has.
func sizesOf(g bigen.Gen[*dragenTree], prior choices.Prior, n int) (map[int]float64, error) {
	r, shares := rand.New(rand.NewPCG(16, 3)), map[int]float64{}
	for range n {
		src := choices.Random(r)
		if prior != nil {
			src = choices.RandomBy(r, prior)
		}
		_, tree, err := bigen.Run(g, src)
		if err != nil {
			return nil, err
		}
		shares[len(tree)] += 1 / float64(n)
	}
	return shares, nil
}

// megaDeTHSizes are of a generator that takes each constructor as often, and halves its size for
// parts (Figure 2).
func megaDeTHSizes(n int) (map[int]float64, error) { return sizesOf(genHalving(10), nil, n) }

func genHalving(size int) bigen.Gen[*dragenTree] {
	alts := []bigen.Alt[*dragenTree]{
		bigen.Tag("LeafA", bigen.Nil[dragenTree]()),
		bigen.Tag("LeafB", bigen.Nil[dragenTree]()),
		bigen.Tag("LeafC", bigen.Nil[dragenTree]()),
	}
	if size > 0 {
		alts = append(alts, bigen.Tag("Node", bigen.New(func(c *bigen.C, t *dragenTree) {
			bigen.At(c, &t.L, genHalving(size/2))
			bigen.At(c, &t.R, genHalving(size/2))
		})))
	}
	return bigen.Pick(alts...)
}

// featSizes are of all trees of up to 400 constructors, each as likely. There are C·3^(k+1) trees of k
// nodes, where C is the k-th Catalan number.
func featSizes(int) (map[int]float64, error) {
	logs, most := map[int]float64{}, math.Inf(-1)
	for k := 0; 2*k+1 <= 400; k++ {
		x := float64(k)
		all, _ := math.Lgamma(2*x + 1)
		once, _ := math.Lgamma(x + 1)
		more, _ := math.Lgamma(x + 2)
		logs[2*k+1] = all - once - more + (x+1)*math.Log(3)
		most = max(most, logs[2*k+1])
	}
	shares, sum := map[int]float64{}, 0.0
	for size, l := range logs {
		shares[size] = math.Exp(l - most)
		sum += shares[size]
	}
	for size := range shares {
		shares[size] /= sum
	}
	return shares, nil
}

// entropy returns the entropy of shares in bits.
func entropy(shares map[int]float64) (bits float64) {
	for _, p := range shares {
		if p > 0 {
			bits -= p * math.Log2(p)
		}
	}
	return bits
}
