package varied_test

import (
	"cmp"
	"encoding/binary"
	"flag"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/bias"
	"github.com/espalier-go/espalier/choices/internal/subjects"
	"github.com/espalier-go/espalier/choices/varied"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
	"golang.org/x/exp/slices"
)

var (
	genWide = bigen.SliceOf(bigen.IntRange(0, 1<<20), 0, math.MaxInt)
	genPair = bigen.ArrayOf[[2]int](bigen.IntRange(0, 1<<20))
	genFlat = bigen.SliceOf(bigen.Bool(), 0, math.MaxInt)
)

// sequences returns how many sequences of values tests look at.
func sequences() int { return long.Count(10, 20) }

// each calls f with the values from..to-1 of several sequences.
func each[A any](
	t *testing.T, g bigen.Gen[A], from, to int, f func(i int, v A, tree choices.Tree),
) {
	t.Helper()
	for seed := range uint64(sequences()) {
		for i := from; i < to; i++ {
			r := rand.New(rand.NewPCG(seed, uint64(i)))
			v, tree, err := bigen.Run(g, varied.Source(r, i))
			require.NoError(t, err)
			f(i, v, tree)
		}
	}
}

// share returns how many of the values of several sequences, but for their first,
// pass a test.
func share[A any](t *testing.T, g bigen.Gen[A], ok func(v A) bool) float64 {
	t.Helper()
	n, passed := 0, 0
	each(t, g, 8, 108, func(_ int, v A, _ choices.Tree) {
		n++
		if ok(v) {
			passed++
		}
	})
	return float64(passed) / float64(n)
}

// randomShare is share for [choices.Random].
func randomShare[A any](g bigen.Gen[A], ok func(v A) bool) float64 {
	r := subjects.Rand(1)
	passed := 0
	for range 2000 {
		if ok(bigen.Sample(g, r)) {
			passed++
		}
	}
	return float64(passed) / 2000
}

// forKinds calls f for generators of many kinds: run makes a value, checks that it is one of the
// generator, and returns its tree.
func forKinds(
	t *testing.T, f func(t *testing.T, run func(src choices.Source) (choices.Tree, error)),
) {
	ofKind(t, "tree", bsttest.Gen(0, 99), f)
	ofKind(t, "integers", genWide, f)
	ofKind(t, "events", bigen.SliceOf(subjects.Events, 0, math.MaxInt), f)
	ofKind(t, "expression", subjects.Exprs(3), f)
	ofKind(t, "operations", subjects.Ops, f)
	ofKind(t, "nested", genNested, f)
	ofKind(t, "text", bigen.ArrayOf[[3]string](bigen.String(1<<30)), f)
	ofKind(t, "pattern", bigen.Matching("(a|bc*){3,7}[0-9]+"), f)
	ofKind(t, "map", bigen.MapOf(bigen.IntRange(0, 9), bigen.String(3), 0, 9), f)
	ofKind(t, "distinct", bigen.Distinct(bigen.IntRange(0, 7), 5, 8), f)
	ofKind(
		t, "even",
		bigen.SliceOf(
			bigen.SuchThat(bigen.Int[int64](), func(x int64) bool { return x%2 == 0 }), 0, 9,
		),
		f,
	)
	ofKind(t, "floats", bigen.SliceOf(bigen.Float[float64](), 3, 9), f)
	ofKind(t, "unsigned", bigen.SliceOf(bigen.Int[uint64](), 0, 9), f)
	ofKind(t, "permutation", bigen.Permutation(1, 2, 3, 4, 5, 6), f)
	ofKind(t, "endless", bigen.SliceOf(subjects.Three, 3, math.MaxInt), f)
}

func ofKind[A any](
	t *testing.T, name string, g bigen.Gen[A],
	f func(t *testing.T, run func(src choices.Source) (choices.Tree, error)),
) {
	t.Run(name, func(t *testing.T) {
		f(t, func(src choices.Source) (choices.Tree, error) {
			v, tree, err := bigen.Run(g, src)
			if err == nil {
				require.NoError(t, bigen.Check(g, v))
			}
			return tree, err
		})
	})
}

