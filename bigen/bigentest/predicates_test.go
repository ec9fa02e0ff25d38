package bigentest_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigentest"
	"golang.org/x/exp/slices"
)

type (
	span  struct{ From, To int }
	table struct {
		Names  []string
		Values []int
	}
	date struct{ Year, Month, Day int }
	key  struct{ lo, rank int }
)

// small makes all short lists of small integers.
var small = bigen.SliceOf(bigen.IntRange(-1, 4), 0, 5)

// The generators that docs/predicates.md recommends make the valid values, and no others.
func TestPredicates(t *testing.T) {
	writes(t, "in a range", small, each(func(v []int, i int) bool { return 1 <= v[i] && v[i] <= 3 }),
		bigen.SliceOf(bigen.IntRange(1, 3), 0, 9))
	writes(t, "sorted", small, slices.IsSorted[[]int],
		bigen.SliceBy(func(prev []int) (bigen.Gen[int], bool) {
			lo := -1
			if n := len(prev); n > 0 {
				lo = prev[n-1] // strictly increasing: + 1, and false if nothing is left
			}
			return bigen.IntRange(lo, 99), true
		}, 0, 9))
	writes(t, "unique elements", small, each(func(v []int, i int) bool {
		return !slices.Contains(v[:i], v[i])
	}), bigen.Distinct(bigen.IntRange(-1, 99), 0, 9))
	writes(t, "a permutation", small, each(func(v []int, i int) bool {
		return len(v) == 4 && v[i] >= 0 && v[i] < 4 && !slices.Contains(v[:i], v[i])
	}, 4), bigen.Permutation(0, 1, 2, 3))
	writes(t, "a sum", small, each(func(v []int, i int) bool { return v[i] >= 0 && sum(v) == 5 }, 3),
		bigen.SliceBy(func(prev []int) (bigen.Gen[int], bool) {
			if len(prev) == 2 {
				return bigen.Just(5 - sum(prev)), true
			}
			return bigen.IntRange(0, 5-sum(prev)), true
		}, 3, 3))
	writes(t, "a checksum", small, each(func(v []int, i int) bool {
		return v[i] >= 0 && v[i] < 3 && sum(v)%3 == 0
	}, 1, 2, 3, 4), bigen.Iso(bigen.SliceOf(bigen.IntRange(0, 2), 0, 3),
		func(v []int) []int { return append(slices.Clone(v), (3-sum(v)%3)%3) },
		func(v []int) ([]int, bool) {
			if len(v) == 0 {
				return nil, false
			}
			return v[:len(v)-1], true
		}))
	writes(t, "earlier ones", small, each(func(v []int, i int) bool { return 0 <= v[i] && v[i] <= i }),
		bigen.SliceBy(func(prev []int) (bigen.Gen[int], bool) {
			return bigen.IntRange(0, len(prev)), true
		}, 0, 9))
	writes(t, "any, as long as each beginning is valid", small, heap,
		bigen.SliceBy(func(prev []int) (bigen.Gen[int], bool) {
			return bigen.SuchThat(bigen.IntRange(-1, 9), func(x int) bool {
				return heap(append(slices.Clone(prev), x))
			}), true
		}, 0, 9))

	spans := bigen.SliceOf(bigen.Struct(func(c *bigen.C, s *span) {
		bigen.At(c, &s.From, bigen.IntRange(0, 4))
		bigen.At(c, &s.To, bigen.IntRange(0, 4))
	}), 0, 3)
	writes(t, "disjoint intervals", spans, each(func(v []span, i int) bool {
		return v[i].From <= v[i].To && (i == 0 || v[i].From > v[i-1].To)
	}), bigen.SliceBy(func(prev []span) (bigen.Gen[span], bool) {
		lo := 0
		if n := len(prev); n > 0 {
			lo = prev[n-1].To + 1
		}
		return bigen.Struct(func(c *bigen.C, s *span) {
			bigen.At(c, &s.From, bigen.IntRange(lo, 99))
			bigen.At(c, &s.To, bigen.IntRange(s.From, 99))
		}), lo <= 99
	}, 0, 9))

	graphs := bigen.SliceOf(bigen.SliceOf(bigen.IntRange(0, 2), 0, 2), 0, 3)
	writes(t, "an acyclic graph", graphs, each(func(v [][]int, i int) bool {
		return slices.IsSorted(v[i]) && len(slices.Compact(slices.Clone(v[i]))) == len(v[i]) &&
			(len(v[i]) == 0 || v[i][len(v[i])-1] < i)
	}), bigen.SliceBy(func(prev [][]int) (bigen.Gen[[]int], bool) {
		earlier := make([]int, len(prev))
		for i := range earlier {
			earlier[i] = i
		}
		return bigen.Subset(earlier...), true
	}, 0, 9))

	rows := bigen.SliceOf(bigen.OneOf("", "a"), 0, 3)
	writes(t, "matching lengths", bigen.Struct(func(c *bigen.C, t *table) {
		bigen.At(c, &t.Names, rows)
		bigen.At(c, &t.Values, bigen.SliceOf(bigen.IntRange(0, 1), 0, 3))
	}), func(t table) bool { return len(t.Names) == len(t.Values) },
		bigen.Struct(func(c *bigen.C, t *table) {
			bigen.At(c, &t.Names, bigen.SliceOf(bigen.String(9), 0, 9))
			n := len(t.Names)
			bigen.At(c, &t.Values, bigen.SliceOf(bigen.IntRange(0, 9), n, n))
		}))

	writes(t, "a date", bigen.Struct(func(c *bigen.C, d *date) {
		bigen.At(c, &d.Year, bigen.OneOf(1999, 2000))
		bigen.At(c, &d.Month, bigen.IntRange(0, 13))
		bigen.At(c, &d.Day, bigen.IntRange(27, 32))
	}), date.isValid, bigen.Struct(func(c *bigen.C, d *date) {
		bigen.At(c, &d.Year, bigen.IntRange(1, 9999))
		bigen.At(c, &d.Month, bigen.IntRange(1, 12))
		bigen.At(c, &d.Day, bigen.SuchThat(bigen.IntRange(1, 31), func(day int) bool {
			return date{d.Year, d.Month, day}.isValid()
		}))
	}))

	writes(t, "balanced parentheses", bigen.Matching("[()]{0,8}"), balanced,
		bigen.Iso(parens(), (*group).text, parse))
	writes(t, "UTF-8", bigen.As[string](bigen.Iso(bigen.Bytes(0, 2),
		func(b []byte) string { return string(b) },
		func(s string) ([]byte, bool) { return []byte(s), true })), utf8.ValidString, bigen.String(9))
	writes(t, "a regular language", bigen.Matching("[a_0-]{0,4}"), func(s string) bool {
		return s != "" && !strings.Contains(s, "-") && s[0] != '0'
	}, bigen.Matching("[a-z_][a-z_0-9]*"))

	wide := wideTrees(3)
	writes(t, "a search tree", wide, func(t *Tree) bool { return t.isBST(-9, 9) },
		genBST(-9, 9, func(lo, hi int) bool { return lo > hi }))
	writes(t, "a heap-ordered tree", wide, func(t *Tree) bool { return t.isHeap(-9) },
		heaps.Gen(key{lo: -9}))
	writes(t, "a balanced tree", wide, func(t *Tree) bool { return t.height() >= 0 }, bigen.Pick(
		bigen.Tag("0", balancedTrees.Gen(key{rank: 0})), bigen.Tag("1", balancedTrees.Gen(key{rank: 1})),
		bigen.Tag("2", balancedTrees.Gen(key{rank: 2})), bigen.Tag("3", balancedTrees.Gen(key{rank: 3})),
	))
}

