package mutate_test

import (
	"math"
	"math/bits"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/mutate"
	"github.com/stretchr/testify/require"
)

// Of two numbers in any monotone relation, the first becomes the simplest that the second allows,
// within a few hundred runs.
func TestMinimizeTrade(t *testing.T) {
	type pair struct{ A, B int64 }
	overflows := func(a, b int64) bool {
		hi, lo := bits.Mul64(uint64(max(a, -a)), uint64(max(b, -b)))
		return hi > 0 || lo > math.MaxInt64
	}
	const most = math.MaxInt64
	for _, c := range []struct {
		name         string
		lo, hi       int64 // of the first
		loB, hiB     int64
		fails        func(a, b int64) bool
		wantA, wantB int64
		upTo         int // runs
	}{
		{"a product with a percentage", 0, most, 0, 100, overflows, most/100 + 1, 100, 300},
		{"a percentage first", 0, 100, 0, most, overflows, 2, most/2 + 1, 300},
		{"a product", -most, most, -most, most, overflows, 2, most/2 + 1, 400},
		{"an allocation", 0, most, 1, 1000, func(a, b int64) bool { return a > 1000 && overflows(a, b) }, most/1000 + 1, 1000, 300},
		{"a weighted sum", 1, 1e6, 0, 1e6, func(a, b int64) bool { return 3*a+5*b > 1e6 }, 1, 200_000, 100},
		{"a quotient", 0, 1e6, 1, 1e6, func(a, b int64) bool { return a/b >= 17 && b > 3 }, 68, 4, 200},
		{"a square", 0, 1e6, 0, 1000, func(a, b int64) bool { return a*b*b > 2e9 }, 2001, 1000, 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			gen := bigen.New(func(g *bigen.C, p *pair) {
				bigen.At(g, &p.A, bigen.IntRange(c.lo, c.hi))
				bigen.At(g, &p.B, bigen.IntRange(c.loB, c.hiB))
			})
			failing, runs := 0, 0
			for seed := uint64(0); failing < 20 && seed < 100_000; seed++ {
				v, tree, err := bigen.Run(gen, choices.Random(rng(seed)))
				require.NoError(t, err)
				if !c.fails(v.A, v.B) {
					continue
				}
				failing++
				simplest, _, _ := mutate.Minimize(tree, func(e choices.Tree) (*pair, choices.Tree, error) {
					runs++
					return bigen.Run(gen, choices.Replay(e, nil))
				}, func(v *pair) bool { return c.fails(v.A, v.B) }, 2000)
				least, err := bigen.Value(gen, choices.Replay(simplest, nil))
				require.NoError(t, err)
				require.Equal(t, pair{c.wantA, c.wantB}, *least, "of %v, seed %d", *v, seed)
			}
			require.Equal(t, 20, failing)
			require.LessOrEqual(t, runs/failing, c.upTo)
		})
	}
}
