package varied_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/internal/subjects"
	"github.com/espalier-go/espalier/choices/varied"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
)

// Both report the time of a value, and of a choice.

func BenchmarkVaried(b *testing.B) {
	benchmarkValues(b, func(r *rand.Rand, i int) choices.Source { return varied.Source(r, i) })
}

func BenchmarkRandom(b *testing.B) {
	benchmarkValues(b, func(r *rand.Rand, _ int) choices.Source { return choices.Random(r) })
}

func benchmarkValues(b *testing.B, source func(r *rand.Rand, i int) choices.Source) {
	b.Run("trees", func(b *testing.B) { benchmark(b, bsttest.Gen(0, 99), source) })
	b.Run("integers", func(b *testing.B) {
		benchmark(b, bigen.SliceOf(bigen.IntRange(0, 1<<20), 0, math.MaxInt), source)
	})
	b.Run("events", func(b *testing.B) {
		benchmark(b, bigen.SliceOf(subjects.Events, 0, math.MaxInt), source)
	})
	b.Run("expressions", func(b *testing.B) { benchmark(b, subjects.Exprs(6), source) })
	b.Run("operations", func(b *testing.B) { benchmark(b, subjects.Ops, source) })
	b.Run("nested", func(b *testing.B) { benchmark(b, genNested, source) })
	b.Run("small", func(b *testing.B) {
		benchmark(b, bigen.ArrayOf[[2]int](bigen.IntRange(0, 1000)), source)
	})
}

func benchmark[A any](
	b *testing.B, g bigen.Gen[A], source func(r *rand.Rand, i int) choices.Source,
) {
	b.ReportAllocs()
	r := subjects.Rand(1)
	i, made := 0, 0
	for b.Loop() {
		_, t, err := bigen.Run(g, source(r, i))
		if err != nil {
			b.Fatal(err)
		}
		made += len(t)
		i++
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(made), "ns/choice")
	b.ReportMetric(float64(made)/float64(i), "choices/value")
}

// genNested makes lists of lists.
var genNested = func() (g bigen.Gen[any]) {
	self := bigen.Lazy(func() bigen.Gen[any] { return g })
	return bigen.Pick(
		bigen.Case[any]("number", bigen.Int[int64]()).Weight(3),
		bigen.Case[any]("list", bigen.SliceOf(self, 0, 4)),
	)
}()
