package bigen_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
	"golang.org/x/exp/slices"
)

// preorder identifies a search tree.
func preorder(t *bsttest.Tree, to []byte) []byte {
	if t == nil {
		return to
	}
	return preorder(t.R, preorder(t.L, append(to, byte(t.X))))
}

// There are as many search trees of up to depth 4 as Reddy et al. count in
// "Quickly Generating Diverse Valid Test Inputs with Reinforcement Learning".
func TestEnumerateSearchTrees(t *testing.T) {
	t.Parallel()
	levels, want := 3, 7_876
	if long.Enabled() {
		levels, want = 5, 298_234
	}
	seen := map[string]bool{}
	last := 0
	for size, tree := range bigen.Enumerate(bsttest.Bounded(levels, 0, 10)) {
		if size < last {
			require.GreaterOrEqual(t, size, last)
		}
		last = size
		seen[string(preorder(tree, nil))] = true
		if !tree.Valid(0, 10) {
			require.True(t, tree.Valid(0, 10))
		}
	}
	delete(seen, "")
	require.Len(t, seen, want)
}

// genParens makes balanced parentheses.
func genParens() bigen.Gen[string] {
	type pair struct{ In, Behind string }
	return bigen.Pick(
		bigen.Tag("none", bigen.Just("")),
		bigen.Tag("pair", bigen.Iso(bigen.Struct(func(c *bigen.C, p *pair) {
			bigen.At(c, &p.In, bigen.Lazy(genParens))
			bigen.At(c, &p.Behind, bigen.Lazy(genParens))
		}), func(p pair) string {
			return "(" + p.In + ")" + p.Behind
		}, func(s string) (p pair, ok bool) {
			open := 0
			for i, r := range s {
				if r == '(' {
					open++
				} else if open--; open == 0 {
					return pair{s[1:i], s[i+1:]}, true
				}
			}
			return p, false
		})),
	)
}

func TestEnumerateCatalan(t *testing.T) {
	counts := make([]int, 10)
	seen := map[string]bool{}
	for size, s := range bigen.Enumerate(genParens()) {
		if size == len(counts) {
			break
		}
		counts[size]++
		if len(s) != 2*size || seen[s] {
			require.Fail(t, "new, and of its size", "%d: %s", size, s)
		}
		seen[s] = true
	}
	require.Equal(t, []int{1, 1, 2, 5, 14, 42, 132, 429, 1430, 4862}, counts)
}

// count returns how often the enumeration of g has each value, up to n of them.
func count[A any](g bigen.Gen[A], n int) map[string]int {
	seen := map[string]int{}
	for _, v := range bigen.Enumerate(g) {
		seen[fmt.Sprintf("%#v", v)]++
		if n--; n == 0 {
			break
		}
	}
	return seen
}

// once checks that the enumeration of g has n values, each once.
func once[A any](t *testing.T, want int, g bigen.Gen[A]) {
	t.Helper()
	seen := count(g, want+1)
	require.Len(t, seen, want)
	for v, n := range seen {
		require.Equal(t, 1, n, v)
	}
}