// heaps makes trees whose keys are at least lo, and at least their parents'.
var heaps = bigen.NewFamily(func(heaps *bigen.Family[key, *Tree]) bigen.Gen[*Tree] {
	return bigen.Pick(
		bigen.Tag("nil", bigen.Nil[Tree]()).Weight(3),
		bigen.Tag("node", bigen.New(func(c *bigen.C, t *Tree) {
			bigen.At(c, &t.X, bigen.IntRange(heaps.Param(c).lo, 99))
			bigen.At(c, &t.L, heaps.Gen(key{lo: t.X}))
			bigen.At(c, &t.R, heaps.Gen(key{lo: t.X}))
		})).Weight(2),
	)
})

// balancedTrees makes trees of a height; the heights of siblings differ by 1 at most.
var balancedTrees = bigen.NewFamily(func(trees *bigen.Family[key, *Tree]) bigen.Gen[*Tree] {
	node := func(left, right int) bigen.Gen[*Tree] {
		return bigen.New(func(c *bigen.C, t *Tree) {
			rank := trees.Param(c).rank
			bigen.At(c, &t.X, bigen.IntRange(-9, 9))
			bigen.At(c, &t.L, trees.Gen(key{rank: rank - left}))
			bigen.At(c, &t.R, trees.Gen(key{rank: rank - right}))
		})
	}
	least := func(rank int) func(*bigen.C) bool {
		return trees.Is(func(k key) bool { return k.rank >= rank })
	}
	return bigen.Pick(
		bigen.Tag("nil", bigen.Nil[Tree]()).If(trees.Is(func(k key) bool { return k.rank == 0 })),
		bigen.Tag("even", node(1, 1)).If(least(1)),
		bigen.Tag("left", node(1, 2)).If(least(2)),
		bigen.Tag("right", node(2, 1)).If(least(2)),
	)
})

