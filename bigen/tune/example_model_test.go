package tune_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune"
)

// genLight makes a color, as a pick among three alternatives.
var genLight = bigen.Pick(
	bigen.Tag("green", bigen.Just("green")),
	bigen.Tag("yellow", bigen.Just("yellow")),
	bigen.Tag("red", bigen.Just("red")),
)

// Points lists what a model can say of a generator.
func ExamplePoints() {
	for _, p := range tune.Points(genLight) {
		fmt.Println(p.String())
	}
	// Output:
	// green|yellow|red
}

// A model by hand: each choice point has a sampler, here with a weight for each alternative.
func ExampleModel_Set() {
	m := tune.New()
	for _, p := range tune.Points(genLight) {
		m.Set(p, tune.Histogram{0, .25, .75})
	}
	r, count := rand.New(rand.NewPCG(1, 2)), map[string]int{}
	for range 1000 {
		light, err := tune.Sample(m, genLight, r)
		if err != nil {
			fmt.Println(err)
			return
		}
		count[light]++
	}
	fmt.Println(count["green"], count["yellow"] < 300, count["red"] > 700)
	// Output:
	// 0 true true
}