// Whatever is made is a value of the generator, and made again by what was recorded.
func TestIsMadeByTheGenerator(t *testing.T) {
	t.Parallel()
	forKinds(t, func(t *testing.T, run func(src choices.Source) (choices.Tree, error)) {
		r := subjects.Rand(1)
		for i := range 150 {
			tree, err := run(varied.Source(r, i))
			require.NoError(t, err)
			again, err := run(choices.Replay(tree, nil))
			require.NoError(t, err)
			require.Equal(t, tree, again)
		}
	})
}

var update = flag.Bool("update", false, "rewrite golden files")

// The golden file is the same on all platforms. For each kind, it has the first values that are
// made, then a sum of a hundred.
func TestIsDetermined(t *testing.T) {
	t.Parallel()
	var got strings.Builder
	forKinds(t, func(t *testing.T, run func(src choices.Source) (choices.Tree, error)) {
		fmt.Fprintf(&got, "== %s\n", path.Base(t.Name()))
		h := fnv.New64a()
		for i := range 100 {
			tree, err := run(varied.Source(subjects.Rand(uint64(i)), i))
			require.NoError(t, err)
			if i < 6 {
				fmt.Fprintf(&got, "%d: %.150s\n", i, tree)
			}
			b := choices.Encode(tree)
			_, _ = h.Write(binary.AppendUvarint(nil, uint64(len(b))))
			_, _ = h.Write(b)
			// What others have drawn from sources has no effect.
			_, _ = run(varied.Source(subjects.Rand(7), i+1))
			again, err := run(varied.Source(subjects.Rand(uint64(i)), i))
			require.NoError(t, err)
			require.Equal(t, tree, again)
		}
		fmt.Fprintf(&got, "sum of all: %016x\n", h.Sum64())
	})
	const file = "testdata/varied.golden"
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got.String()), 0o666))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), got.String(), "run with -update if the change is meant")
}

func TestSimplest(t *testing.T) {
	t.Parallel()
	src := func() choices.Source { return varied.Source(subjects.Rand(1), 4) }
	v, _, err := bigen.Run(subjects.Events, src())
	require.NoError(t, err)
	require.Equal(t, subjects.Event{Kind: 1}, v)
	tree, _, err := bigen.Run(bsttest.Gen(0, 99), src())
	require.NoError(t, err)
	require.Nil(t, tree)
	p, _, err := bigen.Run(bigen.ArrayOf[[2]int](bigen.IntRange(-9, -3)), src())
	require.NoError(t, err)
	require.Equal(t, [2]int{-3, -3}, p)
}

// The first value is as large as the generator's weights make it, and a negative number
// counts as the first.
func TestFirst(t *testing.T) {
	t.Parallel()
	list := bigen.SliceOf(bigen.IntRange(0, 99), 0, math.MaxInt)
	total := 0
	for seed := range uint64(500) {
		first, _, err := bigen.Run(list, varied.Source(subjects.Rand(seed), 0))
		require.NoError(t, err)
		total += len(first)
		for _, i := range []int{-1, math.MinInt} {
			v, _, err := bigen.Run(list, varied.Source(subjects.Rand(seed), i))
			require.NoError(t, err)
			require.Equal(t, first, v)
		}
	}
	require.InDelta(t, 8, float64(total)/500, 1)
}

func TestSizes(t *testing.T) {
	t.Parallel()
	type sizes struct{ mean, most [40]float64 }
	measure := func(count func(i int, s *sizes)) (s sizes) {
		count(0, &s)
		for i := range s.mean {
			s.mean[i] /= float64(sequences())
		}
		return s
	}
	add := func(s *sizes, i, n int) {
		s.mean[i] += float64(n)
		s.most[i] = max(s.most[i], float64(n))
	}
	lists := measure(func(_ int, s *sizes) {
		each(t, genWide, 0, 40, func(i int, v []int, _ choices.Tree) { add(s, i, len(v)) })
	})
	trees := measure(func(_ int, s *sizes) {
		each(t, bsttest.Gen(0, 99), 0, 40, func(i int, _ *bsttest.Tree, tree choices.Tree) {
			add(s, i, len(tree)/3)
		})
	})
	for _, s := range []sizes{lists, trees} {
		require.Zero(t, s.most[4])
		for i, size := range map[int]int{5: 1, 7: 2, 9: 8} {
			require.Positive(t, s.mean[i])
			require.LessOrEqual(t, s.most[i], float64(2*size), "value %d", i)
		}
		require.Greater(t, s.mean[0], 2*s.mean[5])
		require.Greater(t, s.mean[6], s.mean[7])
		require.Greater(t, s.mean[10], s.mean[9])
		require.Greater(t, slices.Max(s.most[11:]), 60.)
		require.Less(t, slices.Max(s.most[11:]), 600.)
	}
	mean := 0.0
	for _, m := range lists.mean[11:] {
		mean += m / 29
	}
	require.Greater(t, mean, 9., "the generator's is 8")
	require.Less(t, mean, 40.)
}

