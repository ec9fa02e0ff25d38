package mutate_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/mutate"
)

type request struct {
	Method string
	ID     uint32
}

var genRequest = bigen.Struct(func(c *bigen.C, r *request) {
	bigen.At(c, &r.Method, bigen.StringOf(choices.RuneRanges('A', 'Z'), 1, 8))
	bigen.At(c, &r.ID, bigen.IntRange[uint32](0, math.MaxUint32))
})

// The code under test has compared the method with "OPTIONS", and the ID with a magic number.
func ExampleSubstitutions() {
	tree, err := bigen.Choices(genRequest, request{"QX", 31415})
	if err != nil {
		fmt.Println(err)
		return
	}
	numbers := []mutate.NumberComparison{{Site: 1, A: 0xCAFE, B: 31415, Size: 4, Const: true}}
	texts := []mutate.TextComparison{{Site: 2, A: []byte("QX"), B: []byte("OPTIONS")}}
	for _, s := range mutate.Substitutions(tree, numbers, texts)[:2] {
		v, err := bigen.Value(genRequest, choices.Replay(s.Apply(tree), nil))
		fmt.Println(v, err)
	}
	// Output:
	// {OPTIONS 31415} <nil>
	// {QX 51966} <nil>
}

// What was compared with one value may come into any other.
func ExampleDictionary() {
	var d mutate.Dictionary
	tree, _ := bigen.Choices(genRequest, request{"QX", 31415})
	d.Add(tree,
		[]mutate.NumberComparison{{Site: 1, A: 0xCAFE, B: 31415, Size: 4, Const: true}},
		[]mutate.TextComparison{{Site: 2, A: []byte("QX"), B: []byte("OPTIONS")}})
	fmt.Println(d.Marks())

	m := mutate.Mutator{Dictionary: d.Marks()}
	r := rand.New(rand.NewPCG(1, 2))
	other, _ := bigen.Choices(genRequest, request{"PUT", 1})
	edited, _ := m.Constant(other, r)
	fmt.Println(bigen.Value(genRequest, choices.Replay(edited, r)))
	// Output:
	// [51966 51966 "OPTIONS"]
	// {OPTIONS 1} <nil>
}

// Many mutants, one after the other, in the same memory.
func ExampleMutator_Havoc() {
	tree, _ := bigen.Choices(genRequest, request{"PUT", 1000})
	m := mutate.Mutator{Reuse: true}
	r := rand.New(rand.NewPCG(1, 2))
	var replayer choices.Replayer
	var made choices.Tree
	for range 3 {
		edited, _ := m.Havoc(tree, r)
		var v request
		var err error
		v, made, err = bigen.RunInto(made, genRequest, replayer.Replay(edited, r))
		fmt.Println(v, made, err)
	}
	// Output:
	// {E 1843391782} "E", 1843391782 <nil>
	// {PUT 3158244649} "PUT", 3158244649 <nil>
	// {PUT 3646115886} "PUT", 3646115886 <nil>
}
