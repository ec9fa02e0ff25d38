package bigen_test

import (
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/varied"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// term is a small language; Seq, If and While refer to each other through stmt.
type (
	term     interface{ isTerm() }
	lit      int8
	variable string
	unary    struct{ X term }
	binop    struct {
		Op   string
		L, R term
	}
	call struct {
		Fun  string
		Args []term
	}
	lambda struct {
		Params []string
		Body   *block
	}
	index struct{ X, I term }
	cond  struct{ If, Then, Else term }

	stmt  interface{ isStmt() }
	block struct{ Stmts []stmt }
	while struct {
		Cond term
		Body stmt
	}
	branch struct {
		Cond       term
		Then, Else stmt
	}
)

func (lit) isTerm()      {}
func (variable) isTerm() {}
func (unary) isTerm()    {}
func (binop) isTerm()    {}
func (*call) isTerm()    {}
func (lambda) isTerm()   {}
func (index) isTerm()    {}
func (cond) isTerm()     {}
func (block) isStmt()    {}
func (while) isStmt()    {}
func (*branch) isStmt()  {}

// No variant of stmt stands without another stmt or an empty block.
var language = []bigen.Option{
	bigen.Variants[term](
		cond{}, index{}, lambda{}, (*call)(nil), binop{}, unary{}, variable(""), lit(0),
	),
	bigen.Variants[stmt]((*branch)(nil), while{}, block{}),
}

func (c *chain) size() int {
	if c == nil {
		return 0
	}
	return 1 + c.Tail.size()
}

func (f *fork) size() int {
	if f == nil {
		return 0
	}
	return 1 + f.L.size() + f.R.size()
}

func (b *bush) size() int {
	if b == nil {
		return 0
	}
	n := 1
	for _, kid := range b.Kids {
		n += kid.size()
	}
	return n
}

func (t triple) size() int {
	n := 1
	for _, kids := range [][]triple{t.A, t.B, t.C} {
		for _, kid := range kids {
			n += kid.size()
		}
	}
	return n
}

func (s nest) size() int {
	n := 1
	for _, kid := range s {
		n += kid.size()
	}
	return n
}

func (d dict) size() int {
	n := 1
	for _, kid := range d {
		n += kid.size()
	}
	return n
}

func (e even3) size() int {
	if e.Next == nil {
		return 1
	}
	n := 2
	if e.Next.Next != nil {
		n += e.Next.Next.size()
	}
	for _, other := range e.Next.Other {
		n += other.size()
	}
	return n
}

// Recursive types of any shape have values of moderate size, and the smallest is not
// the usual one.
func TestForSizes(t *testing.T) {
	sizes := []struct {
		name string
		draw func(r *rand.Rand) int
	}{
		{"list", sized(bigen.For[*chain](), (*chain).size)},
		{"binary tree", sized(bigen.For[*fork](), (*fork).size)},
		{"rose tree", sized(bigen.For[*bush](), (*bush).size)},
		{"three slices of itself", sized(bigen.For[triple](), triple.size)},
		{"slice of itself", sized(bigen.For[nest](), nest.size)},
		{"map of itself", sized(bigen.For[dict](), dict.size)},
		{"mutual recursion", sized(bigen.For[even3](), even3.size)},
		{"terms", counted(bigen.For[term](language...))},
		{"statements", counted(bigen.For[stmt](language...))},
		{"files", counted(bigen.For[entry](variants))},
		{"JSON", counted(bigen.JSON())},
		{"slices in slices", counted(bigen.For[[][][][]int]())},
		{"wide", counted(bigen.For[[4][]parts]())},
	}
	for _, s := range sizes {
		t.Run(s.name, func(t *testing.T) {
			n := long.Count(500, 2000)
			r := rng(11)
			least, smallest, most, sum := 1<<30, 0, 0, 0
			for range n {
				size := s.draw(r)
				if size < least {
					least, smallest = size, 0
				}
				if size == least {
					smallest++
				}
				most, sum = max(most, size), sum+size
			}
			t.Logf("mean %d, at most %d, %d%% smallest (%d)", sum/n, most, 100*smallest/n, least)
			require.Greater(t, sum/n, 2)
			require.Less(t, sum/n, 150)
			require.Less(t, most, 3000)
			require.Less(t, smallest, n/2)
		})
	}
}

// Bytes that encode nothing give values of the same sizes.
// The odds of a tag hold at any depth, and the rest of the type takes them into account.
func TestForOdds(t *testing.T) {
	type sum struct {
		Terms []any `bigen:"len=1..,odds=0.5"`
		Next  *bool `bigen:"odds=0.5"`
	}
	gen := bigen.For[sum](bigen.Variants[any](sum{}, 0))
	r := rand.New(rand.NewPCG(1, 1))
	n, terms, next, choice := 0, 0, 0, 0
	var count func(v any)
	count = func(v any) {
		if s, ok := v.(sum); ok {
			n++
			terms += len(s.Terms)
			if s.Next != nil {
				next++
			}
			for _, v := range s.Terms {
				count(v)
			}
		}
	}
	const values = 2000
	for range values {
		v, tree, err := bigen.Run(gen, choices.Random(r))
		require.NoError(t, err)
		choice += len(tree)
		count(v)
	}
	require.InDelta(t, 1.5, float64(terms)/float64(n), 0.1)
	require.InDelta(t, 1.0/3, float64(next)/float64(n), 0.05)
	require.Greater(t, n, 2*values)
	require.Less(t, choice, 100*values)

	type endless struct {
		Kids []endless `bigen:"odds=9"`
	}
	_, tree, err := bigen.Run(bigen.For[endless](), choices.Random(r))
	require.NoError(t, err)
	require.Less(t, len(tree), 300_000)
}

func TestForSizesOfBytes(t *testing.T) {
	sizesOfBytes(t, "slice of itself", bigen.For[nest]())
	sizesOfBytes(t, "JSON", bigen.JSON())
	sizesOfBytes(t, "map of itself", bigen.For[dict]())
	sizesOfBytes(t, "pointers", bigen.For[any](
		bigen.Variants[any](0, (*any)(nil), (**any)(nil), []*any(nil)),
	))
	sizesOfBytes(t, "terms", bigen.For[term](language...))
}

func sizesOfBytes[T any](t *testing.T, name string, g bigen.Gen[T]) {
	t.Run(name, func(t *testing.T) {
		r := rng(1)
		for range long.Count(100, 2000) {
			_, tree, err := bigen.Run(g, choices.FromBytes(randomBytes(r)))
			require.NoError(t, err)
			require.Less(t, len(tree), 5000)
		}
	})
}

// What is random in a value ends when it has 1000 choices, but larger ones can be recovered.
func TestForEnds(t *testing.T) {
	ends(t, "wide", bigen.For[[]basics]())
	ends(t, "map of itself", bigen.For[dict]())
	ends(t, "slice of itself", bigen.For[nest]())
	ends(t, "terms", bigen.For[term](language...))
	ends(t, "map", bigen.For[map[string][]parts]())

	large := make([][]int, 3000)
	large[2999] = []int{1, 2}
	g := bigen.For[[][]int]()
	b, err := bigen.Encode(g, large)
	require.NoError(t, err)
	again, err := bigen.Decode(g, b)
	require.NoError(t, err)
	require.Equal(t, large, again)

	// A type with larger values has a higher bound.
	type wide struct{ Ns [900]int8 }
	most := 0
	r := rng(1)
	for range 100 {
		_, tree, err := bigen.Run(bigen.For[[]wide](), choices.Random(r))
		require.NoError(t, err)
		most = max(most, len(tree))
	}
	require.Greater(t, most, 1800)
}

func ends[T any](t *testing.T, name string, g bigen.Gen[T]) {
	t.Run(name, func(t *testing.T) {
		r := rng(1)
		reached := false
		for i := range long.Count(1000, 3000) {
			for _, src := range []choices.Source{
				choices.FromBytes(randomBytes(r)), varied.Source(r, i),
			} {
				_, tree, err := bigen.Run(g, src)
				require.NoError(t, err)
				require.Less(t, len(tree), 2000)
				reached = reached || len(tree) > 850
			}
		}
		require.True(t, reached)
	})
}

func sized[T any](g bigen.Gen[T], size func(T) int) func(r *rand.Rand) int {
	return func(r *rand.Rand) int { return size(bigen.Sample(g, r)) }
}

// counted counts choices.
func counted[T any](g bigen.Gen[T]) func(r *rand.Rand) int {
	return func(r *rand.Rand) int {
		_, tree, err := bigen.Run(g, choices.Random(r))
		if err != nil {
			panic(err)
		}
		return len(tree)
	}
}

// All variants occur, also deep in a value.
func TestForVariants(t *testing.T) {
	g := bigen.For[[]term](language...)
	seen := map[string]int{}
	r := rng(2)
	for range 500 {
		_, tree, err := bigen.Run(g, choices.Random(r))
		require.NoError(t, err)
		for _, c := range tree {
			seen[c.Tag]++
		}
	}
	for _, tag := range []string{
		"cond", "index", "lambda", "*call", "binop", "unary", "variable", "lit", "*branch", "while",
		"block",
	} {
		require.Greater(t, seen[tag], 50, tag)
	}
}

// A variant that cannot end by itself does not stay in the first place.
func TestForFirstVariant(t *testing.T) {
	tree, err := bigen.Choices(bigen.For[term](language...), term(variable("x")))
	require.NoError(t, err)
	require.Equal(t, int64(0), tree[0].N)
	v, _, err := bigen.Run(bigen.For[stmt](language...), choices.Replay(nil, nil))
	require.NoError(t, err)
	require.Equal(t, stmt(block{}), v)
}

// greedy answers at random, but picks the last alternative.
type greedy struct{ choices.Source }

func (s greedy) Pick(q *choices.Question) int {
	s.Source.Pick(q)
	return len(q.Alts) - 1
}

func TestForLimits(t *testing.T) {
	atLimits(t, "list", bigen.For[*chain]())
	atLimits(t, "map in slice", bigen.For[[]map[uint8]bool]())
	atLimits(t, "statements", bigen.For[stmt](language...))
	if !long.Enabled() {
		return
	}
	atLimits(t, "tree", bigen.For[*fork]())
	atLimits(t, "rose tree", bigen.For[*bush]())
	atLimits(t, "slices of itself", bigen.For[triple]())
	atLimits(t, "map of itself", bigen.For[dict]())
	atLimits(t, "map", bigen.For[map[uint32][]int8]())
	atLimits(t, "map of slices", bigen.For[[]struct {
		M map[int16][]bool `bigen:"len=1.."`
	}](bigen.With(bigen.SuchThat(
		bigen.IntRange[int16](-1000, 1000), func(n int16) bool { return n%3 != 0 }, 1,
	))))
	atLimits(t, "mutual recursion", bigen.For[even3]())
	atLimits(t, "terms", bigen.For[term](language...))
	atLimits(t, "JSON", bigen.JSON())
	atLimits(t, "array", bigen.For[[]struct {
		Data [40_000]byte
		Next []int
	}]())
}

// atLimits checks a value that is as large as can be.
func atLimits[T any](t *testing.T, name string, g bigen.Gen[T]) {
	t.Run(name, func(t *testing.T) {
		v, tree, err := bigen.Run(g, greedy{choices.Random(rng(4))})
		require.NoError(t, err)
		again, err := bigen.Choices(g, v)
		require.NoError(t, err)
		require.True(t, equalTrees(tree, again))
		_, decoded, err := bigen.Run(g, choices.FromBytes(choices.Encode(tree)))
		require.NoError(t, err)
		require.True(t, equalTrees(tree, decoded))
		_, replayed, err := bigen.Run(g, choices.Replay(tree, nil))
		require.NoError(t, err)
		require.True(t, equalTrees(tree, replayed))
	})
}

func equalTrees(a, b choices.Tree) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// Maps have one tree, whatever the order of their elements.
func TestForMapOrder(t *testing.T) {
	g := bigen.For[map[int8]string]()
	m := map[int8]string{5: "e", -3: "a", 0: "b", 2: "c", 3: "d"}
	for range 20 {
		tree, err := bigen.Choices(g, m)
		require.NoError(t, err)
		require.Equal(
			t, `more(-3, "a"), more(0, "b"), more(2, "c"), more(3, "d"), more(5, "e"), stop`,
			tree.String(),
		)
	}
	e, err := bigen.Encode(bigen.For[map[int8]string](), map[int8]string{})
	require.NoError(t, err)
	v, err := bigen.Decode(g, e)
	require.NoError(t, err)
	require.Nil(t, v)
}

// Fields are known by their names, and At knows them by the same.
func TestForSlots(t *testing.T) {
	type before struct {
		A  int8
		B  string
		Cs []bool
	}
	type after struct {
		Cs  []bool
		New uint8
		B   string
		A   int8
	}
	v := before{-7, "b", []bool{true, false, true}}
	e, err := bigen.Encode(bigen.For[before](), v)
	require.NoError(t, err)
	w, err := bigen.Decode(bigen.For[after](), e)
	require.NoError(t, err)
	require.Equal(t, v, before{w.A, w.B, w.Cs})

	s := &server{"a", 80, 1, true, []backup{{1, 2}, {3, 4}}, &server{Name: "b"}}
	derived, err := bigen.Choices(bigen.For[*server](), s)
	require.NoError(t, err)
	byHand, err := bigen.Choices(genServer(), s)
	require.NoError(t, err)
	require.Equal(t, byHand, derived)
}

func TestForConcurrently(t *testing.T) {
	type fresh struct{ T *triple }
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			r := rng(uint64(i))
			for range 50 {
				v := bigen.Sample(bigen.For[fresh](), r)
				if err := bigen.Check(bigen.For[fresh](), v); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}
