package targets

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/examples/planted"
)

// Trivial is the target that has no bug, with search trees of 20 nodes on average: the property does
// nothing at all, so that no value differs from another in what it reaches.
const Trivial = "trivial"

func ignoreTree(testing.TB, *planted.Tree) {}

const nativeMax = 150

func genNative(lo, hi int) bigen.Gen[*planted.Tree] {
	if lo > hi {
		return bigen.Nil[planted.Tree]()
	}
	return bigen.Pick(
		bigen.Tag("leaf", bigen.Nil[planted.Tree]()),
		bigen.Tag("node", bigen.New(func(c *bigen.C, t *planted.Tree) {
			bigen.At(c, &t.X, bigen.IntRange(lo, hi))
			bigen.At(c, &t.L, genNative(lo, t.X-1))
			bigen.At(c, &t.R, genNative(t.X+1, hi))
		})).Weight(3),
	)
}

// drawNative scatters the integers that it draws, so that trees are as large if small ones
// are more likely.
func drawNative(t *rapid.T, s ints) *planted.Tree {
	var tree func(lo, hi int) *planted.Tree
	tree = func(lo, hi int) *planted.Tree {
		if lo > hi || s.choose(t, 4) < 1 {
			return nil
		}
		const prime = 7919
		x := lo + s.draw(t, 0, hi-lo)*prime%(hi-lo+1)
		return &planted.Tree{X: x, L: tree(lo, x-1), R: tree(x+1, hi)}
	}
	return tree(0, nativeMax)
}

func parseNative(r *reader) *planted.Tree { return r.tree(0, nativeMax, nativeMax) }
