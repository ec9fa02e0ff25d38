package main

import (
	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/internal/testing/challenge"
)

// rapidChallenges makes the values of the challenges with rapid. Each function returns a
// value and reports whether the property fails for it.
var rapidChallenges = map[string]func(t *rapid.T) (v any, fails bool){
	"binheap": property(rapid.Custom(func(t *rapid.T) *challenge.Heap { return rapidHeap(t, 0) }),
		challenge.BinHeap),
	"bound5": property(rapid.Custom(func(t *rapid.T) (lists [5][]int16) {
		for i := range lists {
			lists[i] = rapid.SliceOfN(rapid.Int16(), 0, 10).Draw(t, "list")
		}
		return lists
	}), challenge.Bound5),
	"calculator": property(rapid.Custom(func(t *rapid.T) challenge.Expr { return rapidExpr(t, 5) }),
		challenge.Calculator),
	"coupling": property(rapid.SliceOfN(rapid.IntRange(0, 10), 0, challenge.MaxList),
		challenge.Coupling),
	"deletion": property(rapid.Custom(func(t *rapid.T) challenge.Deleted {
		return challenge.Deleted{
			List:  rapidList.Draw(t, "list"),
			Index: rapid.IntRange(0, 10).Draw(t, "index"),
		}
	}), challenge.Deletion),
	"difference_must_not_be_zero": property(rapidPair, func(p [2]int) bool {
		return challenge.Difference(p, 0, 0)
	}),
	"difference_must_not_be_small": property(rapidPair, func(p [2]int) bool {
		return challenge.Difference(p, 1, 4)
	}),
	"difference_must_not_be_one": property(rapidPair, func(p [2]int) bool {
		return challenge.Difference(p, 1, 1)
	}),
	"distinct": property(rapidList, challenge.Distinct),
	"large_union_list": property(rapid.SliceOfN(rapidList, 0, challenge.MaxList),
		challenge.LargeUnionList),
	"lengthlist": property(rapid.Custom(func(t *rapid.T) []int {
		n := rapid.IntRange(1, 100).Draw(t, "n")
		return rapid.SliceOfN(rapid.IntRange(0, 1000), n, n).Draw(t, "list")
	}), challenge.LongList),
	"nestedlists": property(
		rapid.SliceOfN(rapid.SliceOfN(rapid.IntRange(0, 0), 0, challenge.MaxList), 0,
			challenge.MaxList), challenge.NestedLists),
	"reverse": property(rapidList, challenge.Reverse),
	"positions/range": property(rapid.Custom(func(t *rapid.T) (r challenge.Ranged) {
		r.List = rapid.SliceOfN(rapid.IntRange(0, 1000), 0, 30).Draw(t, "list")
		r.From = rapid.IntRange(0, len(r.List)).Draw(t, "from")
		r.To = rapid.IntRange(r.From, len(r.List)).Draw(t, "to")
		return r
	}), challenge.RangeOfLarge),
	"insert/before the last": property(rapid.Custom(func(t *rapid.T) (all []challenge.Edit) {
		for range rapid.IntRange(0, 40).Draw(t, "n") {
			e := challenge.Edit{
				Insert: rapid.Bool().Draw(t, "insert"),
				X:      rapid.IntRange(0, 1000).Draw(t, "x"),
			}
			if e.Insert {
				e.At = rapid.IntRange(0, len(all)).Draw(t, "at")
			}
			all = append(all, e)
		}
		return all
	}), challenge.BeforeLast),
	"results/closed, another written": property(rapid.Custom(func(t *rapid.T) (all []challenge.Use) {
		opened := 0
		for range rapid.IntRange(0, 40).Draw(t, "n") {
			u := challenge.Use{Name: "open"}
			if opened > 0 {
				u.Name = rapid.SampledFrom([]string{"open", "write", "close"}).Draw(t, "name")
			}
			if u.Name == "open" {
				opened++
			} else {
				u.On = rapid.IntRange(0, opened-1).Draw(t, "on")
			}
			all = append(all, u)
		}
		return all
	}), challenge.UsedClosed),
	"magnitude/decimal": property(rapid.Custom(func(t *rapid.T) challenge.Decimal {
		return challenge.Decimal{N: rapid.Int64().Draw(t, "n"), Exp: rapid.Int8().Draw(t, "exp")}
	}), challenge.LargeDecimal),
}

var (
	rapidList = rapid.SliceOfN(rapid.Int(), 0, challenge.MaxList)
	rapidPair = rapid.Custom(func(t *rapid.T) (p [2]int) {
		for i := range p {
			p[i] = rapid.IntRange(1, challenge.MaxDifference).Draw(t, "n")
		}
		return p
	})
)

func rapidHeap(t *rapid.T, least int) *challenge.Heap {
	if !rapid.Bool().Draw(t, "heap") {
		return nil
	}
	n := rapid.IntRange(least, challenge.MaxKey).Draw(t, "head")
	return &challenge.Heap{Head: n, Left: rapidHeap(t, n), Right: rapidHeap(t, n)}
}

func rapidExpr(t *rapid.T, depth int) challenge.Expr {
	kind := 0
	if depth > 0 {
		kind = rapid.IntRange(0, 2).Draw(t, "kind")
	}
	if kind == 0 {
		return challenge.Num(rapid.Int().Draw(t, "num"))
	}
	l, r := rapidExpr(t, depth-1), rapidExpr(t, depth-1)
	if kind == 1 {
		return challenge.Add{L: l, R: r}
	}
	return challenge.Div{L: l, R: r}
}

func property[V any](g *rapid.Generator[V], fails func(V) bool) func(*rapid.T) (any, bool) {
	return func(t *rapid.T) (any, bool) {
		v := g.Draw(t, "v")
		return v, fails(v)
	}
}
