package rl

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
)

// A subject is a generator for tests of guides.
type subject struct {
	name  string
	run   func(src choices.Source) (any, choices.Tree, error)
	valid func(v any) bool // a strict check; nil: everything is valid
}

func of[A any](name string, g bigen.Gen[A]) subject {
	return subject{
		name: name,
		run:  func(src choices.Source) (any, choices.Tree, error) { return bigen.Run(g, src) },
	}
}

// naive makes trees of integers from 0 to 10, few of which are search trees: RLCheck,
// figure 1.
func naive(depth int) bigen.Gen[*bsttest.Tree] {
	sub := bigen.Nil[bsttest.Tree]()
	if depth > 0 {
		child := naive(depth - 1)
		sub = bigen.Pick(bigen.Tag("none", bigen.Nil[bsttest.Tree]()), bigen.Tag("child", child))
	}
	return bigen.New(func(c *bigen.C, t *bsttest.Tree) {
		bigen.At(c, &t.X, bigen.IntRange(0, 10))
		bigen.At(c, &t.L, sub)
		bigen.At(c, &t.R, sub)
	})
}

func isSearchTree(v any) bool {
	return v.(*bsttest.Tree).Valid(math.MinInt, math.MaxInt)
}

func isSorted(v any) bool {
	xs := v.([]uint8)
	for i := 1; i < len(xs); i++ {
		if xs[i-1] >= xs[i] {
			return false
		}
	}
	return len(xs) >= 3
}

func numbered(n int) []string {
	s := make([]string, n)
	for i := range s {
		s[i] = fmt.Sprint("v", i)
	}
	return s
}

// manyAlternatives makes a Pick of n alternatives, some of which ask more.
func manyAlternatives(n int) bigen.Gen[any] {
	var alts []bigen.Alt[any]
	for i := range n {
		g := bigen.Just[any](i)
		if i%10 == 9 {
			g = erase(bigen.IntRange(0, i))
		}
		alts = append(alts, bigen.Tag(fmt.Sprint(i), g).Weight(float64(i%5)))
	}
	return bigen.Pick(alts...)
}

// subjects returns a generator of each kind.
func subjects() []subject {
	day := time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)
	studied := of("search trees", naive(4))
	studied.valid = isSearchTree
	sorted := of("sorted", bigen.SliceOf(bigen.Int[uint8](), 0, 12))
	sorted.valid = isSorted
	return []subject{
		studied, sorted,
		of("search trees by construction", bsttest.Gen(-10, 60)),
		of("int8", bigen.Int[int8]()), of("int16", bigen.Int[int16]()),
		of("int32", bigen.Int[int32]()), of("int64", bigen.Int[int64]()), of("int", bigen.Int[int]()),
		of("uint8", bigen.Int[uint8]()), of("uint16", bigen.Int[uint16]()),
		of("uint32", bigen.Int[uint32]()), of("uint64", bigen.Int[uint64]()),
		of("uint", bigen.Int[uint]()),
		of("one integer", bigen.IntRange(7, 7)), of("odd bounds", bigen.IntRange(-77, 100003)),
		of("last integers", bigen.IntRange[int64](math.MaxInt64-1000, math.MaxInt64)),
		of("last unsigned", bigen.IntRange[uint64](math.MaxUint64-70000, math.MaxUint64)),
		of("float64", bigen.Float[float64]()), of("float32", bigen.Float[float32]()),
		of("float range", bigen.FloatRange(-1.5, 1e10)),
		of("bool", bigen.Bool()), of("rune", bigen.Rune(nil)), of("string", bigen.String(30)),
		of("long strings", bigen.StringOf(choices.Chars("ab"), 0, 500)),
		of("greek", bigen.StringOf(runesFrom('α', 24), 1, 6)),
		of("CJK", bigen.StringOf(runesFrom(0x4E00, 3000), 0, 2)),
		of("matching", bigen.Matching(`(GET|POST) /[a-z]{1,8}(\?[a-z]=\d+)* HTTP/1\.[01]`)),
		of("bytes", bigen.Bytes(0, 20)), of("url", bigen.URL()),
		of("time", bigen.Time(day, day.AddDate(30, 0, 0))), of("duration", bigen.Duration()),
		of("bigint", bigen.BigInt(200)), of("address", bigen.Addr()),
		of("map", bigen.MapOf(bigen.String(3), bigen.Int[int](), 0, 5)),
		of("distinct", bigen.Distinct(bigen.IntRange(0, 9), 0, 6)),
		of("permutation", bigen.Permutation(1, 2, 3, 4, 5, 6)),
		of("subset", bigen.Subset(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)),
		of("one of 5", bigen.OneOf(numbered(5)...)), of("one of 65", bigen.OneOf(numbered(65)...)),
		of("one of 1000", bigen.OneOf(numbered(1000)...)),
		of("17 alternatives", manyAlternatives(17)), of("100 alternatives", manyAlternatives(100)),
		of("300 alternatives", manyAlternatives(300)),
		of("filter", bigen.SuchThat(bigen.IntRange(0, 400), func(n int) bool { return n%7 == 0 })),
		of("severe filter", bigen.SuchThat(bigen.IntRange(0, 400), func(n int) bool { return n == 7 })),
		of("derived", bigen.For[struct {
			A []string
			B map[int8]*bool
			C *struct{ D, E float32 }
		}]()),
	}
}

