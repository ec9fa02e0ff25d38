// Package bsttest has generators of binary search trees, and search trees that no
// generator has made, for the tests of several packages.
package bsttest

import (
	"math/rand/v2"

	"github.com/espalier-go/espalier/bigen"
)

// A Tree is a search tree; nil is the empty one.
type Tree struct {
	L *Tree
	X int
	R *Tree
}

// Gen makes search trees of integers from lo to hi, by construction.
func Gen(lo, hi int) bigen.Gen[*Tree] {
	if lo > hi {
		return bigen.Nil[Tree]()
	}
	return bigen.Pick(
		bigen.Tag("leaf", bigen.Nil[Tree]()),
		bigen.Tag("node", bigen.New(func(c *bigen.C, t *Tree) {
			bigen.At(c, &t.X, bigen.IntRange(lo, hi))
			bigen.At(c, &t.L, Gen(lo, t.X-1))
			bigen.At(c, &t.R, Gen(t.X+1, hi))
		})).Weight(5),
	)
}

// Bounded is Gen for trees of at most so many levels.
func Bounded(levels, lo, hi int) bigen.Gen[*Tree] {
	if levels == 0 || lo > hi {
		return bigen.Nil[Tree]()
	}
	return bigen.Pick(
		bigen.Tag("leaf", bigen.Nil[Tree]()),
		bigen.Tag("node", bigen.New(func(c *bigen.C, t *Tree) {
			bigen.At(c, &t.X, bigen.IntRange(lo, hi))
			bigen.At(c, &t.L, Bounded(levels-1, lo, t.X-1))
			bigen.At(c, &t.R, Bounded(levels-1, t.X+1, hi))
		})).Weight(5),
	)
}

// Any makes all trees of integers from lo to hi, search trees or not, of at most so
// many levels.
func Any(lo, hi, levels int) bigen.Gen[*Tree] {
	if levels == 0 {
		return bigen.Nil[Tree]()
	}
	return bigen.Pick(
		bigen.Tag("leaf", bigen.Nil[Tree]()),
		bigen.Tag("node", bigen.New(func(c *bigen.C, t *Tree) {
			bigen.At(c, &t.X, bigen.IntRange(lo, hi))
			bigen.At(c, &t.L, Any(lo, hi, levels-1))
			bigen.At(c, &t.R, Any(lo, hi, levels-1))
		})),
	)
}

// Random returns a tree of n distinct integers from lo to hi, inserted one after
// the other.
func Random(r *rand.Rand, n, lo, hi int) *Tree {
	var t *Tree
	for size := 0; size < n; {
		if x := lo + r.IntN(hi-lo+1); !t.find(x) {
			t = t.insert(x)
			size++
		}
	}
	return t
}

func (t *Tree) find(x int) bool {
	return t != nil && (x == t.X || x < t.X && t.L.find(x) || x > t.X && t.R.find(x))
}

func (t *Tree) insert(x int) *Tree {
	switch {
	case t == nil:
		return &Tree{X: x}
	case x < t.X:
		return &Tree{t.L.insert(x), t.X, t.R}
	}
	return &Tree{t.L, t.X, t.R.insert(x)}
}

// Valid reports whether t is a search tree of integers from lo to hi.
func (t *Tree) Valid(lo, hi int) bool {
	return t == nil || lo <= t.X && t.X <= hi && t.L.Valid(lo, t.X-1) && t.R.Valid(t.X+1, hi)
}

// Keys returns the integers of t from left to right.
func (t *Tree) Keys() []int {
	if t == nil {
		return nil
	}
	return append(append(t.L.Keys(), t.X), t.R.Keys()...)
}

// Kept returns how many integers of t are also in u, a search tree.
func (t *Tree) Kept(u *Tree) int {
	n := 0
	for _, x := range t.Keys() {
		if u.find(x) {
			n++
		}
	}
	return n
}
