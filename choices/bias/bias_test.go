package bias_test

import (
	"math"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/bias"
	"github.com/espalier-go/espalier/choices/internal/subjects"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
	"github.com/stretchr/testify/require"
)

// runs returns the frequencies in n random values, and the most choices of one.
func runs[A any](
	t *testing.T, g bigen.Gen[A], n int, biases ...bias.Bias,
) (f bias.Frequencies, most int) {
	t.Helper()
	f = bias.Frequencies{}
	r := subjects.Rand(1)
	for range n {
		_, tree, err := bigen.Run(g, bias.Random(r, biases...))
		require.NoError(t, err)
		f.Add(tree)
		most = max(most, len(tree))
	}
	return f, most
}

func tag(s string) choices.Mark    { return choices.Mark{Tag: s} }
func integer(n int64) choices.Mark { return choices.Mark{Kind: choices.Int, N: n} }
func text(s string) choices.Mark   { return choices.Mark{Kind: choices.Text, Tag: s} }

func constant(w float64) func(string, float64) float64 {
	return func(string, float64) float64 { return w }
}

func only(tags ...string) func(string, float64) float64 {
	return func(tag string, _ float64) float64 {
		for _, s := range tags {
			if tag == s {
				return 1
			}
		}
		return 0
	}
}

func TestWeighted(t *testing.T) {
	t.Parallel()
	const n = 4000
	tests := []struct {
		name    string
		biases  []bias.Bias
		a, b, c float64 // the parts
	}{
		{"none", nil, 0.25, 0.75, 0},
		{"nil", []bias.Bias{bias.Weighted(nil)}, 0.25, 0.75, 0},
		{
			"own", []bias.Bias{bias.Weighted(func(_ string, w float64) float64 { return w })}, 0.25,
			0.75, 0,
		},
		{"equal", []bias.Bias{bias.Weighted(constant(7))}, 1. / 3, 1. / 3, 1. / 3},
		{"one", []bias.Bias{bias.Weighted(only("c"))}, 0, 0, 1},
		{"all zero", []bias.Bias{bias.Weighted(only())}, 1, 0, 0},
		{"negative", []bias.Bias{bias.Weighted(constant(-1))}, 1, 0, 0},
		{"NaN", []bias.Bias{bias.Weighted(constant(math.NaN()))}, 1, 0, 0},
		{"infinite", []bias.Bias{bias.Weighted(constant(math.Inf(1)))}, 1. / 3, 1. / 3, 1. / 3},
		{"huge", []bias.Bias{bias.Weighted(constant(math.MaxFloat64))}, 1. / 3, 1. / 3, 1. / 3},
		{"one after the other", []bias.Bias{
			bias.Weighted(only("a", "b")),
			bias.Weighted(func(tag string, w float64) float64 { return w * float64(1+len(tag)) }),
			bias.Weighted(func(tag string, w float64) float64 {
				if tag == "b" {
					return 4 * w
				}
				return w
			}),
		}, 0.2, 0.8, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, _ := runs(t, subjects.Three, n, tt.biases...)
			require.InDelta(t, tt.a, float64(f[tag("a")])/n, 0.03)
			require.InDelta(t, tt.b, float64(f[tag("b")])/n, 0.03)
			require.InDelta(t, tt.c, float64(f[tag("c")])/n, 0.03)
		})
	}
}

// Always leaves, the example of section 6.1.1.
func TestWeightedAlwaysLeaves(t *testing.T) {
	t.Parallel()
	f, _ := runs(t, bsttest.Gen(-10, 10), 100, bias.Weighted(only("leaf")))
	require.Equal(t, "100 leaf\n", f.String())
}

var examples = []subjects.Event{
	{Kind: 2, N: -7, U: 7, Name: "x", List: []int{1, 2}},
	{Kind: 2, N: -7, U: 8, Name: "", List: []int{1}},
	{Kind: 3, N: 99, U: 8, Name: "y"},
}

