package tune_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/espalier-go/espalier/bigen"
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

// binomial counts the heads of N coins, each of which shows a head with the probability P.
type binomial struct {
	N int
	P float64
}

func (s binomial) Params() []float64                  { return []float64{s.P} }
func (s binomial) With(params []float64) tune.Weigher { return binomial{s.N, params[0]} }
func (s binomial) Outcomes() int                      { return s.N + 1 }
func (s binomial) Given() []tune.Given                { return nil }

func (s binomial) Weights(_ []int, w []float64) {
	for k := range w {
		w[k] = math.Pow(s.P, float64(k)) * math.Pow(1-s.P, float64(s.N-k))
		for i := range k {
			w[k] *= float64(s.N-i) / float64(i+1)
		}
	}
}

// A sampler of one's own: the mean of a binomial distribution is found by its parameter.
func ExampleOwn() {
	gen := bigen.IntRange(0, 10)
	s := tune.Of(gen, tune.Measure("mean", 7, func(n int) float64 { return float64(n) }))
	m := tune.New()
	m.Set(tune.Points(gen)[0], tune.Own(binomial{10, .5}))
	m, err := tune.Differential(context.Background(), s, m, tune.Options{Rounds: 30, Values: 100})
	fmt.Println(err)
	sum := 0
	for i := range 1000 {
		v, _ := tune.Sample(m, gen, rand.New(rand.NewPCG(2, uint64(i))))
		sum += v
	}
	fmt.Println(sum > 6500 && sum < 7500)
	// Output:
	// <nil>
	// true
}
