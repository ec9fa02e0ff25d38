package bigen_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/espalier-go/espalier/mutate"
	"github.com/stretchr/testify/require"
	"golang.org/x/exp/slices"
)

// Equal maps have equal trees, however they were built and iterated over.
func TestMapsAreCanonical(t *testing.T) {
	g := bigen.MapOf(bigen.String(5), bigen.SetOf(bigen.IntRange(-99, 99), 0, 9), 3, 20)
	r := rng(7)
	for range 50 {
		m, recorded, err := bigen.Run(g, choices.Random(r))
		require.NoError(t, err)
		for range 5 {
			tree, err := bigen.Choices(g, m)
			require.NoError(t, err)
			require.Equal(t, recorded, tree)
		}
	}
	tree, err := bigen.Choices(
		g, map[string]map[int]struct{}{"b": {3: {}, -2: {}, 1: {}}, "": nil, "a": {}},
	)
	require.NoError(t, err)
	require.Equal(
		t, `more("", stop), more("a", stop), more("b", more(-2), more(1), more(3), stop), stop`,
		tree.String(),
	)
}

// An edit that makes keys equal loses one of the entries.
func TestMapKeysMadeEqual(t *testing.T) {
	g := bigen.MapOf(bigen.IntRange(0, 9), bigen.String(1), 0, 5)
	tree, err := bigen.Choices(g, map[int]string{1: "a", 2: "b", 3: "c"})
	require.NoError(t, err)
	tree[4].N = 1 // the second key
	m, made, err := bigen.Run(g, choices.Replay(tree, nil))
	require.NoError(t, err)
	require.Equal(t, map[int]string{1: "a", 3: "c"}, m)
	require.Equal(t, `more(1, "a"), more(3, "c"), stop`, made.String())
	require.Equal(t, int32(1), made[3].Index)
}

func TestEmptyCollections(t *testing.T) {
	m := bigen.MapOf(bigen.Bool(), bigen.Bool(), 0, 3)
	require.NoError(t, bigen.Check(m, map[bool]bool{}))
	v, _, err := bigen.Run(m, wrong{})
	require.NoError(t, err)
	require.Nil(t, v)
	d := bigen.Distinct(bigen.Bool(), 0, 3)
	require.NoError(t, bigen.Check(d, []bool{}))
	s, _, err := bigen.Run(d, wrong{})
	require.NoError(t, err)
	require.Nil(t, s)
	require.NoError(t, bigen.Check(bigen.Subset(1, 2), []int{}))
}

// always1 answers every pick with the last alternative, every integer with 1.
type always1 struct{}

func (always1) Pick(q *choices.Question) int  { return len(q.Alts) - 1 }
func (always1) Leave()                        {}
func (always1) Int(*choices.Question) int64   { return 1 }
func (always1) Text(*choices.Question) string { return "1" }

// A source that always repeats itself ends a collection, or is rejected.
func TestNothingNew(t *testing.T) {
	m, tree, err := bigen.Run(
		bigen.MapOf(bigen.IntRange(0, 9), bigen.Bool(), 0, math.MaxInt), always1{},
	)
	require.NoError(t, err)
	require.Equal(t, map[int]bool{1: true}, m)
	require.Equal(t, "more(1, true), stop", tree.String())
	s, tree, err := bigen.Run(bigen.Distinct(bigen.IntRange(0, 9), 1, math.MaxInt), always1{})
	require.NoError(t, err)
	require.Equal(t, []int{1}, s)
	require.Equal(t, "more(1), stop", tree.String())
	for _, g := range []bigen.Gen[map[int]struct{}]{
		bigen.SetOf(bigen.IntRange(0, 9), 2, 5),
		bigen.SetOf(bigen.IntRange(0, 9), 11, 11),
		bigen.SetOf(bigen.IntRange(0, 9), 1<<30, 1<<30),
	} {
		_, _, err := bigen.Run(g, always1{})
		require.ErrorIs(t, err, bigen.ErrRejected)
	}
	_, _, err = bigen.Run(bigen.SetOf(bigen.IntRange(0, 9), 11, 11), choices.Random(rng(1)))
	require.ErrorIs(t, err, bigen.ErrRejected)
	_, _, err = bigen.Run(genAscending(22, 22), choices.Random(rng(1)))
	require.ErrorIs(t, err, bigen.ErrRejected)
	nan := bigen.Just(math.NaN())
	_, _, err = bigen.Run(bigen.MapOf(nan, bigen.Bool(), 1, 1), choices.Random(rng(1)))
	require.ErrorIs(t, err, bigen.ErrRejected)
}