func TestFollow(t *testing.T) {
	t.Parallel()
	f, err := bigen.Mine(subjects.Events, examples...)
	require.NoError(t, err)
	follow := bias.Follow(f)
	for m := range f {
		f[m] = 0 // which is too late
	}
	const n = 3000
	got, _ := runs(t, subjects.Events, n, follow)
	want, err := bigen.Mine(subjects.Events, examples...)
	require.NoError(t, err)
	for m := range got {
		require.Positive(t, want[m], "%v", m)
	}
	for m := range want {
		require.Positive(t, got[m], "%v", m)
	}
	part := func(a, b choices.Mark) float64 { return float64(got[a]) / float64(got[b]) }
	require.InDelta(t, 2, part(tag("b"), tag("c")), 0.3)
	require.InDelta(t, 2, part(integer(-7), integer(99)), 0.3)
	require.InDelta(t, 1, part(text("x"), text("")), 0.3)
	require.InDelta(
		t, 2, part(choices.Mark{Kind: choices.Uint, N: 8}, choices.Mark{Kind: choices.Uint, N: 7}),
		0.3,
	)
	require.InDelta(t, 1, part(tag("more"), tag("stop")), 0.1)
}

// Where the examples have nothing to offer, values come as usual.
func TestFollowNothing(t *testing.T) {
	t.Parallel()
	f, _ := runs(t, subjects.Events, 500, bias.Follow(
		bias.Frequencies{integer(101): 5, integer(-101): 5, text("longer"): 1, text("\xff"): 1},
	))
	none := bias.Frequencies{
		integer(50): 0, integer(51): -1, text("x"): 0, text("y"): -1, tag("b"): -3,
	}
	runs(t, subjects.Events, 500, bias.Follow(none), bias.Invert(none))
	require.Equal(t, 500, f[tag("a")])
	require.Equal(t, 500, f[tag("stop")])
	require.Zero(t, f[text("longer")]+f[integer(101)])
	require.Greater(t, len(f), 300, "integers and texts are random")
}

func TestInvert(t *testing.T) {
	t.Parallel()
	f, err := bigen.Mine(subjects.Events, examples...)
	require.NoError(t, err)
	const n = 3000
	got, _ := runs(t, subjects.Events, n, bias.Invert(f))
	require.Zero(t, got[tag("c")], "the generator gives it weight 0")
	require.InDelta(t, 1, float64(got[tag("a")])/float64(got[tag("b")]), 0.1, "1/1 to 3/3")
	for _, m := range []choices.Mark{
		integer(-7), integer(99), integer(1), integer(2), text("x"), text("y"),
	} {
		require.Zero(t, got[m], "%v", m)
	}
	require.Zero(t, got[choices.Mark{Kind: choices.Uint, N: 8}])
	require.Less(t, got[text("")], n/100, "one of six lengths, were it not avoided")
	for _, m := range []choices.Mark{integer(0), integer(3)} {
		require.Positive(t, got[m], "%v", m)
	}
}

// Of the integers that are not avoided all are equally likely.
func TestInvertIsEven(t *testing.T) {
	t.Parallel()
	for _, avoid := range [][]int64{
		{0}, {9}, {4}, {0, 1, 2}, {7, 8, 9}, {0, 2, 4, 6, 8}, {0, 1, 2, 3, 4, 5, 6, 7, 8},
		{-1, 3, 10},
	} {
		f := bias.Frequencies{}
		for _, n := range avoid {
			f[integer(n)] = 3
		}
		const n = 3000
		got, _ := runs(t, bigen.IntRange(0, 9), n, bias.Invert(f))
		left := 0
		for i := range int64(10) {
			if f[integer(i)] == 0 {
				left++
			}
		}
		for i := range int64(10) {
			if f[integer(i)] == 0 {
				require.InDelta(
					t, 1/float64(left), float64(got[integer(i)])/n, 0.05, "%d of %v", i, avoid,
				)
			} else {
				require.Zero(t, got[integer(i)], "%d of %v", i, avoid)
			}
		}
	}
	all := bias.Frequencies{integer(0): 1, integer(1): 1}
	got, _ := runs(t, bigen.IntRange(0, 1), 100, bias.Invert(all))
	require.Len(t, got, 2)
	edges := bias.Frequencies{integer(math.MinInt64): 1, integer(math.MaxInt64): 1}
	runs(t, bigen.IntRange[int64](math.MinInt64, math.MaxInt64), 100, bias.Invert(edges))
}

