package fuzzext

import (
	"cmp"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext/internal/batch"
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
	made := make([]V, batch.Size)
	i := len(made)
	return func() V {
		if i == len(made) {
			b.StopTimer()
			for i = range made {
				v, _ := values.Make(i)
				made[i], _ = v.(V) // nil is a value of an interface type
			}
			i = 0
			b.StartTimer()
		}
		i++
		return made[i-1]
	}
}

func batchOf(b *testing.B, g bigen.Gen[any], opts []Option) *batch.Batch {
	b.Helper()
	o := newOptions(opts)
	if err := o.loadPrior(); err != nil {
		b.Fatal(err)
	}
	values, err := batch.New(g, o.prior, cmp.Or(flags.seed, o.seed, 1))
	if err != nil {
		b.Fatalf("fuzzext.Values: %v", err)
	}
	return values
}
