package tune_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/espalier-go/espalier/bigen/tune"
	"github.com/espalier-go/espalier/examples/trees"
)

func ExampleCrossEntropy() {
	s := tune.Of(trees.Gen(),
		tune.Measure("size", 15, func(t trees.Tree) float64 { return float64(t.Size()) }),
		tune.Measure("height", 4, func(t trees.Tree) float64 { return float64(t.Height()) }))
	var last tune.Progress
	m, err := tune.CrossEntropy(context.Background(), s, tune.Options{
		Share:    .9,
		Limit:    100,
		Progress: func(p tune.Progress) { last = p },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(last.Round < 20, last.Within >= .9)
	v, err := tune.Sample(m, trees.Gen(), rand.New(rand.NewPCG(1, 2)))
	fmt.Println(v.Size() >= 13 && v.Size() <= 17, v.Height(), err)
	// Output:
	// true true
	// true 4 <nil>
}

// A model of two parameters, p and r: a node at depth d has a geometric number of children with
// p r^d.
func ExampleDifferential() {
	size := func(t trees.Tree) float64 { return float64(t.Size()) }
	s := tune.Of(trees.Gen(), tune.Measure("size", 20, size))
	m := tune.New()
	m.SetLimit(1000)
	for _, p := range tune.Points(trees.Gen()) {
		p.In = tune.Anywhere
		m.Set(p, tune.Decay{Sampler: tune.Geometric{P: .5}, Rates: []float64{.5}})
	}
	m, err := tune.Differential(context.Background(), s, m, tune.Options{
		Rounds:     20,
		Population: 30,
		Values:     25,
	})
	fmt.Println(err)
	mean := 0.0
	for i := range 200 {
		v, _ := tune.Sample(m, trees.Gen(), rand.New(rand.NewPCG(2, uint64(i))))
		mean += size(v) / 200
	}
	fmt.Println(mean > 10 && mean < 30)
	// Output:
	// <nil>
	// true
}
