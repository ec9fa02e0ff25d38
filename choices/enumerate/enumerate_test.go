package enumerate_test

import (
	"math"
	"math/bits"
	"testing"
	"unicode/utf8"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/enumerate"
	"github.com/espalier-go/espalier/choices/internal/subjects"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
	"golang.org/x/exp/slices"
)

// firstOf returns the first n values, or all.
func firstOf[A any](t *testing.T, g bigen.Gen[A], n int) (values []A, sizes []int) {
	t.Helper()
	for src := range enumerate.Sources() {
		v, _, err := bigen.Run(g, src)
		require.NoError(t, err)
		values, sizes = append(values, v), append(sizes, src.Size())
		if len(values) == n {
			break
		}
	}
	require.True(t, slices.IsSorted(sizes))
	return values, sizes
}

func TestEnumerateIntegers(t *testing.T) {
	t.Parallel()
	signed := func(lo, hi int64) []int64 {
		v, _ := firstOf(t, bigen.IntRange(lo, hi), 7)
		return v
	}
	require.Equal(t, []int64{0, 1, -1, 2, -2, 3, -3}, signed(-9, 9))
	require.Equal(t, []int64{0, 1, -1, 2, 3, 4, 5}, signed(-1, 9))
	require.Equal(t, []int64{0, 1, -1, 2, -2, -3, -4}, signed(-9, 2))
	require.Equal(t, []int64{0, 1, 2, 3, 4, 5, 6}, signed(0, 9))
	require.Equal(t, []int64{0, -1, -2}, signed(-2, 0))
	require.Equal(t, []int64{5, 6, 7}, signed(5, 7))
	require.Equal(t, []int64{-5, -6, -7}, signed(-7, -5))
	require.Equal(t, []int64{4}, signed(4, 4))
	require.Equal(t, []int64{0, 1, -1, 2, -2, 3, -3}, signed(math.MinInt64, math.MaxInt64))
	require.Equal(
		t, []int64{math.MaxInt64 - 1, math.MaxInt64}, signed(math.MaxInt64-1, math.MaxInt64),
	)
	require.Equal(
		t, []int64{math.MinInt64 + 1, math.MinInt64}, signed(math.MinInt64, math.MinInt64+1),
	)

	u, sizes := firstOf(t, bigen.IntRange[uint64](3, math.MaxUint64), 9)
	require.Equal(t, []uint64{3, 4, 5, 6, 7, 8, 9, 10, 11}, u)
	require.Equal(t, []int{0, 1, 2, 2, 3, 3, 3, 3, 4}, sizes)
	u, _ = firstOf(t, bigen.IntRange[uint64](math.MaxUint64-2, math.MaxUint64), 9)
	require.Equal(t, []uint64{math.MaxUint64 - 2, math.MaxUint64 - 1, math.MaxUint64}, u)

	all, _ := firstOf(t, bigen.IntRange[int16](math.MinInt16, math.MaxInt16), 1<<20)
	require.Len(t, all, 1<<16)
	slices.Sort(all)
	require.Len(t, slices.Compact(all), 1<<16)
}

func TestEnumerateTexts(t *testing.T) {
	t.Parallel()
	var bySize [5][]string
	s, sizes := firstOf(t, bigen.String(4), 50)
	for i := range s {
		if sizes[i] < len(bySize) {
			bySize[sizes[i]] = append(bySize[sizes[i]], s[i])
		}
	}
	for _, list := range bySize {
		slices.Sort(list)
	}
	require.Equal(t, [5][]string{
		{""}, {"a"}, {"aa", "b"}, {"aaa", "ab", "ba", "c", "d"},
		{"aaaa", "aab", "aba", "ac", "ad", "baa", "bb", "ca", "da", "e", "f", "g", "h"},
	}, bySize)

	one, _ := firstOf(t, bigen.String(1), 70_000)
	seen := map[string]bool{}
	for _, s := range one {
		if !utf8.ValidString(s) {
			require.True(t, utf8.ValidString(s), "%q", s)
		}
		seen[s] = true
	}
	require.Len(t, seen, len(one))
	for r := range rune(1 << 15) {
		if !seen[string(r)] {
			require.True(t, seen[string(r)], "%q", r)
		}
	}
	require.True(t, seen["\ue000"], "after the surrogates")

	some, _ := firstOf(t, bigen.String(math.MaxInt), 20000)
	seen = map[string]bool{}
	for _, s := range some {
		seen[s] = true
	}
	require.Len(t, seen, len(some))
	require.True(t, seen["z"] && seen["aaaaaaaa"] && seen["0"] && seen["bad"])
}

