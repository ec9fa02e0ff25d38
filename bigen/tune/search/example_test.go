package search_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sort"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune"
	"github.com/espalier-go/espalier/bigen/tune/search"
	"github.com/espalier-go/espalier/examples/trees"
)

func ExampleCrossEntropy() {
	s := search.Of(trees.Gen(),
		tune.Measure("size", 30, func(t trees.Tree) float64 { return float64(t.Size()) }),
		tune.Measure("height", 4, func(t trees.Tree) float64 { return float64(t.Height()) }))
	var last search.Progress
	m, err := search.CrossEntropy(context.Background(), s, search.CrossEntropyOptions{
		Share:    .9,
		Progress: func(p search.Progress) { last = p },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(last.Round < 20, last.Within >= .9)
	v, err := tune.Sample(m, trees.Gen(), rand.New(rand.NewPCG(1, 2)))
	fmt.Println(v.Size() >= 27 && v.Size() <= 33, v.Height(), err)
	// Output:
	// true true
	// true 4 <nil>
}

// A model of two parameters, p and r: a node at depth d has a geometric number of children with
// p r^d.
func ExampleDifferential() {
	size := func(t trees.Tree) float64 { return float64(t.Size()) }
	s := search.Of(trees.Gen(), tune.Measure("size", 20, size))
	m := tune.New()
	m.SetLimit(1000)
	for _, p := range tune.Inspect(trees.Gen(), rand.New(rand.NewPCG(1, 1)), 100, .1, 1000).Points {
		p.In = tune.Anywhere
		m.Set(p.Point, tune.Decay{Sampler: tune.Geometric{P: .5}, Rates: []float64{.5}})
	}
	m, err := search.Differential(context.Background(), s, m, search.DifferentialOptions{Evaluations: 600, Population: 30, Values: 25})
	fmt.Println(len(m.Params()), err)
	mean := 0.0
	for i := range 1000 {
		v, _ := tune.Sample(m, trees.Gen(), rand.New(rand.NewPCG(2, uint64(i))))
		mean += size(v) / 1000
	}
	fmt.Println(mean > 10 && mean < 30)
	// Output:
	// 2 <nil>
	// true
}

func ExampleValidEntropy() {
	// The property accepts ascending numbers only, which the generator knows nothing of.
	g := bigen.SliceOf(bigen.IntRange(0, 9), 0, 6)
	s := search.OfValid(g, func(v []int) bool { return len(v) > 1 && sort.IntsAreSorted(v) })
	var first, last search.Progress
	_, err := search.ValidEntropy(context.Background(), s, search.EntropyOptions{Contexts: true, Progress: func(p search.Progress) {
		if p.Round == 1 {
			first = p
		}
		last = p
	}})
	fmt.Println(first.Within < .2, last.Within > .9, last.Entropy > 2*first.Entropy, err)
	// Output:
	// true true true <nil>
}
