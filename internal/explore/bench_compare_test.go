package explore

import (
	"fmt"
	"testing"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/engine"
)

// The time for 200 leaves and as many comparisons as are recorded.
func BenchmarkSubstitutions(b *testing.B) {
	for _, values := range []int64{10, 1000, 1 << 40} {
		b.Run(fmt.Sprint(values), func(b *testing.B) {
			r := rng(5)
			var tree choices.Tree
			for i := range 200 {
				if i%2 == 0 {
					tree = append(tree, int64s(r.Int64N(values)))
				} else {
					tree = append(tree, text(fmt.Sprintf("some text of %d", r.Int64N(values))))
				}
			}
			var numbers []engine.NumberComparison
			for range 4096 {
				numbers = append(numbers, engine.NumberComparison{
					Site:  r.Uint64N(100),
					A:     r.Uint64N(uint64(values)),
					B:     r.Uint64N(uint64(values)),
					Size:  8,
					Const: r.IntN(2) == 0,
				})
			}
			var texts []engine.TextComparison
			for range 256 {
				texts = append(texts, engine.TextComparison{
					Site: r.Uint64N(100),
					A:    []byte(tree[1+2*r.IntN(100)].Tag),
					B:    []byte("another text"),
				})
			}
			trace := traced(numbers, texts)
			b.ReportAllocs()
			for b.Loop() {
				Substitutions(engine.NewComparer(1), tree, trace)
			}
		})
	}
}
