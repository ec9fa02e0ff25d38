package mutate_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"

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
	valid := 0
	for range 1000 {
		edited, _ := m.Havoc(tree, r)
		var v request
		v, made, _ = bigen.RunInto(made, genRequest, choices.Replay(edited, r))
		if regexp.MustCompile(`^[A-Z]{1,8}$`).MatchString(v.Method) {
			valid++
		}
	}
	fmt.Println(valid, "valid requests")
	// Output: 1000 valid requests
}
