package planted

import (
	"slices"
	"testing"

	"github.com/espalier-go/espalier/bigen"
)

// MaxKey is the greatest integer in generated trees. The least is 0.
const MaxKey = 9999

// GenTree makes search trees of integers from lo to hi, by construction. From 0 to MaxKey, a
// tree has 10 integers on average.
func GenTree(lo, hi int) bigen.Gen[*Tree] {
	if lo > hi {
		return bigen.Nil[Tree]()
	}
	return bigen.Pick(
		bigen.Tag("leaf", bigen.Nil[Tree]()),
		bigen.Tag("node", bigen.New(func(c *bigen.C, t *Tree) {
			bigen.At(c, &t.X, bigen.IntRange(lo, hi))
			bigen.At(c, &t.L, GenTree(lo, t.X-1))
			bigen.At(c, &t.R, GenTree(t.X+1, hi))
		})).Weight(1.25),
	)
}

// An Operation is the input of the operations that take a tree and an integer.
type Operation struct {
	Tree *Tree
	X    int
}

// GenOperation makes operations.
var GenOperation = bigen.Struct(func(c *bigen.C, o *Operation) {
	bigen.At(c, &o.Tree, GenTree(0, MaxKey))
	bigen.At(c, &o.X, bigen.IntRange(0, MaxKey))
})

// A Pair is the input of Union.
type Pair struct{ A, B *Tree }

// GenPair makes pairs.
var GenPair = bigen.Struct(func(c *bigen.C, p *Pair) {
	bigen.At(c, &p.A, GenTree(0, MaxKey))
	bigen.At(c, &p.B, GenTree(0, MaxKey))
})

// CheckInsert checks [Tree.Insert].
func CheckInsert(t testing.TB, o Operation) {
	isSet(t, o.Tree.Insert(o.X), append(o.Tree.Keys(), o.X))
}

// CheckDelete checks [Tree.Delete].
func CheckDelete(t testing.TB, o Operation) {
	want := o.Tree.Keys()
	if i, ok := slices.BinarySearch(want, o.X); ok {
		want = slices.Delete(want, i, i+1)
	}
	isSet(t, o.Tree.Delete(o.X), want)
}

// CheckUnion checks [Tree.Union].
func CheckUnion(t testing.TB, p Pair) {
	isSet(t, p.A.Union(p.B), append(p.A.Keys(), p.B.Keys()...))
}

func isSet(t testing.TB, got *Tree, want []int) {
	slices.Sort(want)
	if want = slices.Compact(want); !slices.Equal(got.Keys(), want) {
		t.Errorf("the set is %v, want %v", got.Keys(), want)
	}
}

// CheckFloor checks [Tree.Floor].
func CheckFloor(t testing.TB, o Operation) {
	want, found := 0, false
	for _, x := range o.Tree.Keys() {
		if x <= o.X {
			want, found = x, true
		}
	}
	if got, ok := o.Tree.Floor(o.X); ok != found || ok && got != want {
		t.Errorf("the floor of %d is %d, %t; want %d, %t", o.X, got, ok, want, found)
	}
}
