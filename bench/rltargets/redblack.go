package rltargets

import (
	"github.com/espalier-go/espalier/bench/guidebugs"
	"github.com/espalier-go/espalier/bigen"
)

type node = guidebugs.RedBlack

// redBlack is a target of red-black trees of depth 4 with keys from 0 to 15.
func redBlack() Target {
	leaf := func(key int) *node { return &node{Red: true, Key: key} }
	example := &node{
		Key:   7,
		Left:  &node{Key: 3, Left: leaf(1), Right: leaf(5)},
		Right: &node{Key: 11, Left: leaf(9)},
	}
	return spec[*node]{"rb", genNode(4), example, (*node).Valid, hashOf, (*node).Size, guidebugs.Rare(), (*node).Finds}.target()
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