// All of a small range is found.
func TestWholeRange(t *testing.T) {
	r := rng(2)
	for range 20 {
		_, _, err := bigen.Run(bigen.SetOf(bigen.IntRange(1, 300), 300, 300), choices.Random(r))
		require.NoError(t, err)
	}
}

// ascend answers each integer with the next, and never ends.
type ascend struct{ n int64 }

func (ascend) Pick(q *choices.Question) int { return len(q.Alts) - 1 }
func (ascend) Leave()                       {}
func (s *ascend) Int(q *choices.Question) int64 {
	s.n--
	return q.Hi/2 + s.n
}
func (s *ascend) Text(*choices.Question) string {
	s.n--
	return strconv.Itoa(int(-s.n % 10_000))
}

// Collections at the limits are values like others.
func TestCollectionLimits(t *testing.T) {
	key := bigen.IntRange(0, 1<<30)
	numbers := bigen.SliceOf(key, 0, math.MaxInt)
	odd := bigen.SuchThat(key, func(n int) bool { return n >= 0 }, 7)
	t.Run("set", func(t *testing.T) { checkLimit(t, bigen.SetOf(key, 0, math.MaxInt)) })
	if !long.Enabled() {
		return
	}
	t.Run("recursive", func(t *testing.T) { checkLimit(t, genMulti(5, 0, 5)) })
	t.Run("backward", func(t *testing.T) {
		g := bigen.SetOf(key, 0, math.MaxInt)
		m := map[int]struct{}{}
		for i := range 1 << 15 {
			m[i] = struct{}{}
		}
		require.ErrorContains(t, bigen.Check(g, m), "more than 64536 choices")
		repeated := make([]int, 1<<21)
		for i := range repeated {
			repeated[i] = 1 + i%2
		}
		require.Error(t, bigen.Check(bigen.Distinct(key, 0, math.MaxInt), repeated))
	})
	t.Run("set of filtered", func(t *testing.T) { checkLimit(t, bigen.SetOf(odd, 1, math.MaxInt)) })
	t.Run("map of slices", func(t *testing.T) {
		checkLimit(t, bigen.MapOf(key, numbers, 0, math.MaxInt))
	})
	t.Run("map of sets", func(t *testing.T) {
		checkLimit(t, bigen.MapOf(key, bigen.SetOf(key, 1, 20_000), 0, math.MaxInt))
	})
	t.Run("map after a slice", func(t *testing.T) {
		type s struct {
			Head []int
			Tail map[int]bool
			Set  map[int]struct{}
		}
		checkLimit(t, bigen.Struct(func(c *bigen.C, v *s) {
			bigen.At(c, &v.Head, numbers)
			bigen.At(c, &v.Tail, bigen.MapOf(key, bigen.Bool(), 1, 5))
			bigen.At(c, &v.Set, bigen.SetOf(key, 0, 5))
		}))
	})
	t.Run("distinct", func(t *testing.T) { checkLimit(t, bigen.Distinct(key, 0, math.MaxInt)) })
	t.Run("ascending", func(t *testing.T) {
		checkLimit(t, bigen.SliceBy(
			func(prev []int) (bigen.Gen[int], bool) {
				return bigen.IntRange(len(prev), 1<<20), true
			},
			0, math.MaxInt,
		))
	})
	t.Run("permutation", func(t *testing.T) {
		checkLimit(t, bigen.SliceOf(bigen.Permutation(1, 2, 3, 4, 5), 0, math.MaxInt))
		checkLimit(t, bigen.SliceOf(bigen.Subset(1, 2, 3, 4, 5), 0, math.MaxInt))
	})
	t.Run("more recursive", func(t *testing.T) {
		checkLimit(t, genMulti(5, 0, 5, bigen.MaxNesting(7)))
		checkLimit(t, genObject(5))
		checkLimit(t, bigen.Recursive(bigen.Nil[both](), func(self bigen.Gen[*both]) bigen.Gen[*both] {
			return bigen.New(func(c *bigen.C, b *both) {
				bigen.At(c, &b.M, bigen.MapOf(key, self, 1, 5))
				bigen.At(c, &b.S, bigen.SliceOf(self, 0, 5))
			})
		}, 5))
	})
	t.Run("dropped for lack of room", func(t *testing.T) {
		g := bigen.Recursive(bigen.Nil[both](), func(self bigen.Gen[*both]) bigen.Gen[*both] {
			return bigen.New(func(c *bigen.C, b *both) {
				bigen.At(c, &b.M, bigen.MapBy(key, func(k int) bigen.Gen[*both] {
					if k%5 > 0 {
						return bigen.Nil[both]()
					}
					return self
				}, 1, 9))
				bigen.At(c, &b.S, bigen.SliceOf(self, 0, 5))
			})
		}, 5)
		v, _, err := bigen.Run(g, &ascend{})
		require.NoError(t, err)
		checkValue(t, g, v, always)
	})
}

func checkLimit[A any](t *testing.T, g bigen.Gen[A]) {
	v, tree, err := bigen.Run(g, &ascend{})
	require.NoError(t, err)
	require.Greater(t, len(tree), 30_000)
	again, same, err := bigen.Run(g, choices.Replay(tree, nil))
	require.NoError(t, err)
	require.True(t, slices.Equal(tree, same))
	require.Equal(t, v, again)
	back, err := bigen.Choices(g, v)
	require.NoError(t, err)
	require.True(t, slices.Equal(tree, back))
	_, same, err = bigen.Run(g, choices.FromBytes(choices.Encode(tree)))
	require.NoError(t, err)
	require.True(t, slices.Equal(tree, same))
}

type both struct {
	M map[int]*both
	S []*both
}

func TestCollectionErrors(t *testing.T) {
	small := bigen.MapOf(bigen.IntRange(0, 9), bigen.IntRange(0, 9), 1, 3)
	tests := []struct {
		name string
		err  error
		want string
	}{
		{"key", bigen.Check(small, map[int]int{1: 1, 11: 1}), "at /key 11: 11 not in [0,9]"},
		{"value", bigen.Check(small, map[int]int{1: 1, 2: 11}), "at /[2]: 11 not in [0,9]"},
		{"number of entries", bigen.Check(small, nil), "at /: 0 elements, not 1 to 3"},
		{
			"first of several", bigen.Check(small, map[int]int{-1: 1, -2: 1, -3: 1}),
			"at /key -1: -1 not in [0,9]",
		},
		{
			"set", bigen.Check(bigen.SetOf(bigen.String(1), 0, 9), map[string]struct{}{"ab": {}}),
			`at /key "ab": 2 runes, more than 1`,
		},
		{
			"not a number",
			bigen.Check(
				bigen.SetOf(bigen.Just(math.NaN()), 0, 9), map[float64]struct{}{math.NaN(): {}},
			),
			"at /: the key math.NaN() is not equal to itself",
		},
		{"value by key", bigen.Check(bigen.MapBy(bigen.IntRange(0, 9), func(k int) bigen.Gen[int] {
			return bigen.IntRange(k, 9)
		}, 0, 9), map[int]int{3: 2}), "at /[3]: 2 not in [3,9]"},
		{
			"again", bigen.Check(bigen.Distinct(bigen.IntRange(0, 9), 0, 9), []int{1, 2, 1}),
			"at /2: has the key of element 0",
		},
		{"again by key", bigen.Check(bigen.DistinctBy(genDate, func(d Date) int {
			return d.Day
		}, 0, 9), []Date{{2000, 1, 1}, {2001, 2, 1}}), "at /1: has the key of element 0"},
		{
			"element", bigen.Check(bigen.Distinct(bigen.IntRange(0, 9), 0, 9), []int{1, 10}),
			"at /1: 10 not in [0,9]",
		},
		{
			"cannot be compared", bigen.Check(bigen.Distinct(genAnyKey, 0, 9), []any{[]bool{true}}),
			"at /0: its key is not equal to itself, or cannot be compared",
		},
		{
			"array", bigen.Check(bigen.ArrayOf[[2]int](bigen.IntRange(0, 9)), [2]int{1, 10}),
			"at /1: 10 not in [0,9]",
		},
		{
			"permutation", bigen.Check(bigen.Permutation(1, 2, 2), []int{2, 1, 1}),
			"at /: 1 is not one of the values, or is there too often",
		},
		{
			"part of a permutation", bigen.Check(bigen.Permutation(1, 2, 2), []int{2, 1}),
			"at /: 2 elements, not 3",
		},
		{
			"subset", bigen.Check(bigen.Subset(1, 2, 3), []int{3, 2}),
			"at /: 2 is not one of the values after the element before it",
		},
		{"nil", bigen.Check(bigen.NonNil(bigen.Bool()), nil), "at /: is nil"},
		{"order", bigen.Check(genAscending(0, 9), []int{1, 3, 2}), "at /2: 2 not in [4,20]"},
		{
			"after the end", bigen.Check(genAscending(0, 9), []int{1, 20, 21}),
			"at /: 3 elements, but none can follow the first 2",
		},
		{
			"nested too deep",
			bigen.Check(genMulti(5, 0, 5, bigen.MaxNesting(1)), &multi{[]*multi{{}}}),
			"at /step/Children/0/base: is not nil",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.ErrorIs(t, tt.err, bigen.ErrNotProduced)
			require.EqualError(t, tt.err, "not produced by the generator: "+tt.want)
		})
	}
}

func TestCollectionMisuse(t *testing.T) {
	tests := []struct {
		name string
		f    func()
		want string
	}{
		{
			"map", func() { bigen.MapOf(bigen.Bool(), bigen.Bool(), 3, 2) },
			"bigen.MapOf: no map has from 3 to 2 elements",
		},
		{
			"set", func() { bigen.SetOf(bigen.Bool(), -1, 2) },
			"bigen.SetOf: no set has from -1 to 2 elements",
		},
		{
			"distinct", func() { bigen.Distinct(bigen.Bool(), 3, 2) },
			"bigen.Distinct: no slice has from 3 to 2 elements",
		},
		{
			"no array", func() { bigen.ArrayOf[[]int](bigen.IntRange(0, 9)) },
			"bigen.ArrayOf: []int is not an array type with elements of type int",
		},
		{
			"elements", func() { bigen.ArrayOf[[2]int](bigen.Bool()) },
			"bigen.ArrayOf: [2]int is not an array type with elements of type bool",
		},
		{
			"size", func() { genMulti(0, 0, 5) },
			"bigen.Recursive: a mean of 0 steps: want 1 or more",
		},
		{"nesting", func() { bigen.MaxNesting(-1) }, "bigen.MaxNesting: -1 is negative"},
		{
			"branching", func() { bigen.Branching(math.NaN()) },
			"bigen.Branching: a mean of NaN: want a number above 0",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { require.PanicsWithValue(t, tt.want, tt.f) })
	}
}

// The function of a struct may sort a slice, in either direction.
func TestSortingInPlace(t *testing.T) {
	type inner struct{ Words []string }
	type s struct {
		Keys  []int
		Inner inner
		Last  int
	}
	sorted := func(v s) bool {
		return slices.IsSorted(v.Keys) && slices.IsSorted(v.Inner.Words) &&
			(len(v.Keys) == 0 || v.Last == v.Keys[len(v.Keys)-1])
	}
	g := bigen.Struct(func(c *bigen.C, v *s) {
		bigen.At(c, &v.Keys, bigen.SuchThat(bigen.SliceOf(bigen.IntRange(0, 99), 0, 9), always))
		slices.Sort(v.Keys)
		bigen.At(c, &v.Inner, bigen.Struct(func(c *bigen.C, v *inner) {
			bigen.At(c, &v.Words, bigen.SliceOf(bigen.String(3), 0, 3))
		}))
		slices.Sort(v.Inner.Words)
		if len(v.Keys) > 0 {
			v.Last = v.Keys[len(v.Keys)-1]
		}
	})
	checkLaws(t, g, sorted)
	unsorted := s{Keys: []int{3, 1}, Last: 3}
	require.EqualError(
		t, bigen.Check(g, unsorted),
		"not produced by the generator: at /Keys: is []int{3, 1}; the generator makes it []int{1, 3}",
	)
	require.Equal(t, s{Keys: []int{3, 1}, Last: 3}, unsorted, "Check leaves its value as it is")

	type joined struct{ Text string }
	let := bigen.Struct(func(c *bigen.C, v *joined) {
		words := bigen.Let(
			c, v, func(*joined) ([]string, bool) { return shared, true },
			bigen.SliceOf(bigen.String(1), 2, 2),
		)
		slices.Sort(words)
		v.Text = strings.Join(words, "")
	})
	require.NoError(t, bigen.Check(let, joined{"ab"}))
	require.Equal(t, []string{"b", "a"}, shared)
}

var shared = []string{"b", "a"}

