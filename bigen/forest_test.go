package bigen_test

import (
	"errors"
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

// binary is read backward by trying each operator, all of the left part first.
type binary struct {
	L  *binary
	Op string
}

func genOperator(op string, sub bigen.Gen[*binary]) bigen.Alt[*binary] {
	return bigen.Tag(op, bigen.New(func(c *bigen.C, b *binary) {
		bigen.At(c, &b.L, sub)
		b.Op = op
	}))
}

// genBinary makes one generator for the parts of both alternatives.
func genBinary() bigen.Gen[*binary] {
	sub := bigen.Lazy(genBinary)
	return bigen.Pick(
		bigen.Tag("nil", bigen.Nil[binary]()), genOperator("+", sub), genOperator("-", sub),
	)
}

// genBinaryAnew makes one for each.
func genBinaryAnew(n int) bigen.Gen[*binary] {
	if n == 0 {
		return bigen.Nil[binary]()
	}
	sub := func() bigen.Gen[*binary] {
		return bigen.Lazy(func() bigen.Gen[*binary] { return genBinaryAnew(n - 1) })
	}
	return bigen.Pick(
		bigen.Tag("nil", bigen.Nil[binary]()), genOperator("+", sub()), genOperator("-", sub()),
	)
}

// binaries makes one for equal parameters, which are how deep values nest.
var binaries = bigen.NewFamily(func(self *bigen.Family[int, *binary]) bigen.Gen[*binary] {
	sub := bigen.Given(func(c *bigen.C) bigen.Gen[*binary] { return self.Gen(self.Param(c) - 1) })
	more := self.Is(func(n int) bool { return n > 0 })
	return bigen.Pick(
		bigen.Tag("nil", bigen.Nil[binary]()),
		genOperator("+", sub).If(more), genOperator("-", sub).If(more),
	)
})

func deep(n int) (b *binary) {
	for i := range n {
		b = &binary{b, "+-"[i%2:][:1]}
	}
	return b
}

// Alternatives that read the same part cost no exponential time.
func TestSharedParts(t *testing.T) {
	for name, g := range map[string]bigen.Gen[*binary]{
		"one generator": genBinary(), "Family": binaries.Gen(1000),
	} {
		t.Run(name, func(t *testing.T) {
			v := deep(long.Count(100, 1000))
			tree, err := bigen.Choices(g, v)
			require.NoError(t, err)
			w, again, err := bigen.Run(g, choices.Replay(tree, nil))
			require.NoError(t, err)
			require.Equal(t, tree, again)
			require.Equal(t, v, w)

			bottom := v
			for bottom.L != nil {
				bottom = bottom.L
			}
			bottom.Op = "*"
			require.ErrorIs(t, bigen.Check(g, v), bigen.ErrNotProduced)
		})
	}
}

// either is made by any of two alternatives at each link.
type either struct{ Next *either }

func genEither(n int) bigen.Gen[*either] {
	if n == 0 {
		return bigen.Nil[either]()
	}
	step := bigen.New(func(c *bigen.C, l *either) { bigen.At(c, &l.Next, genEither(n-1)) })
	return bigen.Pick(bigen.Tag("a", step), bigen.Tag("b", step).Weight(3))
}

func TestForest(t *testing.T) {
	const n = 40
	var v *either
	for range n {
		v = &either{v}
	}
	f, err := bigen.Forest(genEither(n), v)
	require.NoError(t, err)
	require.Equal(t, math.Pow(2, n), f.Count())
	require.InDelta(t, 1, f.Prob(nil), 1e-12)
	require.InDelta(
		t, 1, f.Prob(func(tag string, _ float64) float64 { return float64(tag[0] - 'a') }), 1e-12,
	)

	leftmost, err := bigen.Choices(genEither(n), v)
	require.NoError(t, err)
	require.Equal(t, leftmost, f.First())
	require.Equal(t, "a", f.First()[n-1].Tag)

	seen := 0
	for tree := range f.All() {
		if seen++; seen > 1000 {
			break
		}
		w, again, err := bigen.Run(genEither(n), choices.Replay(tree, nil))
		require.NoError(t, err)
		require.Equal(t, v, w)
		require.Equal(t, tree, again)
	}
}

func init() { laws = append(laws, lawful("NewFamily", binaries.Gen(20), always)) }

// checkForests checks that the forests of random values hold trees that make them,
// and that their probabilities are the frequencies of the values.
func checkForests[A any](t *testing.T, g bigen.Gen[A]) {
	t.Helper()
	n := long.Count(30, 200)
	r := rng(1)
	freq := map[string]int{}
	forests := map[string]*bigen.Trees{}
	for i := range n {
		v, _, err := bigen.Run(g, choices.Random(r))
		if errors.Is(err, bigen.ErrRejected) {
			continue
		}
		require.NoError(t, err)
		leftmost, err := bigen.Choices(g, v)
		require.NoError(t, err)
		key := string(choices.Encode(leftmost))
		freq[key]++
		if i >= 20 && forests[key] != nil {
			continue
		}
		f, err := bigen.Forest(g, v)
		require.NoError(t, err)
		forests[key] = f
		if p := f.LogProb(nil); math.IsInf(p, 0) || math.IsNaN(p) {
			require.Fail(
				t, "impossible", "the logarithm of the probability is %v, of choices\n%v", p,
				leftmost,
			)
		}
		if i >= 20 {
			continue
		}
		require.True(t, slices.Equal(leftmost, f.First()), "%v\n%v", leftmost, f.First())
		packed, ok := bigen.ChoicesPacked(g, v)
		require.True(t, ok && slices.Equal(leftmost, packed), "%v\n%v", leftmost, packed)
		left := 4
		for tree := range f.All() {
			w, again, err := bigen.Run(g, choices.Replay(tree, nil))
			require.NoError(t, err)
			require.True(t, slices.Equal(tree, again), "%v\n%v", tree, again)
			same, err := bigen.Choices(g, w)
			require.NoError(t, err)
			require.True(t, slices.Equal(leftmost, same), "%v\n%v", leftmost, same)
			if left--; left == 0 {
				break
			}
		}
	}
	sum := 0.0
	for key, f := range forests {
		p := f.Prob(nil)
		sum += p
		if got := float64(freq[key]) / float64(n); !f.Inexact {
			require.InDelta(t, p, got, 6*math.Sqrt(p/float64(n))+5/float64(n), "%v", f.First())
		}
	}
	require.LessOrEqual(t, sum, 1+1e-9)
}

func allTrees(depth, lo, hi int) []*bsttest.Tree {
	all := []*bsttest.Tree{nil}
	if depth == 0 {
		return all
	}
	for x := lo; x <= hi; x++ {
		for _, l := range allTrees(depth-1, lo, x-1) {
			for _, r := range allTrees(depth-1, x+1, hi) {
				all = append(all, &bsttest.Tree{L: l, X: x, R: r})
			}
		}
	}
	return all
}

// "Bigenerators, Exposed!", section 4.2: the probabilities of all values sum to 1.
func TestProb(t *testing.T) {
	node5, exact, err := bigen.Prob(bsttest.Gen(-10, 10), node(nil, 5, nil), nil)
	require.NoError(t, err)
	require.True(t, exact)
	require.InDelta(t, 5./6/21/36, node5, 1e-15)

	for _, w := range []func(string, float64) float64{nil, func(tag string, _ float64) float64 {
		return float64(len(tag))
	}} {
		sum := 0.0
		for _, v := range allTrees(2, 0, 3) {
			p, exact, err := bigen.Prob(bsttest.Bounded(2, 0, 3), v, w)
			require.NoError(t, err)
			require.True(t, exact)
			sum += p
		}
		require.InDelta(t, 1, sum, 1e-12)
	}

	p, _, err := bigen.Prob(bsttest.Gen(-10, 10), node(nil, 11, nil), nil)
	require.ErrorIs(t, err, bigen.ErrNotProduced)
	require.Zero(t, p)

	p, exact, err = bigen.Prob(bigen.SuchThat(bigen.IntRange(0, 9), even), 4, nil)
	require.NoError(t, err)
	require.False(t, exact)
	require.InDelta(t, 0.1, p, 1e-12)
}

// Prob is the frequency with which Sample makes a value.
func TestProbIsFrequency(t *testing.T) {
	type pair struct {
		A, B bool
		S    []bool
	}
	g := bigen.Pick(
		bigen.Tag("small", bigen.Just(pair{})),
		bigen.Tag("any", bigen.Struct(func(c *bigen.C, p *pair) {
			bigen.At(c, &p.A, bigen.Bool())
			bigen.At(c, &p.B, bigen.Pick(
				bigen.Tag("same", bigen.Just(p.A)), bigen.Tag("any", bigen.Bool()).Weight(2),
				bigen.Tag("true", bigen.Just(true)),
			))
			bigen.At(c, &p.S, bigen.SliceOf(bigen.Bool(), 0, 2))
		})).Weight(3),
	)
	n := float64(long.Count(20_000, 100_000))
	r := rng(1)
	count, values := map[string]float64{}, map[string]pair{}
	for range int(n) {
		v := bigen.Sample(g, r)
		key := fmt.Sprint(v)
		count[key]++
		values[key] = v
	}
	sum := 0.0
	for key, v := range values {
		p, _, err := bigen.Prob(g, v, nil)
		require.NoError(t, err)
		require.InDelta(t, p, count[key]/n, 5*math.Sqrt(p/n), key)
		sum += p
	}
	require.InDelta(t, 1, sum, 1e-12)
}

// Generators that differ only in their parameters are not taken for one.
func TestForestParameters(t *testing.T) {
	zero := bigen.Just(0)
	pick := func(a, b string, w float64) bigen.Gen[int] {
		return bigen.Pick(bigen.Tag(a, zero), bigen.Tag(b, zero).Weight(w))
	}
	g := bigen.Pick(
		bigen.Tag("high", bigen.IntRange(1, 9)),
		bigen.Tag("low", bigen.IntRange(0, 4)),
		bigen.Tag("lowest", bigen.IntRange(0, 1)),
		bigen.Tag("ab", pick("a", "b", 1)),
		bigen.Tag("cd", pick("c", "d", 1)),
		bigen.Tag("weights", pick("c", "d", 3)),
	)
	f, err := bigen.Forest(g, 0)
	require.NoError(t, err)
	var trees []string
	for tree := range f.All() {
		trees = append(trees, tree.String())
	}
	require.Equal(
		t,
		[]string{
			"low(0)", "lowest(0)", "ab(a)", "ab(b)", "cd(c)", "cd(d)", "weights(c)", "weights(d)",
		},
		trees,
	)
	for i, want := range []float64{1. / 5, 1. / 2, 1} {
		require.InDelta(t, want/6, f.Way(i).Prob(nil), 1e-15)
	}
}

// Where time would grow beyond all bounds, that is what the error says.
func TestGaveUp(t *testing.T) {
	if !long.Enabled() {
		defer bigen.SetMaxInVain(1 << 13)()
	}
	g := genBinaryAnew(60)
	err := bigen.Check(g, deep(60))
	require.ErrorIs(t, err, bigen.ErrGaveUp)
	require.False(t, errors.Is(err, bigen.ErrNotProduced))
	require.ErrorContains(
		t, err, "given up reading the value backward: at /: too many choices tried",
	)
	_, exact, err := bigen.Prob(g, deep(60), nil)
	require.ErrorIs(t, err, bigen.ErrGaveUp)
	require.False(t, exact)
}

// An Iso made once is one generator.
func TestSharedIso(t *testing.T) {
	var g bigen.Gen[string]
	self := bigen.Lazy(func() bigen.Gen[string] { return g })
	longer := func(to string) bigen.Alt[string] {
		return bigen.Tag(to, bigen.Iso(self,
			func(s string) string { return "x" + s },
			func(s string) (string, bool) { return strings.CutPrefix(s, "x") }))
	}
	g = bigen.Pick(bigen.Tag("end", bigen.Just("")), longer("a"), longer("b"))
	f, err := bigen.Forest(g, strings.Repeat("x", 30))
	require.NoError(t, err)
	require.Equal(t, float64(1<<30), f.Count())
}

type kids struct{ Kids []*kids }

func genKids(size int, opts ...bigen.RecursiveOption) bigen.Gen[*kids] {
	return bigen.Recursive(bigen.Nil[kids](), func(self bigen.Gen[*kids]) bigen.Gen[*kids] {
		return bigen.New(func(c *bigen.C, k *kids) {
			bigen.At(c, &k.Kids, bigen.SliceOf(self, 0, 9))
		})
	}, size, opts...)
}

// What is known of a part in one place is not taken for another place where less is
// allowed.
func TestForestPlaces(t *testing.T) {
	leaf := &kids{}
	shallow := bigen.SliceOf(genKids(10, bigen.MaxNesting(1)), 0, 9)
	for _, v := range [][]*kids{{leaf, {Kids: []*kids{leaf}}}, {{Kids: []*kids{leaf}}, leaf}} {
		_, err := bigen.Forest(shallow, v)
		require.ErrorIs(t, err, bigen.ErrNotProduced)
		require.Equal(t, bigen.Check(shallow, v), err)
	}

	set := map[int]struct{}{1: {}, 2: {}}
	sets := make([]*map[int]struct{}, 32_300)
	sets[0], sets[len(sets)-1] = &set, &set
	genSets := bigen.SliceOf(bigen.Ptr(bigen.SetOf(bigen.IntRange(0, 9), 0, 5)), 0, 60_000)
	_, err := bigen.Forest(genSets, sets)
	require.ErrorIs(t, err, bigen.ErrNotProduced)

	seven := 7
	numbers := make([]*int, 32_500)
	numbers[0], numbers[len(numbers)-1] = &seven, &seven
	genNumbers := bigen.SliceOf(
		bigen.Ptr(bigen.SuchThat(bigen.IntRange(0, 9), func(n int) bool { return n > 0 }, 5)), 0,
		60_000,
	)
	_, err = bigen.Forest(genNumbers, numbers)
	require.ErrorIs(t, err, bigen.ErrNotProduced)
	require.ErrorIs(t, bigen.Check(genNumbers, numbers), bigen.ErrNotProduced)
}