func TestEnumerateOnce(t *testing.T) {
	overlap := bigen.Pick(
		bigen.Tag("low", bigen.IntRange(0, 9)),
		bigen.Tag("high", bigen.IntRange(5, 14)),
		bigen.Tag("never", bigen.Just(7)).Weight(0),
		bigen.Tag("seldom", bigen.Just(20)).Weight(0),
	)
	odd := func(n int) bool { return n%2 == 1 }
	sum := func(s []int) bool { return len(s) == 3 && s[0]+s[1]+s[2] == 10 }
	tests := []struct {
		name string
		test func(t *testing.T)
	}{
		{"Just", func(t *testing.T) { once(t, 1, bigen.Just(5)) }},
		{"Bool", func(t *testing.T) { once(t, 2, bigen.Bool()) }},
		{"case", func(t *testing.T) { once(t, 100+256, genShape) }},
		{"same tag", func(t *testing.T) { once(t, 300, genVariables(300)) }},
		{"Let", func(t *testing.T) { once(t, 101*51, genSpan) }},
		{"ambiguous", func(t *testing.T) { once(t, 15, overlap) }},
		{"ambiguous parts", func(t *testing.T) {
			once(t, 1+15+15*15, bigen.SliceOf(overlap, 0, 2))
		}},
		{"exact", func(t *testing.T) {
			once(t, 3*3*3*3, bigen.SliceOf(bigen.IntRange(-1, 1), 4, 4))
		}},
		{"filter", func(t *testing.T) { once(t, 50, bigen.SuchThat(bigen.IntRange(0, 99), odd)) }},
		{"filter with fallback", func(t *testing.T) {
			once(t, 50, bigen.SuchThat(bigen.IntRange(0, 99), odd, 51))
		}},
		{"filtered parts", func(t *testing.T) {
			once(t, 1+5+25+125, bigen.SliceOf(bigen.SuchThat(bigen.IntRange(0, 9), odd), 0, 3))
		}},
		{"filtered parts with fallback", func(t *testing.T) {
			once(t, 1+5+25+125, bigen.SliceOf(bigen.SuchThat(bigen.IntRange(0, 9), odd, 9), 0, 3))
		}},
		{"filtered whole", func(t *testing.T) {
			// C(12, 2) less those with a 10
			once(t, 63, bigen.SuchThat(bigen.SliceOf(bigen.IntRange(0, 9), 0, 4), sum))
		}},
		{"nested filters", func(t *testing.T) {
			once(t, 33, bigen.SuchThat(
				bigen.SuchThat(bigen.IntRange(0, 199), odd, 3),
				func(n int) bool { return n%3 == 0 },
			))
		}},
		{"filter that rejects all", func(t *testing.T) {
			once(t, 0, bigen.SuchThat(bigen.IntRange(0, 999), func(int) bool { return false }))
		}},
		{"infinite", func(t *testing.T) {
			seen := count(
				bigen.SliceOf(bigen.IntRange[int64](math.MinInt64, math.MaxInt64), 0, math.MaxInt),
				20000,
			)
			require.Len(t, seen, 20000)
			for _, v := range []string{
				"[]int64(nil)", "[]int64{0, 0, 0, 0, 0, 0, 0, 0}", "[]int64{100}",
				"[]int64{1, -1, 1, -1}", "[]int64{-50, 0}",
			} {
				require.Contains(t, seen, v)
			}
		}},
		{"infinite texts", func(t *testing.T) {
			n := long.Count(2000, 20_000)
			require.Len(t, count(bigen.String(math.MaxInt), n), n)
		}},
		{"computed", func(t *testing.T) {
			n := 0
			for _, r := range bigen.Enumerate(genRose(3)) {
				require.NoError(t, bigen.Check(genRose(3), r))
				if n++; n == 2000 {
					break
				}
			}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, tt.test)
	}
}

func TestEnumerateLaws(t *testing.T) {
	// The values of an enumeration are the values of the generator.
	want := map[string]bool{}
	for _, tree := range bigen.Enumerate(bsttest.Gen(0, 4)) {
		want[string(preorder(tree, nil))] = true
	}
	r := rng(1)
	for range 2000 {
		require.True(t, want[string(preorder(bigen.Sample(bsttest.Gen(0, 4), r), nil))])
	}
	require.Len(t, want, 1+5*1+10*2+10*5+5*14+42)
}

// A filter does not try again: the values that pass come by themselves.
func TestEnumerateAsksFiltersOnce(t *testing.T) {
	asked := 0
	g := bigen.SuchThat(bigen.IntRange(0, 99), func(n int) bool { asked++; return n%10 == 9 })
	require.Len(t, count(g, 100), 10)
	require.Equal(t, 100+10, asked, "forward and, what passed, backward")
}

// An enumeration that finds nothing new panics, after work that depends neither on how
// many runs it takes nor on how large they are.
func TestEnumerateInVain(t *testing.T) {
	t.Parallel()
	const message = "bigen.Enumerate: 4194304 steps without a new value: make valid values by construction instead of by a SuchThat, and make each value in one way only, as Matching(`a*`) does and Matching(`(a*)*`) does not"
	tests := []struct {
		name   string
		values int // at least
		runs   int // at most
		gen    func(run func()) bigen.Gen[string]
	}{
		{"rejected", 0, 200_000, func(run func()) bigen.Gen[string] {
			return bigen.SuchThat(
				bigen.StringOf(choices.Chars("ab"), 0, math.MaxInt),
				func(string) bool { run(); return false },
			)
		}},
		{"ambiguous", 10, 600_000, func(run func()) bigen.Gen[string] {
			return bigen.Iso(
				bigen.Matching(`(a*)*`), func(s string) string { run(); return s },
				func(s string) (string, bool) { return s, true },
			)
		}},
	}
	if !long.Enabled() {
		tests = tests[:1]
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			values, runs := 0, 0
			require.PanicsWithValue(t, message, func() {
				for range bigen.Enumerate(tt.gen(func() { runs++ })) {
					values++
				}
			})
			require.GreaterOrEqual(t, values, tt.values)
			require.LessOrEqual(t, runs, tt.runs)
		})
	}
}

