package bst_test

import (
	"slices"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/examples/bst"
	"github.com/espalier-go/espalier/fuzzext"
	"github.com/stretchr/testify/require"
)

const lo, hi = 0, 99

// genBST makes search trees of integers from lo to hi, by construction.
func genBST(lo, hi int) bigen.Gen[*bst.Tree] {
	if lo > hi {
		return bigen.Nil[bst.Tree]()
	}
	return bigen.Pick(
		bigen.Tag("leaf", bigen.Nil[bst.Tree]()),
		bigen.Tag("node", bigen.New(func(c *bigen.C, t *bst.Tree) {
			bigen.At(c, &t.X, bigen.IntRange(lo, hi))
			bigen.At(c, &t.L, genBST(lo, t.X-1))
			bigen.At(c, &t.R, genBST(t.X+1, hi))
		})).Weight(5),
	)
}

// operation is the input of the operations that take a tree and an integer.
type operation struct {
	Tree *bst.Tree
	X    int
}

var genOperation = bigen.Struct(func(c *bigen.C, o *operation) {
	bigen.At(c, &o.Tree, genBST(lo, hi))
	bigen.At(c, &o.X, bigen.IntRange(lo, hi))
})

func FuzzInsert(f *testing.F) {
	f.Fuzz(fuzzext.Valid(genOperation, func(t *fuzzext.T, o operation) {
		want := append(o.Tree.Keys(), o.X)
		isSet(t, o.Tree.Insert(o.X), want)
	}))
}

func FuzzDelete(f *testing.F) {
	full := &bst.Tree{L: &bst.Tree{X: 3}, X: 5, R: &bst.Tree{X: 8}}
	fuzzext.Add(f, genOperation, operation{nil, 1}, operation{full, 5})
	f.Fuzz(fuzzext.Valid(genOperation, func(t *fuzzext.T, o operation) {
		want := slices.DeleteFunc(o.Tree.Keys(), func(x int) bool { return x == o.X })
		isSet(t, o.Tree.Delete(o.X), want)
	}))
}

func FuzzUnion(f *testing.F) {
	type pair struct{ A, B *bst.Tree }
	genPair := bigen.Struct(func(c *bigen.C, p *pair) {
		bigen.At(c, &p.A, genBST(lo, hi))
		bigen.At(c, &p.B, genBST(lo, hi))
	})
	f.Fuzz(fuzzext.Valid(genPair, func(t *fuzzext.T, p pair) {
		isSet(t, p.A.Union(p.B), append(p.A.Keys(), p.B.Keys()...))
	}))
}

// isSet checks that got is a search tree that holds the integers of want, and that
// Find agrees.
func isSet(t *fuzzext.T, got *bst.Tree, want []int) {
	t.Helper()
	slices.Sort(want)
	want = slices.Compact(want)
	require.True(t, got.Valid(lo, hi), "not a search tree: %v", got.Keys())
	require.Equal(t, append([]int{}, want...), append([]int{}, got.Keys()...))
	for x := lo; x <= hi; x++ {
		if _, found := slices.BinarySearch(want, x); found != got.Find(x) {
			t.Fatalf("Find(%d) is %t", x, !found)
		}
	}
}