// composed returns a random generator.
func composed(seed uint64) subject {
	c := composer{r: rand.New(rand.NewPCG(seed, 5))}
	g := c.gen(3)
	return of(strings.TrimSpace(c.text), g)
}

// A composer makes random generators and describes them.
type composer struct {
	r    *rand.Rand
	text string
}

type record struct{ A, B any }

func (c *composer) gen(depth int) bigen.Gen[any] {
	if depth == 0 {
		return c.leaf()
	}
	switch c.r.IntN(6) {
	case 0:
		return c.leaf()
	case 1, 2:
		n := 1 + c.r.IntN(5)
		c.text += fmt.Sprintf("pick(%d ", n)
		var alts []bigen.Alt[any]
		for i := range n {
			alts = append(alts,
				bigen.Tag([]string{"", "a", "b"}[c.r.IntN(3)], c.gen(min(i, depth-1))).
					Weight(float64(c.r.IntN(4))))
		}
		c.text += ") "
		return bigen.Pick(alts...)
	case 3:
		c.text += "slice "
		return erase(bigen.SliceOf(c.gen(depth-1), 0, 1+c.r.IntN(3)))
	case 4:
		c.text += "filter "
		g, n := c.gen(depth-1), uint64(2+c.r.IntN(3))
		return bigen.SuchThat(g, func(v any) bool { return hash.FNV64(fmt.Sprint(v))>>7%n > 0 })
	}
	c.text += "struct("
	a, b := c.gen(depth-1), c.gen(depth-1)
	c.text += ") "
	return erase(bigen.Struct(func(s *bigen.C, x *record) {
		bigen.At(s, &x.A, a)
		if hash.FNV64(fmt.Sprint(x.A))>>7%3 > 0 {
			bigen.At(s, &x.B, b)
		}
	}))
}

func (c *composer) leaf() bigen.Gen[any] {
	switch k := c.r.IntN(5); k {
	case 0:
		c.text += "just "
		return bigen.Just[any](k)
	case 1:
		c.text += "bool "
		return erase(bigen.Bool())
	case 2:
		n := 1 + c.r.IntN(2)
		c.text += fmt.Sprintf("text %d ", n)
		return erase(bigen.StringOf(choices.Chars("abc"), 0, n))
	}
	lo, n := c.r.IntN(100)-50, []int{1, 5, 40, 1000}[c.r.IntN(4)]
	c.text += fmt.Sprintf("%d to %d ", lo, lo+n)
	return erase(bigen.IntRange(lo, lo+n))
}

// erase makes the values of g as values of any type.
func erase[A any](g bigen.Gen[A]) bigen.Gen[any] {
	return bigen.Iso(g, func(v A) any { return v }, func(v any) (A, bool) {
		a, ok := v.(A)
		return a, ok
	})
}
