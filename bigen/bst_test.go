package bigen_test

import (
	"math/rand/v2"

	"github.com/espalier-go/espalier/bigen"
)

// Tree is the running example of the tests.
type Tree struct {
	L *Tree
	X int
	R *Tree
}

// genBST makes binary search trees of integers from lo to hi, by construction.
func genBST(lo, hi int) bigen.Gen[*Tree] {
	if lo > hi {
		return bigen.Nil[Tree]()
	}
	return bigen.Pick(
		bigen.Tag("leaf", bigen.Nil[Tree]()),
		bigen.Tag("node", bigen.New(func(c *bigen.C, t *Tree) {
			bigen.At(c, &t.X, bigen.IntRange(lo, hi))
			bigen.At(c, &t.L, genBST(lo, t.X-1))
			bigen.At(c, &t.R, genBST(t.X+1, hi))
		})).Weight(5),
	)
}

func (t *Tree) valid(lo, hi int) bool {
	return t == nil || lo <= t.X && t.X <= hi && t.L.valid(lo, t.X-1) && t.R.valid(t.X+1, hi)
}

func (t *Tree) size() int {
	if t == nil {
		return 0
	}
	return 1 + t.L.size() + t.R.size()
}

func rng(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }
