package bigen_test

import (
	"math"

	"github.com/espalier-go/espalier/bigen"
	"golang.org/x/exp/slices"
)

// object has further objects in it by name.
type object struct {
	Num    int8
	Fields map[string]*object
}

func genObject(size int) bigen.Gen[*object] {
	return bigen.Recursive(
		bigen.New(func(c *bigen.C, o *object) { bigen.At(c, &o.Num, bigen.IntRange[int8](-9, 9)) }),
		func(self bigen.Gen[*object]) bigen.Gen[*object] {
			return bigen.New(func(c *bigen.C, o *object) {
				bigen.At(c, &o.Fields, bigen.MapOf(bigen.String(4), self, 1, 5))
			})
		}, size)
}

// multi is a tree of any number of children in each node.
type multi struct{ Children []*multi }

func genMulti(size, minLen, maxLen int, opts ...bigen.RecursiveOption) bigen.Gen[*multi] {
	return bigen.Recursive(bigen.Nil[multi](), func(self bigen.Gen[*multi]) bigen.Gen[*multi] {
		children := bigen.SliceOf(self, minLen, maxLen)
		return bigen.New(func(c *bigen.C, m *multi) { bigen.At(c, &m.Children, children) })
	}, size, opts...)
}

// steps counts the nodes.
func (m *multi) steps() int {
	if m == nil {
		return 0
	}
	n := 1
	for _, child := range m.Children {
		n += child.steps()
	}
	return n
}

func (m *multi) nesting() int {
	if m == nil {
		return 0
	}
	n := 0
	for _, child := range m.Children {
		n = max(n, child.nesting())
	}
	return n + 1
}

// genAnyKey makes keys, and values that cannot be keys.
var genAnyKey = bigen.Pick(
	bigen.Case[any]("slice", bigen.SliceOf(bigen.Bool(), 0, 2)),
	bigen.Case[any]("nan", bigen.Just(math.NaN())),
	bigen.Case[any]("int", bigen.IntRange(0, 99)),
	bigen.Case[any]("text", bigen.String(3)),
)

func isKey(v any) bool {
	switch v := v.(type) {
	case int, string:
		return true
	case float64:
		return v == v
	}
	return false
}

// genAscending makes ascending lists without repetition, by construction.
func genAscending(minLen, maxLen int) bigen.Gen[[]int] {
	return bigen.SliceBy(func(prev []int) (bigen.Gen[int], bool) {
		lo := 0
		if len(prev) > 0 {
			lo = prev[len(prev)-1] + 1
		}
		if lo > 20 {
			return bigen.Gen[int]{}, false
		}
		return bigen.IntRange(lo, 20), true
	}, minLen, maxLen)
}

func ascending(s []int) bool {
	for i := range s {
		if s[i] < 0 || s[i] > 20 || i > 0 && s[i] <= s[i-1] {
			return false
		}
	}
	return true
}

func distinct[A comparable](s []A) bool {
	seen := map[A]bool{}
	for _, v := range s {
		seen[v] = true
	}
	return len(seen) == len(s)
}

func sizeWithin[K comparable, V any](lo, hi int) func(map[K]V) bool {
	return func(m map[K]V) bool { return lo <= len(m) && len(m) <= hi }
}

var weekdays = []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}

func init() {
	laws = append(laws,
		lawful(
			"MapOf", bigen.MapOf(bigen.IntRange(-9, 9), bigen.String(3), 0, 12),
			sizeWithin[int, string](0, 12),
		),
		lawful(
			"MapOf/exact", bigen.MapOf(bigen.String(3), bigen.Bool(), 3, 3),
			sizeWithin[string, bool](3, 3),
		),
		lawful(
			"MapOf/all keys", bigen.MapOf(bigen.Bool(), bigen.IntRange(0, 9), 2, 2),
			sizeWithin[bool, int](2, 2),
		),
		lawful(
			"MapOf/few keys", bigen.MapOf(bigen.Bool(), bigen.IntRange(0, 9), 0, 99),
			sizeWithin[bool, int](0, 2),
		),
		lawful("MapOf/of maps", bigen.MapOf(
			bigen.IntRange[uint8](0, 255), bigen.MapOf(bigen.IntRange(0, 5), bigen.Bool(), 1, 4), 1,
			4,
		), sizeWithin[uint8, map[int]bool](1, 4)),
		lawful(
			"MapOf/structs", bigen.MapOf(genDate, genShape, 0, 3), sizeWithin[Date, shape](0, 3),
		),
		lawful("MapOf/interfaces", bigen.MapOf(
			genAnyKey, bigen.Bool(), 1, 4,
		), func(m map[any]bool) bool {
			for k := range m {
				if !isKey(k) {
					return false
				}
			}
			return len(m) >= 1
		}),
		lawful("MapOf/in a filter", bigen.SuchThat(bigen.MapOf(
			bigen.IntRange(0, 9), bigen.Bool(), 2, 5,
		), func(m map[int]bool) bool { return m[0] == m[1] }), sizeWithin[int, bool](2, 5)),
		lawful("MapBy", bigen.MapBy(bigen.IntRange(1, 20), func(k int) bigen.Gen[int] {
			return bigen.IntRange(0, k)
		}, 0, 8), func(m map[int]int) bool {
			for k, v := range m {
				if v > k {
					return false
				}
			}
			return true
		}),
		lawful(
			"SetOf", bigen.SetOf(bigen.IntRange[int64](math.MinInt64, math.MaxInt64), 2, 6),
			sizeWithin[int64, struct{}](2, 6),
		),
		lawful(
			"SetOf/whole", bigen.SetOf(bigen.IntRange(0, 19), 20, 20),
			sizeWithin[int, struct{}](20, 20),
		),
		lawful(
			"SetOf/none", bigen.SetOf(bigen.IntRange(0, 19), 0, 0), sizeWithin[int, struct{}](0, 0),
		),
		lawful("Distinct", bigen.Distinct(bigen.IntRange(0, 9), 2, 8), distinct[int]),
		lawful("Distinct/few", bigen.Distinct(bigen.Bool(), 0, 99), distinct[bool]),
		lawful("Distinct/interfaces", bigen.Distinct(genAnyKey, 0, 5), distinct[any]),
		lawful(
			"DistinctBy", bigen.DistinctBy(genSpan, func(s span) int { return s.To / 8 }, 1, 5),
			func(s []span) bool { return len(s) >= 1 && distinct(s) },
		),
		lawful("ArrayOf", bigen.ArrayOf[[3]int](bigen.IntRange(0, 9)), always),
		lawful(
			"ArrayOf/nested",
			bigen.ArrayOf[[2][2]string](bigen.ArrayOf[[2]string](bigen.String(2))), always,
		),
		lawful("ArrayOf/structs", bigen.ArrayOf[[2]nested](genNested), always),
		lawful(
			"ArrayOf/slices", bigen.ArrayOf[[2][]bool](bigen.SliceOf(bigen.Bool(), 0, 3)), always,
		),
		lawful("ArrayOf/empty", bigen.ArrayOf[[0]bool](bigen.Bool()), always),
		lawful("Permutation", bigen.Permutation(weekdays...), func(s []string) bool {
			return len(s) == 7 && distinct(s)
		}),
		lawful("Permutation/equal values", bigen.Permutation(1, 2, 1, 1, 2), func(s []int) bool {
			s = slices.Clone(s)
			slices.Sort(s)
			return slices.Equal(s, []int{1, 1, 1, 2, 2})
		}),
		lawful("Permutation/one", bigen.Permutation(1), func(s []int) bool { return len(s) == 1 }),
		lawful("Permutation/none", bigen.Permutation([]int{}...), func(s []int) bool {
			return s == nil
		}),
		lawful("Subset", bigen.Subset(weekdays...), distinct[string]),
		lawful("Subset/equal values", bigen.Subset(1, 1, 2, 1), func(s []int) bool {
			return len(s) <= 4
		}),
		lawful("Ptr", bigen.Ptr(bigen.Ptr(bigen.IntRange(0, 9))), always),
		lawful("NonNil", bigen.NonNil(bigen.String(3)), func(p *string) bool { return p != nil }),
		lawful("SliceBy", genAscending(0, 9), ascending),
		lawful(
			"SliceBy/minimum",
			bigen.SuchThat(genAscending(0, 9), func(s []int) bool { return len(s) >= 2 }),
			ascending,
		),
		lawful("Recursive", genObject(6), always),
		lawful("Recursive/slices", genMulti(8, 0, 4), always),
		lawful("Recursive/bounded", genMulti(8, 0, 4, bigen.MaxNesting(3)), func(m *multi) bool {
			return m.nesting() <= 3
		}),
	)
}