// Parsers trip over white space at an end, line ends and quotes.
func TestTexts(t *testing.T) {
	t.Parallel()
	const n = 2000
	found := map[string]int{}
	for i := range n {
		s, _, err := bigen.Run(bigen.String(20), varied.Source(subjects.Rand(uint64(i)), i))
		require.NoError(t, err)
		for name, ok := range map[string]bool{
			"space at an end": strings.TrimSpace(s) != s,
			"line end":        strings.Contains(s, "\n"),
			"quote":           strings.Contains(s, `"`),
			"plain": s != "" &&
				strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789") == "",
		} {
			if ok {
				found[name]++
			}
		}
	}
	for name, percent := range map[string]int{
		"space at an end": 5, "line end": 3, "quote": 5, "plain": 5,
	} {
		require.GreaterOrEqual(t, found[name], n*percent/100, name)
	}
}

// Of a wide range, small integers and the ends occur, and most are large.
func TestWide(t *testing.T) {
	t.Parallel()
	const n, most = 2000, 20_000
	small, last, large := 0, 0, 0
	for i := range n {
		x, _, err := bigen.Run(bigen.IntRange(0, most), varied.Source(subjects.Rand(uint64(i)), i))
		require.NoError(t, err)
		switch {
		case x < 64:
			small++
		case x == most:
			last++
		case x > most/4:
			large++
		}
	}
	require.GreaterOrEqual(t, small, 3*n/20) // 254 of 2000 without drawWide, 383 with it
	require.GreaterOrEqual(t, last, n/100)
	require.GreaterOrEqual(t, large, n/3)
}

// A quarter of the values equal values of Random if no range is wide.
func TestHasPlainValues(t *testing.T) {
	t.Parallel()
	plain := 0
	for i := range 400 {
		gen := bigen.SliceOf(bigen.IntRange(0, 60), 5, 20)
		_, tree, err := bigen.Run(gen, varied.Source(subjects.Rand(uint64(i)), i))
		require.NoError(t, err)
		r := subjects.Rand(uint64(i))
		r.Uint64() // which decides that the value is plain
		_, random, err := bigen.Run(gen, choices.Random(r))
		require.NoError(t, err)
		if slices.Equal(tree, random) && i > 3 { // the first values are natural
			require.GreaterOrEqual(t, i, 11)
			plain++
		}
	}
	require.InDelta(t, 100, plain, 25)
}