// Follow and Invert, in ranges that meet and miss what was seen, stay within them.
func TestFollowAndInvertInRange(t *testing.T) {
	t.Parallel()
	r := subjects.Rand(2)
	for range 300 {
		f := bias.Frequencies{}
		for range r.IntN(6) {
			f[integer(int64(r.IntN(12)-6))]++
			// around 0 and around 1<<64
			f[choices.Mark{Kind: choices.Uint, N: int64(r.Uint64N(6)) - 3}]++
		}
		lo := int64(r.IntN(12) - 6)
		q := choices.Question{Kind: choices.Int, Lo: lo, Hi: lo + 1 + int64(r.IntN(5))}
		if r.IntN(2) == 0 {
			q = choices.Question{Kind: choices.Uint, Lo: 0, Hi: int64(1 + r.IntN(5))}
			if r.IntN(2) == 0 {
				q.Lo, q.Hi = -5, -1-int64(r.IntN(3))
			}
		}
		seen, others := 0, 0
		for n := q.Lo; n <= q.Hi; n++ {
			if f[choices.Mark{Kind: q.Kind, N: n}] > 0 {
				seen++
			} else {
				others++
			}
		}
		follow, invert := bias.Random(r, bias.Follow(f)), bias.Random(r, bias.Invert(f))
		for range 20 {
			n := follow.Int(&q)
			require.True(t, q.Lo <= n && n <= q.Hi)
			require.Equal(t, seen > 0, f[choices.Mark{Kind: q.Kind, N: n}] > 0)
			n = invert.Int(&q)
			require.True(t, q.Lo <= n && n <= q.Hi)
			require.Equal(t, others == 0, f[choices.Mark{Kind: q.Kind, N: n}] > 0)
		}
	}
}

// What follows finite examples is finite.
func TestFollowEnds(t *testing.T) {
	t.Parallel()
	g := bsttest.Gen(0, math.MaxInt)
	r := subjects.Rand(3)
	f := bias.Frequencies{}
	for range 20 {
		f.Add(subjects.TreeOf(t, g, bsttest.Random(r, 10, 0, 1<<30)))
	}
	for m := range f {
		if m.Kind == choices.Int {
			delete(f, m) // so that ranges stay wide
		}
	}
	_, most := runs(t, g, 300, bias.Follow(f))
	require.Less(t, most, 1<<16)
}

func TestConstants(t *testing.T) {
	t.Parallel()
	type (
		code  uint16
		label string
	)
	g := bigen.Struct(func(c *bigen.C, e *subjects.Event) {
		bigen.At(c, &e.Kind, bigen.IntRange(math.MinInt, math.MaxInt))
		bigen.At(c, &e.N, bigen.IntRange[int8](-100, 100))
		bigen.At(c, &e.U, bigen.IntRange[uint8](0, 200))
		bigen.At(c, &e.Name, bigen.String(5))
	})
	const n = 8000
	f, _ := runs(t, g, n, bias.Constants(
		1<<30, code(150), "magic", label("too long"), uint64(math.MaxUint64), "\xff",
	))
	expect := func(m choices.Mark, times float64) {
		t.Helper()
		require.InDelta(t, times, f[m], n/50, "%v", m)
	}
	expect(integer(1<<30), n/8/2)
	expect(integer(150), n/8/2)
	expect(choices.Mark{Kind: choices.Uint, N: 150}, n/8+n/201)
	expect(text("magic"), n/8)
	require.Zero(t, f[text("too long")])
	require.Zero(t, f[choices.Mark{Kind: choices.Uint, N: -1}])
	f, _ = runs(
		t, bigen.IntRange[uint64](0, math.MaxUint64), 800, bias.Constants(uint64(math.MaxUint64)),
	)
	require.InDelta(t, 100, f[choices.Mark{Kind: choices.Uint, N: -1}], 40)
	f, _ = runs(t, bigen.IntRange[uint64](0, math.MaxUint64), 800, bias.Constants(-5))
	require.Zero(t, f[choices.Mark{Kind: choices.Uint, N: -5}])
	for _, c := range []any{1.5, nil, []byte("x"), true} {
		require.Panics(t, func() { bias.Constants(c) })
	}
}

// Without a bias, random values are what they always were.
func TestRandomIsUnchanged(t *testing.T) {
	t.Parallel()
	a, b := subjects.Rand(5), subjects.Rand(5)
	for range 100 {
		require.Equal(
			t, bigen.Sample(subjects.Events, a),
			bigen.Sample(subjects.Events, b, bias.Weighted(nil)),
		)
	}
}