// The size of a struct is the sum of the sizes of its parts.
func TestEnumerateSizes(t *testing.T) {
	t.Parallel()
	g := bigen.Struct(func(c *bigen.C, e *subjects.Event) {
		bigen.At(c, &e.Kind, subjects.Three)
		bigen.At(c, &e.N, bigen.IntRange[int8](-100, 100))
		bigen.At(c, &e.U, bigen.IntRange[uint8](0, 200))
		bigen.At(c, &e.List, bigen.SliceOf(bigen.IntRange(0, 3), 0, 3))
	})
	values, sizes := firstOf(t, g, long.Count(5000, 20_000))
	seen := map[string]bool{}
	for i, e := range values {
		size := min(1, e.Kind-1) + bitsOf(int(e.N)) + bits.Len8(e.U) + len(e.List)
		for _, n := range e.List {
			size += bits.Len(uint(n))
		}
		require.Equal(t, sizes[i], size, "%+v", e)
		seen[subjects.TreeOf(t, g, e).String()] = true
	}
	require.Len(t, seen, len(values))
}

// bitsOf returns the size of n among integers around 0.
func bitsOf(n int) int {
	if n > 0 {
		return bits.Len(uint(2*n - 1))
	}
	return bits.Len(uint(-2 * n))
}

// A source that nobody asks is the only one.
func TestEnumerateNothing(t *testing.T) {
	t.Parallel()
	n := 0
	for range enumerate.Sources() {
		n++
	}
	require.Equal(t, 1, n)
}

// Made tells runs that make a value of their own from others.
func TestAttemptMade(t *testing.T) {
	t.Parallel()
	pick := choices.Question{Alts: []choices.Alt{{Tag: "a", Weight: 1}, {Tag: "b", Weight: 1}}}
	number := choices.Question{Kind: choices.Int, Lo: -3, Hi: 3}
	text := choices.Question{Kind: choices.Text, Max: 1}
	seen := map[string]bool{}
	for src := range enumerate.Sources() {
		var tree choices.Tree
		tree = append(tree, choices.Choice{N: int64(src.Pick(&pick)), Hi: 1, Size: 1})
		src.Leave()
		tree[0].Tag = pick.Alts[tree[0].N].Tag
		// not asked
		tree = append(tree, choices.Choice{Kind: choices.Int, N: 5, Lo: 5, Hi: 5, Size: 1})
		tree = append(
			tree, choices.Choice{Kind: choices.Int, N: src.Int(&number), Lo: -3, Hi: 3, Size: 1},
		)
		tree = append(tree, choices.Choice{Kind: choices.Text, Tag: src.Text(&text), Size: 1})
		require.True(t, src.Made(tree))
		require.False(t, src.Made(tree[:3]))
		require.False(t, src.Made(append(slices.Clone(tree), tree[3])))
		for _, i := range []int{0, 2, 3} {
			edited := slices.Clone(tree)
			edited[i].N, edited[i].Tag = edited[i].N+1, edited[i].Tag+"x"
			require.False(t, src.Made(edited), i)
		}
		seen[tree.String()] = true
		if len(seen) == 500 {
			break
		}
	}
	require.Len(t, seen, 500)
}

// What is asked again has been thrown away, whether or not a filter said so.
func TestAttemptRejected(t *testing.T) {
	t.Parallel()
	q := choices.Question{Kind: choices.Int, Lo: -3, Hi: 3}
	again := q
	again.Retry = 1
	text := choices.Question{Kind: choices.Text, Max: 3, Retry: 1}
	var got []int64
	for src := range enumerate.Sources() {
		n := src.Int(&q)
		tree := choices.Tree{{Kind: choices.Int, N: n, Lo: -3, Hi: 3, Size: 1}}
		require.True(t, src.Made(tree))
		if n < 0 {
			require.Zero(t, src.Int(&again))
			require.Zero(t, src.Int(&q))
			require.Empty(t, src.Text(&text))
			require.False(t, src.Made(tree))
			continue
		}
		got = append(got, n)
	}
	require.Equal(t, []int64{0, 1, 2, 3}, got, "nothing but the first answer is varied")
}
