// Package batch makes values for benchmarks.
package batch

import (
	"fmt"
	"math/rand/v2"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
)

// Size is how many values a batch has.
const Size = 256

// A Batch makes the same valid values again and again.
type Batch struct {
	gen   bigen.Gen[any]
	prior choices.Prior // or nil
	seed  uint64
	valid [Size]uint64 // which random values these are
}

// New returns a batch, or an error if hardly any value is valid. prior may be nil.
func New(g bigen.Gen[any], prior choices.Prior, seed uint64) (*Batch, error) {
	b := &Batch{gen: g, prior: prior, seed: seed}
	for i, tried := 0, uint64(0); i < Size; tried++ {
		b.valid[i] = tried
		if _, err := b.Make(i); err == nil {
			i++
		} else if tried == 100*Size {
			return nil, fmt.Errorf("of %d values, the generator rejects all but %d: make it produce valid ones by construction: %w", tried, i, err)
		}
	}
	return b, nil
}

// Make makes the i-th value.
func (b *Batch) Make(i int) (any, error) {
	r := rand.New(rand.NewPCG(b.seed, b.valid[i]))
	if b.prior != nil {
		return bigen.Value(b.gen, choices.RandomBy(r, b.prior))
	}
	return bigen.Value(b.gen, choices.Random(r))
}