// What random values have next to never, a good share of varied ones has.
func TestIsExtreme(t *testing.T) {
	t.Parallel()
	sorted := func(v []int) bool { return len(v) >= 7 && slices.IsSorted(v) }
	reversed := func(v []int) bool {
		return len(v) >= 7 &&
			slices.IsSortedFunc(v, func(a, b int) int { return cmp.Compare(b, a) })
	}
	check := func(name string, varied, random float64) {
		t.Helper()
		require.Greater(t, varied, 0.005, name)
		require.Greater(t, varied, 4*random, name)
	}
	ints := func(name string, ok func(v []int) bool) {
		t.Helper()
		check(name, share(t, genWide, ok), randomShare(genWide, ok))
	}
	pairs := func(name string, ok func(p [2]int) bool) {
		t.Helper()
		check(name, share(t, genPair, ok), randomShare(genPair, ok))
	}
	ints("long", func(v []int) bool { return len(v) >= 50 })
	ints("sorted", sorted)
	ints("reversed", reversed)
	ints("small", func(v []int) bool { return len(v) >= 5 && slices.Max(v) < 64 })
	ints("duplicates", func(v []int) bool {
		slices.Sort(v)
		return len(slices.Compact(slices.Clone(v))) < len(v)
	})
	pairs("equal", func(p [2]int) bool { return p[0] == p[1] && p[0] > 2000 && p[0] < 1<<20 })
	pairs("next", func(p [2]int) bool { return p[0]+1 == p[1] && p[0] > 2000 })
	pairs("last", func(p [2]int) bool { return p[1] == 1<<20 })

	flags := func(v []bool) bool { return len(v) >= 12 && !slices.Contains(v, false) }
	check("all true", share(t, genFlat, flags), randomShare(genFlat, flags))
	check(
		"overflow", share(t, subjects.Ops, subjects.Overflows),
		randomShare(subjects.Ops, subjects.Overflows),
	)

	deep := func(v any) bool { return nesting(v) >= 8 }
	check("deep", share(t, genNested, deep), randomShare(genNested, deep))
	lists := bigen.SliceOf(bigen.SliceOf(bigen.IntRange(0, 9), 0, math.MaxInt), 0, math.MaxInt)
	wide := func(v [][]int) bool {
		all := 0
		for _, w := range v {
			all += len(w)
		}
		return len(v) >= 20 && all <= 4*len(v)
	}
	check("wide", share(t, lists, wide), randomShare(lists, wide))

	texts := bigen.ArrayOf[[2]string](bigen.String(50))
	same := func(s [2]string) bool { return len(s[0]) > 3 && s[0] == s[1] }
	check("equal texts", share(t, texts, same), randomShare(texts, same))
}

func nesting(v any) (n int) {
	list, ok := v.([]any)
	if !ok {
		return 0
	}
	for _, e := range list {
		n = max(n, nesting(e))
	}
	return n + 1
}

// Which tags come up is the value's own, of picks that make it grow and of others, but
// what ends it does.
func TestFeatures(t *testing.T) {
	t.Parallel()
	count := func(v []int) (n [3]int) {
		for _, x := range v {
			n[x]++
		}
		return n
	}
	kinds := func(n [3]int) (k int) {
		for _, times := range n {
			k += min(times, 1)
		}
		return k
	}
	g := bigen.SliceOf(bigen.OneOf(0, 1, 2), 60, 60)
	for k, least := range []float64{1: 0.02, 2: 0.04} {
		require.GreaterOrEqual(
			t, share(t, g, func(v []int) bool { return kinds(count(v[1:])) == k }), least,
			"%d kinds", k,
		)
	}
	first := func(x int) float64 {
		return share(t, g, func(v []int) bool {
			n := count(v[1:])
			return kinds(n) == 1 && n[x] > 0
		})
	}
	for x := range 3 {
		require.Positive(t, first(x), "only %d", x)
	}
	rare := func(v []int) bool {
		n := count(v)
		return slices.Min(n[:]) > 0 && slices.Max(n[:]) >= 45
	}
	require.Greater(t, share(t, g, rare), 0.02, "weights differ")
	require.Less(t, randomShare(g, rare), 0.001)

	for _, op := range []string{"plus", "minus", "times"} {
		only := 0
		each(t, subjects.Exprs(8), 8, 108, func(_ int, _ *subjects.Expr, tree choices.Tree) {
			f := bias.Frequencies{}
			f.Add(tree)
			if f[choices.Mark{Tag: op}] >= 5 && f[choices.Mark{Tag: "plus"}]+f[choices.Mark{
				Tag: "minus",
			}]+f[choices.Mark{Tag: "times"}]+f[choices.Mark{Tag: "neg"}] == f[choices.Mark{
				Tag: op,
			}] {
				only++
			}
		})
		require.Greater(t, only, sequences()/2, "only %s", op)
	}
}

