package rltargets

import (
	"math"

	"github.com/espalier-go/espalier/bigen"
)

// study is the target of the case study of RLCheck, section 4.3.1: search trees of depth 4 with
// keys from 0 to 10.
func study() Target {
	example := &tree{X: 5, L: &tree{X: 2}, R: &tree{X: 7}}
	return spec[*tree]{"study", genTree(4), example, (*tree).valid, (*tree).hash, (*tree).size, nil, nil}.target()
}

type tree struct {
	X    int
	L, R *tree
}

func genTree(depth int) bigen.Gen[*tree] {
	sub := bigen.Nil[tree]()
	if depth > 0 {
		sub = optional(genTree(depth - 1))
	}
	return bigen.New(func(c *bigen.C, t *tree) {
		bigen.At(c, &t.X, bigen.IntRange(0, 10))
		bigen.At(c, &t.L, sub)
		bigen.At(c, &t.R, sub)
	})
}

func (t *tree) valid() bool { return t.within(math.MinInt, math.MaxInt) }

// within reports whether t is a search tree of integers above lo and below hi.
func (t *tree) within(lo, hi int) bool {
	return t == nil || lo < t.X && t.X < hi && t.L.within(lo, t.X) && t.R.within(t.X, hi)
}

func (t *tree) hash() hash {
	if t == nil {
		return 1
	}
	return hash(2).add(uint64(t.X)).add(uint64(t.L.hash())).add(uint64(t.R.hash()))
}

func (t *tree) size() int {
	if t == nil {
		return 0
	}
	return 1 + t.L.size() + t.R.size()
}
