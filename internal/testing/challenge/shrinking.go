package challenge

import (
	"fmt"
	"slices"

	"github.com/espalier-go/espalier/bigen"
)

// Shrinking returns the challenges of github.com/jlink/shrinking-challenge.
func Shrinking() []Challenge {
	ints := bigen.Int[int]()
	list := bigen.SliceOf(ints, 0, MaxList)
	lists := bigen.SliceOf(list, 0, MaxList)
	small := bigen.SliceOf(bigen.IntRange(0, 10), 0, MaxList)
	pair := bigen.ArrayOf[[2]int](bigen.IntRange(1, MaxDifference))
	return []Challenge{
		of("binheap", 0, genHeap(0), BinHeap, "(0, None, (0, (0, None, None), (1, None, None)))"),
		of("bound5", 137, bigen.ArrayOf[[5][]int16](bigen.SliceOf(bigen.Int[int16](), 0, 10)),
			Bound5, bound5Minima()...),
		of("calculator", 341, genExpr(), Calculator, "(0 / (0 + 0))"),
		of("coupling", 0, small, Coupling, "[1 0]"),
		of("deletion", 0, bigen.Struct(func(c *bigen.C, d *Deleted) {
			bigen.At(c, &d.List, list)
			bigen.At(c, &d.Index, bigen.IntRange(0, 10))
		}), Deletion, "{[0 0] 0}"),
		of("difference_must_not_be_zero", 0, pair,
			func(p [2]int) bool { return Difference(p, 0, 0) }, "[10 10]"),
		of("difference_must_not_be_small", 0, pair,
			func(p [2]int) bool { return Difference(p, 1, 4) }, "[10 6]"),
		of("difference_must_not_be_one", 0, pair,
			func(p [2]int) bool { return Difference(p, 1, 1) }, "[10 9]"),
		of("distinct", 0, list, Distinct, "[0 1 -1]", "[0 1 2]"),
		of("large_union_list", 341, lists, LargeUnionList, "[[0 1 -1 2 -2]]", "[[0 1 2 3 4]]"),
		of("lengthlist", 85, genLengthList(), LengthList, "[900]"),
		of("nestedlists", 0,
			bigen.SliceOf(bigen.SliceOf(bigen.IntRange(0, 0), 0, MaxList), 0, MaxList), NestedLists,
			"[[0 0 0 0 0 0 0 0 0 0 0]]"),
		of("reverse", 46, list, Reverse, "[0 1]"),
	}
}

const (
	MaxList       = 50     // elements of a list whose challenge sets no bound
	MaxDifference = 10_000 // the integers of the challenges of a difference
	MaxKey        = 1000   // the integers of a heap
)

// A Heap is a binary heap; nil is the empty one.
type Heap struct {
	Head        int
	Left, Right *Heap
}

func (h *Heap) String() string {
	if h == nil {
		return "None"
	}
	return fmt.Sprintf("(%d, %v, %v)", h.Head, h.Left, h.Right)
}

func genHeap(least int) bigen.Gen[*Heap] {
	return bigen.Pick(
		bigen.Tag("none", bigen.Nil[Heap]()),
		bigen.Tag("heap", bigen.New(func(c *bigen.C, h *Heap) {
			bigen.At(c, &h.Head, bigen.IntRange(least, MaxKey))
			bigen.At(c, &h.Left, genHeap(h.Head))
			bigen.At(c, &h.Right, genHeap(h.Head))
		})))
}

// BinHeap reports whether a wrong sort of a heap fails.
func BinHeap(h *Heap) bool {
	all, sorted := h.list(), h.wronglySorted()
	slices.Sort(all)
	return !slices.IsSorted(sorted) || !slices.Equal(all, sorted)
}

// list returns the integers of h, in the order of a stack of its parts.
func (h *Heap) list() (all []int) {
	for stack := []*Heap{h}; len(stack) > 0; {
		last := len(stack) - 1
		h := stack[last]
		stack = stack[:last]
		if h != nil {
			all = append(all, h.Head)
			stack = append(stack, h.Left, h.Right)
		}
	}
	return all
}

func (h *Heap) wronglySorted() []int {
	if h == nil {
		return nil
	}
	return append([]int{h.Head}, merge(h.Left, h.Right).list()...)
}

func merge(a, b *Heap) *Heap {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case a.Head <= b.Head:
		return &Heap{a.Head, merge(a.Right, b), a.Left}
	}
	return &Heap{b.Head, merge(b.Right, a), b.Left}
}

// Bound5 reports whether each list has a sum below 256, but not all together one
// below 5*256: the sums overflow.
func Bound5(lists [5][]int16) bool {
	var total int16
	for _, list := range lists {
		var sum int16
		for _, n := range list {
			sum += n
		}
		if sum >= 256 {
			return false
		}
		total += sum
	}
	return total >= 5*256
}