func TestEnumerateTwice(t *testing.T) {
	seq := bigen.Enumerate(genParens())
	list := func() (all []string) {
		for _, s := range seq {
			if len(all) == 100 {
				break
			}
			all = append(all, s)
			// Other runs, and another enumeration, do not disturb this one.
			_ = bigen.Check(genParens(), strings.Repeat("()", 3))
			for range seq {
				break
			}
		}
		return all
	}
	require.Equal(t, list(), list())
	require.True(t, slices.IsSortedFunc(list(), func(a, b string) int { return len(a) - len(b) }))
}

func BenchmarkEnumerate(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		for range bigen.Enumerate(bsttest.Bounded(5, 0, 10)) {
			if n++; n == 10_000 {
				break
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/10_000, "ns/value")
}

// Collections without repetition are made once each, and there is an end.
func TestEnumerateSets(t *testing.T) {
	require.Equal(t, 4, countAll(bigen.SetOf(bigen.IntRange(0, 1), 0, 9)))
	require.Equal(t, 9, countAll(bigen.MapOf(bigen.Bool(), bigen.Bool(), 0, 9)))
	require.Equal(t, 9, countAll(bigen.For[map[bool]bool]()))
	require.Equal(t, 5, countAll(bigen.Distinct(bigen.Bool(), 0, 9)))
	require.Equal(t, 2, countAll(bigen.Distinct(bigen.Bool(), 2, 2)))
}

// Reading backward may need to be packed to tell which choices are the leftmost.
func TestEnumerateAmbiguous(t *testing.T) {
	type link struct {
		Next *link
		X    int
	}
	genLink := func(sub bigen.Gen[*link]) bigen.Gen[*link] {
		alt := func(tag string, x int) bigen.Alt[*link] {
			return bigen.Tag(tag, bigen.New(func(c *bigen.C, l *link) {
				bigen.At(c, &l.Next, sub)
				l.X = x
			}))
		}
		return bigen.Pick(alt("one", 1), alt("two", 2))
	}
	g := bigen.Pick(bigen.Tag("p", bigen.Nil[link]()), bigen.Tag("q", bigen.Nil[link]()))
	depth := 12
	if long.Enabled() {
		depth = 13
	}
	for range depth {
		g = genLink(g)
	}
	values, seen := 1<<depth, map[string]bool{}
	for _, l := range bigen.Enumerate(g) {
		var xs []byte
		for ; l != nil; l = l.Next {
			xs = append(xs, byte(l.X))
		}
		seen[string(xs)] = true
		if !long.Enabled() && len(seen) == 400 {
			values = 400
			break
		}
	}
	require.Len(t, seen, values)
}

func countAll[A any](g bigen.Gen[A]) (n int) {
	for range bigen.Enumerate(g) {
		n++
	}
	return n
}
