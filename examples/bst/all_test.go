package bst_test

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigentest"
	"github.com/espalier-go/espalier/examples/bst"
	"github.com/espalier-go/espalier/fuzzext"
)

// deletesAll is a property: no key is found after Delete.
func deletesAll(t *fuzzext.T, tree *bst.Tree) {
	for _, x := range tree.Keys() {
		if tree.Delete(x).Find(x) {
			t.Errorf("%d is still there", x)
		}
	}
}

func FuzzDeleteAll(f *testing.F) { f.Fuzz(fuzzext.Valid(genBST(0, 99), deletesAll)) }
func TestDeleteAll(t *testing.T) { fuzzext.Check(t, genBST(0, 99), deletesAll) }

// genTree makes all trees of at most a depth, search trees or not.
func genTree(depth int) bigen.Gen[*bst.Tree] {
	if depth == 0 {
		return bigen.Nil[bst.Tree]()
	}
	return bigen.Pick(
		bigen.Tag("leaf", bigen.Nil[bst.Tree]()),
		bigen.Tag("node", bigen.New(func(c *bigen.C, t *bst.Tree) {
			bigen.At(c, &t.X, bigen.IntRange(0, 5))
			bigen.At(c, &t.L, genTree(depth-1))
			bigen.At(c, &t.R, genTree(depth-1))
		})),
	)
}

func isBST(t *bst.Tree) bool { return t.Valid(0, 5) }

func TestGenBST(t *testing.T) {
	bigentest.Laws(t, genBST(0, 20))                       // it runs in both directions,
	bigentest.Sound(t, genBST(0, 5), isBST)                // makes only search trees,
	bigentest.Complete(t, genTree(3), isBST, genBST(0, 5)) // and all of them
}
