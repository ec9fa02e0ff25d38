package bigentest_test

import (
	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigentest"
)

// Tree is a binary tree of integers.
type Tree struct {
	L *Tree
	X int
	R *Tree
}

// isBST reports whether t is a search tree of integers from lo to hi.
func (t *Tree) isBST(lo, hi int) bool {
	return t == nil || lo <= t.X && t.X <= hi && t.L.isBST(lo, t.X-1) && t.R.isBST(t.X+1, hi)
}

// genBST makes search trees. It makes a leaf, without a choice, where empty says that
// there is no integer left.
func genBST(lo, hi int, empty func(lo, hi int) bool) bigen.Gen[*Tree] {
	if empty(lo, hi) {
		return bigen.Nil[Tree]()
	}
	return bigen.Pick(
		bigen.Tag("leaf", bigen.Nil[Tree]()),
		bigen.Tag("node", bigen.New(func(c *bigen.C, t *Tree) {
			bigen.At(c, &t.X, bigen.IntRange(lo, hi))
			bigen.At(c, &t.L, genBST(lo, t.X-1, empty))
			bigen.At(c, &t.R, genBST(t.X+1, hi, empty))
		})).Weight(5),
	)
}

// The genBST of "Bigenerators, Exposed!", section 3, makes a leaf where lo >= hi, and
// so no tree that has an integer where there is only one left. Complete finds the
// smallest such tree. The generator that [bigen.For] derives from the type makes all
// trees, and so serves as the wide one.
func ExampleComplete_paper() {
	wide := bigen.For[*Tree](bigen.With(bigen.IntRange(0, 4)))
	valid := func(t *Tree) bool { return t.isBST(0, 4) }
	bigentest.Complete(t, wide, valid, genBST(0, 4, func(lo, hi int) bool { return lo >= hi }))
	// corrected
	bigentest.Complete(t, wide, valid, genBST(0, 4, func(lo, hi int) bool { return lo > hi }))
	// Output:
	// bigentest.Complete: completeness: a valid value is not made:
	//     not produced by the generator: at /node/L: is not nil
	// the smallest value found:
	//     &Tree{L: &Tree{}, X: 1}
	// its choices:
	//     ptr(ptr(nil, 0, nil), 1, nil)
	// what to do:
	//     The generator cannot make a valid value: no test that uses it will see such
	//     values. Correct the generator, or the test of validity.
}

// A new version of a generator should make all that the older one made: otherwise
// seeds, saved failures and what they cover are lost. The older version is the wide
// generator, whose values are all valid. Here the new one has lost the largest
// integer.
func ExampleComplete_version() {
	older := genBST(0, 3, func(lo, hi int) bool { return lo > hi })
	newer := genBST(0, 2, func(lo, hi int) bool { return lo > hi })
	bigentest.Complete(t, older, func(*Tree) bool { return true }, newer)
	// Output:
	// bigentest.Complete: completeness: a valid value is not made:
	//     not produced by the generator: at /node/X: 3 not in [0,2]
	// the smallest value found:
	//     &Tree{X: 3}
	// its choices:
	//     node(3, leaf)
	// what to do:
	//     The generator cannot make a valid value: no test that uses it will see such
	//     values. Correct the generator, or the test of validity.
}
