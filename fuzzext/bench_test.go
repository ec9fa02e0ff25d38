package fuzzext

import (
	"math/rand/v2"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
)

// BenchmarkCheck runs a trivial property on trees, beside a loop that makes the same
// values and calls the property itself.
func BenchmarkCheck(b *testing.B) {
	gen := bsttest.Gen(0, 29) // about 20 nodes
	full := 0
	prop := func(t *T, v *bsttest.Tree) {
		if v != nil {
			full++
		}
	}
	newSource := func(i int) choices.Source {
		return choices.Random(rand.New(rand.NewPCG(1, uint64(i))))
	}
	b.Run("empty", func(b *testing.B) {
		b.ReportAllocs()
		tr := trialOf(b, bigen.Just(true), func(*T, bool) {})
		src := choices.FromBytes(nil)
		tr.each(tr.spec.makerOf(new(choices.Tree), func(int) choices.Source { return src }),
			func(i int, t *T) bool {
				tr.recycle(t)
				return i+1 < b.N
			})
		tr.end()
	})
	b.Run("empty plain", func(b *testing.B) {
		b.ReportAllocs()
		x := specOf(bigen.Just(true), func(*T, bool) {})
		t := &T{testingTB: b}
		src := choices.FromBytes(nil)
		for range b.N {
			v, _, _ := bigen.Run(x.gen, src)
			x.prop(t, v)
		}
	})
	b.Run("plain", func(b *testing.B) {
		b.ReportAllocs()
		t := &T{testingTB: b}
		for i := range b.N {
			v, _, err := bigen.Run(gen, newSource(i))
			if err != nil {
				b.Fatal(err)
			}
			prop(t, v)
		}
	})
	b.Run("each", func(b *testing.B) {
		b.ReportAllocs()
		tr := trialOf(b, gen, prop)
		tr.each(tr.spec.makerOf(new(choices.Tree), newSource), func(i int, t *T) bool {
			tr.recycle(t)
			return i+1 < b.N
		})
		tr.end()
	})
}

// BenchmarkRun is the least that an execution of the engine costs.
func BenchmarkRun(b *testing.B) {
	b.ReportAllocs()
	x := specOf(bigen.Just(true), func(*T, bool) {})
	for range b.N {
		tr := newTrial(x, home{}, b)
		tr.each(tr.spec.makerOf(new(choices.Tree), func(int) choices.Source {
			return choices.FromBytes(nil)
		}), func(int, *T) bool { return false })
		tr.end()
	}
}
