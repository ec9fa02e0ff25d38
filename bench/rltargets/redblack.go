package rltargets

import (
	"math"

	"github.com/espalier-go/espalier/bench/guidebugs"
	"github.com/espalier-go/espalier/bigen"
)

type node = guidebugs.RedBlack

// study is the target of the case study of RLCheck, section 4.3.1: search trees of depth 4 with
// keys from 0 to 10.
func study() Target {
	example := &node{Key: 5, Left: &node{Key: 2}, Right: &node{Key: 7}}
	return spec[*node]{"study", genTree(4), example, ordered, hashOf, (*node).Size, nil, nil}.target()
}

func genTree(depth int) bigen.Gen[*node] {
	sub := bigen.Nil[node]()
	if depth > 0 {
		sub = optional(genTree(depth - 1))
	}
	return bigen.New(func(c *bigen.C, n *node) {
		bigen.At(c, &n.Key, bigen.IntRange(0, 10))
		bigen.At(c, &n.Left, sub)
		bigen.At(c, &n.Right, sub)
	})
}

func ordered(n *node) bool { return within(n, math.MinInt, math.MaxInt) }

// within reports whether n is a search tree of keys above lo and below hi.
func within(n *node, lo, hi int) bool {
	return n == nil || lo < n.Key && n.Key < hi && within(n.Left, lo, n.Key) &&
		within(n.Right, n.Key, hi)
}

// redBlack is a target of red-black trees of depth 4 with keys from 0 to 15.
func redBlack() Target {
	leaf := func(key int) *node { return &node{Red: true, Key: key} }
	example := &node{
		Key:   7,
		Left:  &node{Key: 3, Left: leaf(1), Right: leaf(5)},
		Right: &node{Key: 11, Left: leaf(9)},
	}
	return spec[*node]{"rb", genNode(4), example, (*node).Valid, hashOf, (*node).Size,
		guidebugs.Rare(), (*node).Finds}.target()
}

func genNode(depth int) bigen.Gen[*node] {
	sub := bigen.Nil[node]()
	if depth > 0 {
		sub = optional(genNode(depth - 1))
	}
	return bigen.New(func(c *bigen.C, n *node) {
		bigen.At(c, &n.Red, bigen.Bool())
		bigen.At(c, &n.Key, bigen.IntRange(0, 15))
		bigen.At(c, &n.Left, sub)
		bigen.At(c, &n.Right, sub)
	})
}

func hashOf(n *node) hash {
	if n == nil {
		return 1
	}
	h := hash(2).add(uint64(n.Key)).add(uint64(hashOf(n.Left))).add(uint64(hashOf(n.Right)))
	if n.Red {
		h = h.add(3)
	}
	return h
}