// Simplest values that fail.
func TestMinimizeCollections(t *testing.T) {
	type set = map[int]struct{}
	t.Run("map of two", func(t *testing.T) {
		g := bigen.MapOf(bigen.IntRange(-99, 99), bigen.IntRange(0, 9), 0, 30)
		minimal(t, g, func(m map[int]int) bool { return len(m) >= 2 }, map[int]int{0: 0, 1: 0})
	})
	t.Run("map value", func(t *testing.T) {
		g := bigen.MapOf(bigen.String(5), bigen.IntRange(0, 9), 0, 30)
		minimal(t, g, func(m map[string]int) bool {
			for _, v := range m {
				if v >= 5 {
					return true
				}
			}
			return false
		}, map[string]int{"": 5})
	})
	t.Run("set with a minimum", func(t *testing.T) {
		g := bigen.SetOf(bigen.IntRange(0, 99), 3, 30)
		minimal(t, g, func(m set) bool { return true }, set{0: {}, 1: {}, 2: {}})
	})
	t.Run("sum of distinct", func(t *testing.T) {
		g := bigen.Distinct(bigen.IntRange(0, 9), 0, 30)
		r := rng(1)
		for range 50 {
			got := minimize(t, g, r, func(s []int) bool { return sum(s) > 10 })
			require.Equal(t, 11, sum(got))
		}
	})
	t.Run("unsorted permutation", func(t *testing.T) {
		g := bigen.Permutation(1, 2, 3, 4, 5)
		r := rng(1)
		for range 50 {
			got := minimize(t, g, r, func(s []int) bool { return !slices.IsSorted(s) })
			swaps := 0
			for i, v := range got {
				if v != i+1 {
					swaps++
				}
			}
			require.Equal(t, 2, swaps, "%v", got)
		}
	})
	t.Run("subset", func(t *testing.T) {
		g := bigen.Subset(1, 2, 3, 4, 5, 6)
		minimal(
			t, g, func(s []int) bool { return slices.Contains(s, 2) && slices.Contains(s, 5) },
			[]int{2, 5},
		)
	})
	t.Run("array", func(t *testing.T) {
		g := bigen.ArrayOf[[5]int](bigen.IntRange(-9, 9))
		minimal(t, g, func(a [5]int) bool { return a[2] > 3 || a[4] < -10 }, [5]int{2: 4})
	})
	t.Run("pointer", func(t *testing.T) {
		five := 5
		minimal(
			t, bigen.Ptr(bigen.IntRange(0, 99)), func(p *int) bool { return p != nil && *p >= 5 },
			&five,
		)
	})
	t.Run("ascending", func(t *testing.T) {
		minimal(t, genAscending(0, 9), func(s []int) bool { return len(s) >= 3 }, []int{0, 1, 2})
	})
	t.Run("recursive", func(t *testing.T) {
		minimal(
			t, genMulti(10, 0, 5), func(m *multi) bool { return m.nesting() >= 3 },
			&multi{[]*multi{{[]*multi{{}}}}},
		)
	})
	t.Run("object", func(t *testing.T) {
		g := genObject(10)
		minimal(
			t, g, func(o *object) bool { return len(o.Fields) >= 2 },
			&object{Fields: map[string]*object{"": {}, "a": {}}},
		)
	})
}

func sum(s []int) (n int) {
	for _, v := range s {
		n += v
	}
	return n
}

func minimize[A any](t *testing.T, g bigen.Gen[A], r interface {
	Uint64() uint64
}, fails func(A) bool) A {
	t.Helper()
	for {
		v, tree, err := bigen.Run(g, choices.Random(rng(r.Uint64())))
		require.NoError(t, err)
		if !fails(v) {
			continue
		}
		got, _, _ := mutate.Minimize(tree, func(tree choices.Tree) (A, choices.Tree, error) {
			return bigen.Run(g, choices.Replay(tree, nil))
		}, fails, 5_000)
		v, again, err := bigen.Run(g, choices.Replay(got, nil))
		require.NoError(t, err)
		require.Equal(t, got, again)
		return v
	}
}

func minimal[A any](t *testing.T, g bigen.Gen[A], fails func(A) bool, want A) {
	t.Helper()
	r := rng(3)
	for range 30 {
		require.Equal(t, want, minimize(t, g, r, fails))
	}
}

// All orders and all subsets are equally likely.
func TestSelectionsAreUniform(t *testing.T) {
	const n = 24_000
	r := rng(9)
	orders, subsets := map[string]int{}, map[string]int{}
	for range n {
		orders[fmt.Sprint(bigen.Sample(bigen.Permutation(1, 2, 3, 4), r))]++
		subsets[fmt.Sprint(bigen.Sample(bigen.Subset(1, 2, 3), r))]++
	}
	require.Len(t, orders, 24)
	for _, k := range orders {
		require.InDelta(t, n/24, k, 6*math.Sqrt(n/24))
	}
	require.Len(t, subsets, 8)
	for _, k := range subsets {
		require.InDelta(t, n/8, k, 6*math.Sqrt(n/8))
	}
}

// Elements that are there already do not end a set.
func TestCollisions(t *testing.T) {
	g := bigen.SetOf(bigen.IntRange(0, 9), 0, 10)
	most := 0
	for seed := range uint64(200) {
		most = max(most, len(bigen.Sample(g, rng(seed))))
	}
	require.Greater(t, most, 8)
}
