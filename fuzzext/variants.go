package fuzzext

import (
	"math/rand/v2"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
	"github.com/espalier-go/espalier/mutate"
)

// variantSources makes the sources of the variants of an input: half are mutants of its value, half are values
// made from nothing. They are a function of the input alone, so that the input reproduces
// the failure of any of them.
type variantSources struct {
	options *options
	seed    uint64
	tree    choices.Tree // of the value
}

func newVariantSources(x *spec, b []byte, tree choices.Tree) *variantSources {
	return &variantSources{options: &x.options, seed: hash.FNV64(b), tree: tree}
}

// source returns the source of the i-th variant.
func (v *variantSources) source(i int) choices.Source {
	r := rand.New(rand.NewPCG(v.seed, uint64(i+1)))
	if i%2 == 0 {
		var m mutate.Mutator
		if edited, ok := m.Havoc(v.tree, r); ok {
			return choices.Replay(edited, r)
		}
	}
	return v.options.randomSource(r)
}
