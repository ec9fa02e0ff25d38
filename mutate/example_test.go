package mutate_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
	"github.com/espalier-go/espalier/mutate"
)

// A value that no generator has made is mutated; the mutants are search trees.
func Example() {
	gen := bsttest.Gen(1, 9)
	value := &bsttest.Tree{L: &bsttest.Tree{X: 3}, X: 5, R: &bsttest.Tree{X: 7}}
	c, err := bigen.Choices(gen, value)
	fmt.Println(c, err)
	r := rand.New(rand.NewPCG(3, 1))
	for range 3 {
		edited := mutate.Any(c, mutate.SameTag, r)
		mutant, made, err := bigen.Run(gen, choices.Replay(edited, r))
		fmt.Println(edited, "gives", made, mutant.Keys(), err)
	}
	// Output:
	// node(5, node(3, leaf, leaf), node(7, leaf, leaf)) <nil>
	// node(5, node(3, leaf, leaf), node(7!, leaf, leaf)) gives node(5, node(3, leaf, leaf), node(6, leaf)) [3 5 6] <nil>
	// node(5, node(7, leaf, leaf), node(3, leaf, leaf)) gives node(5, node(1, leaf), node(8, leaf, leaf)) [1 5 8] <nil>
	// node(3, leaf, leaf) gives node(3, leaf, leaf) [3] <nil>
}

// The simplest tree in which some node has two children.
func ExampleMinimize() {
	var twoChildren func(t *bsttest.Tree) bool
	twoChildren = func(t *bsttest.Tree) bool {
		return t != nil && (t.L != nil && t.R != nil || twoChildren(t.L) || twoChildren(t.R))
	}
	gen := bsttest.Gen(1, 99)
	_, c, err := bigen.Run(gen, choices.Random(rand.New(rand.NewPCG(1, 1))))
	simplest, steps, runs := mutate.Minimize(c,
		func(edited choices.Tree) (*bsttest.Tree, choices.Tree, error) {
			return bigen.Run(gen, choices.Replay(edited, nil))
		}, twoChildren, 1000)
	fmt.Println(len(c), "choices,", err)
	fmt.Println(simplest, "after", steps, "steps in", runs, "runs")
	// Output:
	// 94 choices, <nil>
	// node(2, node(1), node(3, leaf)) after 6 steps in 19 runs
}
