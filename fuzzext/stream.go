package fuzzext

import (
	"math/rand/v2"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/mutate"
)

// source returns the source of the i-th value of a Check: the values that have
// failed, the examples, and then those of stream.
func (x *execution[V]) source(i int) choices.Source {
	c := x.check
	if i < len(c.saved) {
		return x.decode(c.saved[i].Data)
	}
	i -= len(c.saved)
	if i < len(c.examples) {
		return choices.Replay(c.examples[i], nil)
	}
	return x.streamed(i - len(c.examples))
}

// streamed returns the source of the i-th random value, a function of i and the seed
// alone: of each four, three are made anew, with a policy the first by that, and the
// fourth is a mutant of one of the three.
func (x *execution[V]) streamed(i int) choices.Source {
	const of = 4
	block, n := uint64(i)/of, uint64(i)%of
	r := rand.New(rand.NewPCG(x.check.seed+uint64(i)*0x9E3779B97F4A7C15, x.check.stream))
	switch {
	case n == 0 && x.prior != nil:
		return x.anewByPolicy(r)
	case n < of-1:
		return choices.Varied(r, int(block*(of-1)+n))
	}
	if _, t, err := bigen.Run(x.gen, x.streamed(i-1-int(r.Uint64()%(of-1)))); err == nil {
		var m mutate.Mutator
		if edited, ok := m.Havoc(t, r); ok {
			return choices.Replay(edited, r)
		}
	}
	return choices.Random(r)
}
