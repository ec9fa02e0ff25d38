package bigen_test

import (
	"math/bits"
	"reflect"
	"sync"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// genChain makes lists.
func genChain(size int) bigen.Gen[*list] {
	return bigen.Recursive(bigen.Nil[list](), func(self bigen.Gen[*list]) bigen.Gen[*list] {
		return bigen.New(func(c *bigen.C, l *list) {
			bigen.At(c, &l.Head, bigen.IntRange[int8](0, 9))
			bigen.At(c, &l.Tail, self)
		})
	}, size)
}

func (l *list) steps() int {
	n := 0
	for ; l != nil; l = l.Tail {
		n++
	}
	return n
}

// genSums makes expressions whose steps have one self, two, or any number.
func genSums(size int) bigen.Gen[Expr] {
	num := bigen.Case[Expr]("num", bigen.IntRange[Num](0, 9))
	return bigen.Recursive(bigen.Pick(num), func(self bigen.Gen[Expr]) bigen.Gen[Expr] {
		return bigen.Pick(
			bigen.Case[Expr]("add", bigen.Struct(func(c *bigen.C, e *Add) {
				bigen.At(c, &e.X, self)
				bigen.At(c, &e.Y, bigen.Pick(num))
			})),
			bigen.Case[Expr]("mul", bigen.Struct(func(c *bigen.C, e *Mul) {
				bigen.At(c, &e.X, self)
				bigen.At(c, &e.Y, self)
			})).Weight(2),
		)
	}, size)
}

func exprSteps(e Expr) int {
	switch e := e.(type) {
	case Add:
		return 1 + exprSteps(e.X) + exprSteps(e.Y)
	case Mul:
		return 1 + exprSteps(e.X) + exprSteps(e.Y)
	}
	return 0
}

// sizes draws values and returns the number of their steps.
func sizes[A any](g bigen.Gen[A], steps func(A) int) func(n int) []int {
	return func(n int) []int {
		r := rng(11)
		out := make([]int, n)
		for i := range out {
			out[i] = steps(bigen.Sample(g, r))
		}
		return out
	}
}

// Whatever the shape of a step, the mean size is what was asked for, and no class
// of sizes from 0 to several times the mean is left out. The classes are 0, 1, 2 to
// 3, 4 to 7 and so on.
func TestRecursiveSizes(t *testing.T) {
	const size = 30
	n := long.Count(500, 4000)
	tests := []struct {
		name  string
		sizes func(n int) []int
		first int // class that is not left out
	}{
		{"list", sizes(genChain(size), (*list).steps), 0},
		{"binary tree", sizes(genMulti(size, 2, 2), (*multi).steps), 0},
		{"ternary tree", sizes(genMulti(size, 3, 3), (*multi).steps), 0},
		{"ten children", sizes(genMulti(size, 10, 10), (*multi).steps), 3},
		{"slice", sizes(genMulti(size, 0, 4), (*multi).steps), 0},
		{"long slice", sizes(genMulti(size, 0, 1000), (*multi).steps), 0},
		{"told", sizes(genMulti(size, 3, 3, bigen.Branching(3)), (*multi).steps), 0},
		{"one or two", sizes(genSums(size), exprSteps), 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var classes [20]int
			total, most := 0, 0
			for _, k := range tt.sizes(n) {
				classes[bits.Len(uint(k))]++
				total += k
				most = max(most, k)
			}
			mean := float64(total) / float64(n)
			t.Logf("mean %.1f, most %d, classes %v", mean, most, classes[:bits.Len(uint(most))+1])
			require.InEpsilon(t, size, mean, 0.15)
			require.Less(t, classes[0], n/8, "base alone")
			for i := tt.first; i <= bits.Len(2*size); i++ {
				require.Positive(t, classes[i], "class %d", i)
			}
			require.Less(t, most, 20*size)
		})
	}
}

// Where the measure misleads, values stay bounded: here a step has one self,
// unless that is a step itself, and then four.
func TestRecursiveMismeasured(t *testing.T) {
	const size = 10
	g := bigen.Recursive(bigen.Nil[multi](), func(self bigen.Gen[*multi]) bigen.Gen[*multi] {
		return bigen.New(func(c *bigen.C, m *multi) {
			bigen.At(c, &m.Children, bigen.SliceBy(func(prev []*multi) (bigen.Gen[*multi], bool) {
				return self, len(prev) == 0 || prev[0] != nil && len(prev) < 4
			}, 0, 4))
		})
	}, size)
	r := rng(1)
	for range 200 {
		require.Less(t, bigen.Sample(g, r).steps(), 30*size)
	}
	checkLaws(t, g, always)
}

// Two generators that refer to each other, first used by several goroutines at
// once, make what they make alone.
func TestRecursiveMutually(t *testing.T) {
	type stmt struct {
		Body []*stmt
		Cond *binary
	}
	gen := func() bigen.Gen[*stmt] {
		var stmts bigen.Gen[*stmt]
		exprs := bigen.Recursive(bigen.Nil[binary](), func(self bigen.Gen[*binary]) bigen.Gen[*binary] {
			return bigen.New(func(c *bigen.C, b *binary) {
				bigen.At(c, &b.L, self)
				bigen.Let(c, b, func(*binary) (*stmt, bool) { return nil, true },
					bigen.SuchThat(
						bigen.Lazy(func() bigen.Gen[*stmt] { return stmts }),
						func(s *stmt) bool { return s == nil }, nil,
					))
			})
		}, 3)
		stmts = bigen.Recursive(bigen.Nil[stmt](), func(self bigen.Gen[*stmt]) bigen.Gen[*stmt] {
			return bigen.New(func(c *bigen.C, s *stmt) {
				bigen.At(c, &s.Body, bigen.SliceOf(self, 0, 3))
				bigen.At(c, &s.Cond, exprs)
			})
		}, 5)
		return stmts
	}
	want := bigen.Sample(gen(), rng(5))
	g := gen()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if got := bigen.Sample(g, rng(5)); !reflect.DeepEqual(want, got) {
				t.Errorf("got %v, want %v", got, want)
			}
		})
	}
	wg.Wait()
	checkLaws(t, g, always)
}

// A fallback within a Recursive that would nest too deep there is not taken.
func TestRecursiveFallback(t *testing.T) {
	type fork struct{ A, B *fork }
	var steps func(f *fork) int
	steps = func(f *fork) int {
		if f == nil {
			return 0
		}
		return 1 + steps(f.A) + steps(f.B)
	}
	two := &fork{A: &fork{}}
	g := bigen.Recursive(bigen.Nil[fork](), func(self bigen.Gen[*fork]) bigen.Gen[*fork] {
		return bigen.New(func(c *bigen.C, f *fork) {
			bigen.At(c, &f.A, self)
			bigen.At(c, &f.B, bigen.SuchThat(
				self, func(f *fork) bool { return f == nil || steps(f) == 2 }, two,
			))
		})
	}, 4, bigen.MaxNesting(3))
	require.NoError(t, bigen.Check(g, &fork{B: two}))
	require.Error(t, bigen.Check(g, &fork{A: &fork{B: two}}))
	_, _, err := bigen.Run(g, always1{})
	require.ErrorIs(t, err, bigen.ErrRejected)
}
