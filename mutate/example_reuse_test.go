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

// Many mutants, one after the other, in the same memory.
func ExampleMutator_Havoc() {
	tree, _ := bigen.Choices(genRequest, request{"PUT", 1000})
	m := mutate.Mutator{Reuse: true}
	r := rand.New(rand.NewPCG(1, 2))
	var made choices.Tree
	for range 3 {
		edited, _ := m.Havoc(tree, r)
		var v request
		var err error
		v, made, err = bigen.RunInto(made, genRequest, choices.Replay(edited, r))
		fmt.Println(v, made, err)
	}
	// Output:
	// {E 1843391782} "E", 1843391782 <nil>
	// {PUT 3158244649} "PUT", 3158244649 <nil>
	// {PUT 3646115886} "PUT", 3646115886 <nil>
}