// bound5Minima returns the values with -1 and -32768 in two of the lists, the value of the
// last two lists first.
func bound5Minima() (want []string) {
	for i := range 5 {
		for j := range 5 {
			if i != j {
				var lists [5][]int16
				lists[4-j], lists[4-i] = []int16{-1}, []int16{-32768}
				want = append(want, fmt.Sprint(lists))
			}
		}
	}
	return want
}

// An Expr is an arithmetic expression.
type Expr interface{ isExpr() }

// The kinds of an Expr.
type (
	Num int
	Add struct{ L, R Expr }
	Div struct{ L, R Expr }
)

func (Num) isExpr() {}
func (Add) isExpr() {}
func (Div) isExpr() {}

func (e Add) String() string { return fmt.Sprintf("(%v + %v)", e.L, e.R) }
func (e Div) String() string { return fmt.Sprintf("(%v / %v)", e.L, e.R) }

func genExpr() bigen.Gen[Expr] { return exprs(bigen.Int[Num]()) }

func exprs(nums bigen.Gen[Num]) bigen.Gen[Expr] {
	return bigen.Recursive(bigen.Pick(bigen.Case[Expr]("num", nums)),
		func(self bigen.Gen[Expr]) bigen.Gen[Expr] {
			return bigen.Pick(
				bigen.Case[Expr]("add", bigen.Struct(func(c *bigen.C, e *Add) {
					bigen.At(c, &e.L, self)
					bigen.At(c, &e.R, self)
				})),
				bigen.Case[Expr]("div", bigen.Struct(func(c *bigen.C, e *Div) {
					bigen.At(c, &e.L, self)
					bigen.At(c, &e.R, self)
				})))
		}, 20)
}

// Calculator reports whether e divides by zero although no divisor is the literal 0.
func Calculator(e Expr) bool {
	_, ok := eval(e)
	return !ok && !literalZero(e)
}

func literalZero(e Expr) bool {
	switch e := e.(type) {
	case Add:
		return literalZero(e.L) || literalZero(e.R)
	case Div:
		return e.R == Num(0) || literalZero(e.L) || literalZero(e.R)
	}
	return false
}

// eval returns the value of e, false if it divides by zero.
func eval(e Expr) (n Num, ok bool) {
	var l, r Expr
	switch e := e.(type) {
	case Num:
		return e, true
	case Add:
		l, r = e.L, e.R
	case Div:
		l, r = e.L, e.R
	}
	a, ok := eval(l)
	if !ok {
		return 0, false
	}
	b, ok := eval(r)
	if _, add := e.(Add); add || !ok {
		return a + b, ok
	}
	if b == 0 {
		return 0, false
	}
	return a / b, true
}

// Coupling reports whether two elements of a list hold each other's position, where
// all elements are positions.
func Coupling(list []int) bool {
	coupled := false
	for i, j := range list {
		if j >= len(list) {
			return false
		}
		coupled = coupled || i != j && list[j] == i
	}
	return coupled
}

// Deleted is a list and the position of an element to delete.
type Deleted struct {
	List  []int
	Index int
}

// Deletion reports whether the list still has the element after its first occurrence
// has been deleted.
func Deletion(d Deleted) bool {
	if d.Index >= len(d.List) {
		return false
	}
	x := d.List[d.Index]
	return slices.Contains(d.List[slices.Index(d.List, x)+1:], x)
}

// Difference reports whether the first integer is 10 or more, and they differ by lo to
// hi.
func Difference(p [2]int, lo, hi int) bool {
	d := max(p[0]-p[1], p[1]-p[0])
	return p[0] >= 10 && lo <= d && d <= hi
}

// Distinct reports whether a list has at least three different integers.
func Distinct(list []int) bool { return distinct([][]int{list}) >= 3 }

// LargeUnionList reports whether lists have at least five different integers.
func LargeUnionList(lists [][]int) bool { return distinct(lists) >= 5 }

func distinct(lists [][]int) int {
	seen := map[int]bool{}
	for _, list := range lists {
		for _, n := range list {
			seen[n] = true
		}
	}
	return len(seen)
}

type lengthList struct {
	Length int
	List   []int
}

func (l lengthList) String() string { return fmt.Sprint(l.List) }

func genLengthList() bigen.Gen[lengthList] {
	return bigen.Struct(func(c *bigen.C, l *lengthList) {
		bigen.At(c, &l.Length, bigen.IntRange(1, 100))
		bigen.At(c, &l.List, bigen.SliceOf(bigen.IntRange(0, 1000), l.Length, l.Length))
	})
}

// LengthList is [LongList] for a list with its length.
func LengthList(l lengthList) bool { return LongList(l.List) }

// LongList reports whether an integer is 900 or more.
func LongList(list []int) bool {
	return slices.ContainsFunc(list, func(n int) bool { return n >= 900 })
}

// NestedLists reports whether lists have more than 10 elements together.
func NestedLists(lists [][]int) bool {
	n := 0
	for _, list := range lists {
		n += len(list)
	}
	return n > 10
}

// Reverse reports whether a list is not the same read backward.
func Reverse(list []int) bool {
	for i := range list {
		if list[i] != list[len(list)-1-i] {
			return true
		}
	}
	return false
}