// Equal subtrees occur, as siblings and apart.
func TestRepeatsSubtrees(t *testing.T) {
	t.Parallel()
	siblings, apart, n := 0, 0, 0
	each(t, subjects.Exprs(8), 8, 108, func(_ int, e *subjects.Expr, _ choices.Tree) {
		n++
		seen := map[string]int{}
		twins := false
		var visit func(e *subjects.Expr)
		visit = func(e *subjects.Expr) {
			if e == nil || e.Op == "" {
				return
			}
			if e.X.Op != "" && e.Y != nil && e.X.String() == e.Y.String() {
				twins = true
			}
			if s := e.String(); len(s) > 12 {
				seen[s]++
			}
			visit(e.X)
			visit(e.Y)
		}
		visit(e)
		if twins {
			siblings++
		}
		for _, times := range seen {
			if times > 1 {
				apart++
				break
			}
		}
	})
	require.Greater(t, siblings, n/20)
	require.Greater(t, apart, n/20)
}

// Size does not make flags true: of a list of flags as many are as ever.
func TestSizeLeavesFlags(t *testing.T) {
	t.Parallel()
	ones, all := 0, 0
	each(t, genFlat, 8, 108, func(_ int, v []bool, _ choices.Tree) {
		for _, b := range v {
			all++
			if b {
				ones++
			}
		}
	})
	require.InDelta(t, 0.5, float64(ones)/float64(all), 0.08)
}

// Values are finite even if the weights never let them end.
func TestEnds(t *testing.T) {
	t.Parallel()
	most := 0
	count := func(n int) { most = max(most, n) }

	// Expressions grow without end where other weights come up than the generator's.
	expr := bigen.Gen[any]{}
	self := bigen.Lazy(func() bigen.Gen[any] { return expr })
	alts := []bigen.Alt[any]{bigen.Case[any]("number", bigen.IntRange(0, 9)).Weight(9)}
	for _, op := range []string{"+", "-", "*", "/"} {
		alts = append(alts, bigen.Case[any](op, bigen.ArrayOf[[2]any](self)))
	}
	expr = bigen.Pick(alts...)
	each(t, expr, 0, 100, func(_ int, _ any, tree choices.Tree) { count(len(tree)) })
	require.Less(t, most, 3*600)
	require.Greater(t, most, 3*100)

	// The generator's own weights make infinite values: plain ones end as well.
	most = 0
	list := bigen.Gen[any]{}
	lists := bigen.Lazy(func() bigen.Gen[any] { return list })
	list = bigen.Pick(
		bigen.Case[any]("end", bigen.IntRange(0, 9)),
		bigen.Case[any]("pair", bigen.ArrayOf[[2]any](lists)).Weight(3),
	)
	each(t, list, 0, 100, func(_ int, _ any, tree choices.Tree) { count(len(tree)) })
	require.Less(t, most, 5000)
	require.Greater(t, most, 1000)
}

// A ticker is a machine of steps that are all alike.
type ticker struct{}

var tick = []choices.Alt{{Tag: "tick", Weight: 1}}

func (ticker) Offer() []choices.Alt           { return tick }
func (ticker) Allows(int) bool                { return true }
func (ticker) Find(*bigen.C, *int) int        { return 0 }
func (ticker) Step(c *bigen.C, _ int, p *int) { bigen.Part(c, "n", p, bigen.IntRange(0, 999)) }

// Sequences of steps have the length of their generator from the first value on.
func TestSteps(t *testing.T) {
	t.Parallel()
	g := bigen.Steps(
		func(*bigen.C, []int) (bigen.Machine[int], []int) { return ticker{}, nil }, 30, 1000,
	)
	sum, n, small, again := 0, 0, 0, 0
	each(t, g, 0, 40, func(i int, v []int, _ choices.Tree) {
		sum += len(v)
		n++
		if i < 5 && i%2 == 0 {
			require.GreaterOrEqual(t, len(v), 10)
		}
		different := map[int]bool{}
		for _, x := range v {
			different[x] = true
		}
		switch {
		case len(v) <= 2:
		case slices.Max(v) < 32:
			small++
		case 4*len(different) < 3*len(v):
			again++
		}
	})
	require.InDelta(t, 30, float64(sum)/float64(n), 5)
	require.Greater(t, float64(small)/float64(n), 0.3, "integers that have to do with each other")
	require.Greater(t, float64(again)/float64(n), 0.15, "integers that occur again")
}
