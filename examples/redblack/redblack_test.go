package redblack

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext"
)

// genTree makes any trees up to a depth. It knows nothing about order, colors or balance.
func genTree(depth int) bigen.Gen[*Tree] {
	if depth == 0 {
		return bigen.Nil[Tree]()
	}
	sub := bigen.Lazy(func() bigen.Gen[*Tree] { return genTree(depth - 1) })
	return bigen.Pick(
		bigen.Tag("leaf", bigen.Nil[Tree]()),
		bigen.Tag("node", bigen.New(func(c *bigen.C, t *Tree) {
			bigen.At(c, &t.Red, bigen.Bool())
			bigen.At(c, &t.Key, bigen.IntRange(0, 20))
			bigen.At(c, &t.Left, sub)
			bigen.At(c, &t.Right, sub)
		})),
	)
}

// inserts checks that Insert makes red-black trees.
func inserts(t *fuzzext.T, tree *Tree) {
	t.Assume(tree.Valid())
	if tree.Size() > 4 {
		t.Label("more than 4 keys")
	}
	for key := -1; key <= 21; key++ {
		after := tree.Insert(key)
		if !after.Valid() || !after.Has(key) {
			t.Fatalf("Insert(%d) makes %+v", key, after)
		}
		size := tree.Size()
		if !tree.Has(key) {
			size++
		}
		if after.Size() != size {
			t.Errorf("Insert(%d) loses a key", key)
		}
	}
}

func TestInsert(t *testing.T) {
	var example *Tree
	for key := range 9 {
		example = example.Insert(key)
	}
	fuzzext.Check(t, genTree(5), inserts, fuzzext.Examples(example))
}

func FuzzInsert(f *testing.F) { fuzzext.Fuzz(f, genTree(5), inserts) }
