package rltargets

import (
	"math"

	"github.com/espalier-go/espalier/bigen"
)

// RedBlack returns a target of red-black trees of depth 4 with keys from 0 to 15.
func RedBlack() Target {
	leaf := func(key int) *node { return &node{Red: true, Key: key} }
	return newTarget("rb", genNode(4), &node{
		Key: 7,
		L:   &node{Key: 3, L: leaf(1), R: leaf(5)},
		R:   &node{Key: 11, L: leaf(9)},
	})
}

type node struct {
	Red  bool
	Key  int
	L, R *node
}

func genNode(depth int) bigen.Gen[*node] {
	sub := bigen.Nil[node]()
	if depth > 0 {
		sub = optional(genNode(depth - 1))
	}
	return bigen.New(func(c *bigen.C, n *node) {
		bigen.At(c, &n.Red, bigen.Bool())
		bigen.At(c, &n.Key, bigen.IntRange(0, 15))
		bigen.At(c, &n.L, sub)
		bigen.At(c, &n.R, sub)
	})
}

// valid reports whether n is a search tree with a black root in which no red node has
// a red child and all paths down have equally many black nodes.
func (n *node) valid() bool {
	if n.Red {
		return false
	}
	_, ok := n.blacks(math.MinInt, math.MaxInt)
	return ok
}

// blacks returns the number of black nodes on every path down from n, whose keys must
// be above lo and below hi.
func (n *node) blacks(lo, hi int) (height int, ok bool) {
	if n == nil {
		return 0, true
	}
	if n.Key <= lo || n.Key >= hi || n.Red && (n.L.red() || n.R.red()) {
		return 0, false
	}
	l, lok := n.L.blacks(lo, n.Key)
	r, rok := n.R.blacks(n.Key, hi)
	if !n.Red {
		height = 1
	}
	return height + l, lok && rok && l == r
}

func (n *node) red() bool { return n != nil && n.Red }

func (n *node) hash() hash {
	if n == nil {
		return 1
	}
	h := hash(2).add(uint64(n.Key)).add(uint64(n.L.hash())).add(uint64(n.R.hash()))
	if n.Red {
		h = h.add(3)
	}
	return h
}

func (n *node) size() int {
	if n == nil {
		return 0
	}
	return 1 + n.L.size() + n.R.size()
}