// writes checks a generator against a predicate.
func writes[A any](
	t *testing.T, name string, wide bigen.Gen[A], valid func(A) bool, g bigen.Gen[A],
) {
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		bigentest.Sound(t, g, valid)
		bigentest.Complete(t, wide, valid, g)
	})
}

// each returns a predicate that holds of each index. If lengths are given, the length is one of
// them.
func each[A any](holds func(v []A, i int) bool, lengths ...int) func(v []A) bool {
	return func(v []A) bool {
		for i := range v {
			if !holds(v, i) {
				return false
			}
		}
		return lengths == nil || slices.Contains(lengths, len(v))
	}
}

func sum(v []int) (s int) {
	for _, x := range v {
		s += x
	}
	return s
}

func heap(v []int) bool {
	return each(func(v []int, i int) bool { return v[i] >= v[max(0, i-1)/2] })(v)
}

func (d date) isValid() bool {
	t := time.Date(d.Year, time.Month(d.Month), d.Day, 0, 0, 0, 0, time.UTC)
	return t.Year() == d.Year && int(t.Month()) == d.Month && t.Day() == d.Day
}

// A group is a text of parentheses: "(" Inner ")" After.
type group struct{ Inner, After *group }

func parens() bigen.Gen[*group] {
	return bigen.Recursive(bigen.Nil[group](), func(self bigen.Gen[*group]) bigen.Gen[*group] {
		return bigen.New(func(c *bigen.C, g *group) {
			bigen.At(c, &g.Inner, self)
			bigen.At(c, &g.After, self)
		})
	}, 6)
}

func (g *group) text() string {
	if g == nil {
		return ""
	}
	return "(" + g.Inner.text() + ")" + g.After.text()
}

func parse(s string) (*group, bool) {
	g, rest := parsePart(s)
	return g, rest == ""
}

func parsePart(s string) (g *group, rest string) {
	if !strings.HasPrefix(s, "(") {
		return nil, s
	}
	g = &group{}
	if g.Inner, rest = parsePart(s[1:]); strings.HasPrefix(rest, ")") {
		g.After, rest = parsePart(rest[1:])
		return g, rest
	}
	return nil, s
}

func balanced(s string) bool {
	depth := 0
	for _, r := range s {
		depth += map[rune]int{'(': 1, ')': -1}[r]
		if depth < 0 {
			return false
		}
	}
	return depth == 0
}

func (t *Tree) isHeap(lo int) bool {
	return t == nil || t.X >= lo && t.L.isHeap(t.X) && t.R.isHeap(t.X)
}

// height returns -1 if siblings differ by more than 1.
func (t *Tree) height() int {
	if t == nil {
		return 0
	}
	l, r := t.L.height(), t.R.height()
	if l < 0 || r < 0 || l-r > 1 || r-l > 1 {
		return -1
	}
	return max(l, r) + 1
}

// wideTrees makes all trees of a few levels.
func wideTrees(levels int) bigen.Gen[*Tree] {
	if levels == 0 {
		return bigen.Nil[Tree]()
	}
	return bigen.Pick(
		bigen.Tag("nil", bigen.Nil[Tree]()),
		bigen.Tag("node", bigen.New(func(c *bigen.C, t *Tree) {
			bigen.At(c, &t.X, bigen.IntRange(-1, 1))
			bigen.At(c, &t.L, wideTrees(levels-1))
			bigen.At(c, &t.R, wideTrees(levels-1))
		})),
	)
}
