package tune_test

import (
	"context"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune"
	"github.com/espalier-go/espalier/examples/trees"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

func size(t trees.Tree) float64   { return float64(t.Size()) }
func height(t trees.Tree) float64 { return float64(t.Height()) }

// within returns the share of n values that are within a tenth of all targets, and their mean
// information.
func within(s *tune.Subject, m *tune.Model, n int) (share, bits float64) {
	s.Sample(m, 77, n, func(r *tune.Run) {
		bits += r.Bits / float64(n)
		if s.Meets(r, .1) {
			share += 1 / float64(n)
		}
	})
	return share, bits
}

// Nearly all trees meet both targets of GödelTest, section V, and they still differ. Without the
// large counts, the targets are smaller.
func TestCrossEntropy(t *testing.T) {
	t.Parallel()
	type target struct{ size, height, bits float64 }
	targets := []target{{100, 36, 130}, {100, 6, 130}}
	if !long.Enabled() {
		targets = []target{{12, 5, 8}}
	}
	for _, to := range targets {
		for seed := range uint64(long.Count(1, 2)) {
			s := tune.Of(trees.Gen(), tune.Measure("size", to.size, size),
				tune.Measure("height", to.height, height))
			m, err := tune.CrossEntropy(context.Background(), s, tune.Options{
				Seed:   seed,
				Rounds: long.Count(10, 20),
				Values: long.Count(300, 2000),
				Limit:  long.Count(60, 1000),
			})
			require.NoError(t, err)
			share, bits := within(s, m, long.Count(500, 2000))
			require.Greater(t, share, .9)
			require.Greater(t, bits, to.bits)
		}
	}
}

// painted is a tree with parts that do not count for its size.
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

func (t painted) count(into map[int]float64) {
	into[t.Color]++
	into[10+t.Digit]++
	for _, c := range t.Children {
		c.count(into)
	}
}

var genPainted bigen.Gen[painted]

func init() {
	self := bigen.Lazy(func() bigen.Gen[painted] { return genPainted })
	genPainted = bigen.Struct(func(c *bigen.C, t *painted) {
		bigen.At(c, &t.Color,
			bigen.Pick(bigen.Tag("red", bigen.Just(0)), bigen.Tag("green", bigen.Just(1)),
				bigen.Tag("blue", bigen.Just(2))))
		bigen.At(c, &t.Digit, bigen.IntRange(0, 9))
		bigen.At(c, &t.Children, bigen.SliceOf(self, 0, 1000))
	})
}

// Choices that do not matter for the objectives remain as probable as they were.
func TestIrrelevant(t *testing.T) {
	t.Parallel()
	for seed := range uint64(long.Count(1, 3)) {
		s := tune.Of(genPainted,
			tune.Measure("size", 10, func(v painted) float64 { return size(v.tree()) }),
			tune.Measure("height", 4, func(v painted) float64 { return height(v.tree()) }))
		m, err := tune.CrossEntropy(context.Background(), s, tune.Options{
			Rounds: 10,
			Values: long.Count(300, 1000),
			Limit:  long.Count(60, 1000),
			Seed:   seed,
		})
		require.NoError(t, err)
		share, _ := within(s, m, 300)
		require.Greater(t, share, .4)
		seen, nodes := map[int]float64{}, 0.0
		s.Sample(m, 78, 500, func(r *tune.Run) {
			v := r.Value.(painted)
			v.count(seen)
			nodes += size(v.tree())
		})
		for color := range 3 {
			require.InDelta(t, 1./3, seen[color]/nodes, .06)
		}
		for digit := range 10 {
			require.InDelta(t, 1./10, seen[10+digit]/nodes, .04)
		}
	}
}

// Numbers of tags are met, even of several at once. A tag that does not exist is an error.
func TestCountedTags(t *testing.T) {
	t.Parallel()
	for seed := range uint64(long.Count(1, 3)) {
		s := tune.Of(genPainted, tune.Size(4, "red"), tune.Size(2, "green"))
		m, err := tune.CrossEntropy(context.Background(), s, tune.Options{
			Rounds: 10,
			Values: long.Count(300, 1000),
			Limit:  long.Count(60, 300),
			Seed:   seed,
		})
		require.NoError(t, err)
		share, _ := within(s, m, 300)
		require.Greater(t, share, .7, seed)
	}
	_, err := tune.CrossEntropy(context.Background(),
		tune.Of(bigen.Bool(), tune.Height(3, "yellow")), tune.Options{})
	require.EqualError(t, err,
		`none of 2000 values has a pick with the tag "yellow": is it misspelled?`)
}

// Restricted alternatives do not occur, and all others do.
func TestRestrict(t *testing.T) {
	t.Parallel()
	colors := bigen.Pick(bigen.Tag("red", bigen.Just(0)), bigen.Tag("green", bigen.Just(1)),
		bigen.Tag("blue", bigen.Just(2)))
	for _, test := range []struct {
		keep, exclude []string
		want          []int
	}{
		{[]string{"red", "blue"}, nil, []int{0, 2}},
		{nil, []string{"red"}, []int{1, 2}},
	} {
		m, err := tune.Of(colors).Restrict(test.keep, test.exclude, 100, 1)
		require.NoError(t, err)
		seen := map[any]bool{}
		tune.Of(colors).Sample(m, 1, 100, func(r *tune.Run) { seen[r.Value] = true })
		require.Len(t, seen, len(test.want))
		for _, n := range test.want {
			require.True(t, seen[n])
		}
	}
	_, err := tune.Of(colors).Restrict(nil, []string{"red", "green", "blue"}, 100, 1)
	require.EqualError(t, err, "no alternative would be left of red|green|blue")
	_, err = tune.Of(genTree).Restrict([]string{"node"}, nil, 100, 1)
	require.ErrorContains(t, err, `values do not end without other tags than ["node"]`)
	_, err = tune.Of(colors).Restrict(nil, []string{"pink"}, 100, 1)
	require.ErrorContains(t, err, `the tag "pink"`)
}
