package search_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune"
	"github.com/espalier-go/espalier/bigen/tune/search"
	"github.com/espalier-go/espalier/examples/trees"
	"github.com/espalier-go/espalier/internal/testing/long"
)

func size(t trees.Tree) float64   { return float64(t.Size()) }
func height(t trees.Tree) float64 { return float64(t.Height()) }

// Both targets of GödelTest, section V, are met by nearly all trees, which still differ. With
// -short, it is a smaller one.
func TestCrossEntropy(t *testing.T) {
	t.Parallel()
	type target struct{ size, height, bits float64 }
	targets := []target{{100, 36, 130}, {100, 6, 130}}[:long.Count(1, 2)]
	if !long.Enabled() {
		targets[0] = target{20, 8, 20}
	}
	for _, to := range targets {
		for seed := range uint64(long.Count(1, 5)) {
			s := search.Of(trees.Gen(), tune.Measure("size", to.size, size), tune.Measure("height", to.height, height))
			m, err := search.CrossEntropy(context.Background(), s, search.CrossEntropyOptions{Seed: seed})
			require.NoError(t, err)
			share, bits := within(t, s, m, 2000)
			require.Greater(t, share, .95)
			require.Greater(t, bits, to.bits)
		}
	}
}

// painted is a tree with what is of no account for its size.
type painted struct {
	Color, Digit int
	Children     []painted
}

func (t painted) tree() (plain trees.Tree) {
	for _, c := range t.Children {
		plain.Children = append(plain.Children, c.tree())
	}
	return plain
}

var genPainted bigen.Gen[painted]

func init() {
	self := bigen.Lazy(func() bigen.Gen[painted] { return genPainted })
	genPainted = bigen.Struct(func(c *bigen.C, t *painted) {
		bigen.At(c, &t.Color, bigen.Pick(bigen.Tag("red", bigen.Just(0)), bigen.Tag("green", bigen.Just(1)), bigen.Tag("blue", bigen.Just(2))))
		bigen.At(c, &t.Digit, bigen.IntRange(0, 9))
		bigen.At(c, &t.Children, bigen.SliceOf(self, 0, 1000))
	})
}

// Choices that do not matter for the objectives keep their entropy.
func TestIrrelevant(t *testing.T) {
	t.Parallel()
	for seed := range uint64(long.Count(1, 5)) {
		s := search.Of(genPainted,
			tune.Measure("size", 20, func(v painted) float64 { return size(v.tree()) }),
			tune.Measure("height", 8, func(v painted) float64 { return height(v.tree()) }))
		m, err := search.CrossEntropy(context.Background(), s, search.CrossEntropyOptions{Rounds: 12, Values: 1000, Seed: seed})
		require.NoError(t, err)
		share, _ := within(t, s, m, 1000)
		require.Greater(t, share, .5)
		bits, points := map[string]float64{}, m.Points()
		asked := map[string]float64{}
		require.NoError(t, s.Sample(m, 78, 300, func(r *search.Run) {
			for _, a := range r.Answers {
				p := points[a.Point]
				table := m.Sampler(p).(*tune.Table)
				row, ok := table.Rows[a.Cell]
				if !ok {
					row = table.Rest
				}
				bits[p.String()] += entropy(row)
				asked[p.String()]++
			}
		}))
		for name, most := range map[string]float64{
			"red|green|blue": math.Log2(3), "red|green|blue in more": math.Log2(3),
			"an integer": math.Log2(10), "an integer in more": math.Log2(10),
		} {
			require.Greater(t, bits[name]/asked[name], .95*most, name)
		}
		require.Less(t, bits["stop|more in more"]/asked["stop|more in more"], .9)
	}
}

// Numbers of tags are met, of several at once, too.
func TestCountedTags(t *testing.T) {
	t.Parallel()
	for seed := range uint64(long.Count(1, 5)) {
		s := search.Of(genPainted, tune.Size(6, "red"), tune.Size(3, "green"))
		m, err := search.CrossEntropy(context.Background(), s, search.CrossEntropyOptions{Rounds: 10, Values: 1000, Seed: seed})
		require.NoError(t, err)
		share, _ := within(t, s, m, 1000)
		require.Greater(t, share, .8, seed)
	}
}

func entropy(weights []float64) (bits float64) {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	for _, w := range weights {
		if w > 0 {
			bits -= w / sum * math.Log2(w/sum)
		}
	}
	return bits
}
