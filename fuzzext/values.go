package fuzzext

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
)

// Values returns a function that returns values of g for a benchmark, one after the other:
//
//	func BenchmarkInsert(b *testing.B) {
//		next := fuzzext.Values(b, genBST)
//		for b.Loop() {
//			next().Insert(3)
//		}
//	}
//
// They are made while the benchmark's clock stands, so that making them costs no time of it and no
// allocations. Each is new, so the loop may change it. But each run has the same ones: 256 valid
// values by the generator's own distribution, made again and again. So runs compare. [Seed] or
// -fuzzext.seed selects others. [WithModel] and [WithPolicy] make them; no other option counts.
func Values[V any](b *testing.B, g bigen.Gen[V], opts ...Option) (next func() V) {
	b.Helper()
	values := batchOf(b, bigen.Any(g), opts)
	made := make([]V, batchSize)
	i := len(made)
	return func() V {
		if i == len(made) {
			b.StopTimer()
			for i = range made {
				v, _ := values.valueOf(i)
				made[i], _ = v.(V) // nil is a value of an interface type
			}
			i = 0
			b.StartTimer()
		}
		i++
		return made[i-1]
	}
}

func batchOf(b *testing.B, g bigen.Gen[any], opts []Option) *batch {
	b.Helper()
	o := newOptions(opts)
	if err := o.loadPrior(); err != nil {
		b.Fatal(err)
	}
	values, err := newBatch(g, o.prior, cmp.Or(flags.seed, o.seed, 1))
	if err != nil {
		b.Fatalf("fuzzext.Values: %v", err)
	}
	return values
}

// batchSize is how many values a batch has.
const batchSize = 256

// A batch makes the same valid values again and again.
type batch struct {
	gen   bigen.Gen[any]
	prior choices.Prior // or nil
	seed  uint64
	valid [batchSize]uint64 // which random values these are
}

// newBatch returns a batch, or an error if hardly any value is valid. prior may be nil.
func newBatch(g bigen.Gen[any], prior choices.Prior, seed uint64) (*batch, error) {
	b := &batch{gen: g, prior: prior, seed: seed}
	for i, tried := 0, uint64(0); i < batchSize; tried++ {
		b.valid[i] = tried
		if _, err := b.valueOf(i); err == nil {
			i++
		} else if tried == 100*batchSize {
			return nil, fmt.Errorf("of %d values, the generator rejects all but %d: make it "+
				"produce valid ones by construction: %w", tried, i, err)
		}
	}
	return b, nil
}

// valueOf makes the i-th value.
func (b *batch) valueOf(i int) (any, error) {
	r := rand.New(rand.NewPCG(b.seed, b.valid[i]))
	if b.prior != nil {
		return bigen.Value(b.gen, choices.RandomBy(r, b.prior))
	}
	return bigen.Value(b.gen, choices.Random(r))
}
