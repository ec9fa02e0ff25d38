package predict_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune/predict"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// genEndless has only values without end.
func genEndless() bigen.Gen[*tree] {
	return bigen.Pick(node("node", 1, func(c *bigen.C, t *tree) {
		bigen.At(c, &t.L, bigen.Lazy(genEndless))
	}))
}

// genNumbered has different constructors at each place.
func genNumbered(n int) bigen.Gen[*tree] {
	return bigen.Pick(leaf(fmt.Sprint("leaf", n), 1),
		node(fmt.Sprint("node", n), 1, func(c *bigen.C, t *tree) {
			bigen.At(c, &t.L, genNumbered(2*n))
			bigen.At(c, &t.R, genNumbered(2*n+1))
		}))
}

// genWeighed has different weights at nearly each place.
func genWeighed(n int) bigen.Gen[*tree] {
	return bigen.Pick(leaf("leaf", float64(n)), node("node", 1, func(c *bigen.C, t *tree) {
		bigen.At(c, &t.L, genWeighed(2*n%9973))
		bigen.At(c, &t.R, genWeighed((2*n+1)%9973))
	}))
}

// genLine nests up to n deep, and mostly n deep.
func genLine(n int) bigen.Gen[*tree] {
	if n == 0 {
		return bigen.Pick(leaf("leaf", 1))
	}
	return bigen.Pick(leaf("leaf", 1),
		node("node", 99, func(c *bigen.C, t *tree) { bigen.At(c, &t.L, genLine(n-1)) }))
}

// Any generator is read, or refused, in bounded work. The size of the grammar is right.
func TestRead(t *testing.T) {
	t.Parallel()
	three := bigen.OneOf(1, 2, 3)
	for _, c := range []struct {
		name string
		subject
		types int // that are read
		size  float64
		err   string
	}{
		{"no pick", subjectOf(bigen.Int[int]()), 0, 0, ""},
		{"floats", subjectOf(bigen.Float[float64]()), 0, 0, ""},
		{"time", subjectOf(bigen.Time(time.Unix(0, 0), time.Unix(1e9, 0))), 0, 0, ""},
		{"unbounded slice", subjectOf(bigen.SliceOf(three, 0, 100_000)), 2, 8 + 8 + 1, ""},
		{"bounds beyond what counts",
			subjectOf(bigen.SliceOf(bigen.SliceOf(three, 0, 300), 0, 300)), 3, 8 + 8*(8+8+1) + 1, ""},
		{"long slice", subjectOf(bigen.SliceOf(three, 100, 200)), 102, 100*2 + 8*2 + 1, ""},
		{"slices of slices",
			subjectOf(bigen.SliceOf(bigen.SliceOf(bigen.SliceOf(three, 0, 10), 2, 10), 0, 10)), 31,
			math.NaN(), ""},
		{"a level deep", subjectOf(genLine(1)), 2, 1 + .99, ""},
		{"deep", subjectOf(genLine(200)), 201, (1 - math.Pow(.99, 201)) / .01, ""},
		{"derived", subjectOf(bigen.For[derived]()), 22, math.NaN(), ""},
		{"weight 0",
			subjectOf(bigen.Pick(bigen.Tag("never", genWeighed(1)).Weight(0), leaf("leaf", 1))), 1, 1, ""},
		{"only weight 0", subjectOf(bigen.Pick(leaf("first", 0), leaf("second", 0))), 1, 1, ""},
		{"one tag for several", subjectOf(bigen.Pick(leaf("", 1), leaf("", 1), leaf("other", 2))),
			1, 1, ""},
		{"fixed slice beyond what counts", subjectOf(bigen.SliceOf(three, 500, 500)), 0, 0,
			"not context-free"},
		{"endless", subjectOf(genEndless()), 0, 0, "a value does not end"},
		{"numbered", subjectOf(genNumbered(1)), 0, 0, "too many kinds of choices"},
		{"weighed", subjectOf(genWeighed(1)), 0, 0, "the weights of a pick depend on choices elsewhere"},
	} {
		if c.name == "numbered" && !long.Enabled() {
			continue // it takes as long as all others
		}
		t.Run(c.name, func(t *testing.T) {
			g, err := c.read()
			if c.err != "" {
				require.ErrorContains(t, err, c.err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.types, predict.Types(g))
			if size, _ := g.ExpectTags(predict.Unlimited); !math.IsNaN(c.size) {
				require.InDelta(t, c.size, size, 1e-9*c.size)
			}
			if c.types < 10 || long.Enabled() {
				again, err := c.read()
				require.NoError(t, err)
				require.Equal(t, g, again)
			}
		})
	}
	require.Panics(t, func() {
		_, _ = predict.Read(bigen.Struct(func(*bigen.C, *tree) { panic("the generator's own") }))
	})
}

// A user's own pick with the tags of a slice has constructors like any other pick: its places do
// not count, and it does not continue.
func TestOwnTagsOfSlices(t *testing.T) {
	own := bigen.Pick(bigen.Tag("stop", bigen.IntRange(0, 9)), bigen.Tag("more", bigen.IntRange(0, 9)))
	both := bigen.ArrayOf[[2]int](own)
	_, tree, err := bigen.Run(both, choices.Random(rand.New(rand.NewPCG(1, 0))))
	require.NoError(t, err)
	counts := predict.Tally{}
	counts.Add(tree)
	for c := range counts {
		require.Zero(t, predict.Place(c), "%v", c)
	}
	g, err := predict.Read(both)
	require.NoError(t, err)
	for _, c := range g.Expect(10) {
		require.Zero(t, predict.Place(c.Constructor))
		require.InDelta(t, 1, c.Mean, 1e-9) // in two picks
	}
}
