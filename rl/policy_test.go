package rl_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/bsttest"
	"github.com/espalier-go/espalier/rl"
)

// genTree makes trees of integers from 0 to 10 in any order.
func genTree(depth int) bigen.Gen[*bsttest.Tree] {
	if depth == 0 {
		return bigen.Nil[bsttest.Tree]()
	}
	return bigen.Pick(
		bigen.Tag("leaf", bigen.Nil[bsttest.Tree]()),
		bigen.Tag("node", bigen.New(func(c *bigen.C, t *bsttest.Tree) {
			bigen.At(c, &t.X, bigen.IntRange(0, 10))
			bigen.At(c, &t.L, genTree(depth-1))
			bigen.At(c, &t.R, genTree(depth-1))
		})),
	)
}

func worthy(t *bsttest.Tree) bool { return t.Valid(0, 10) && len(t.Keys()) > 2 }

// learn returns a guide that has made n trees.
func learn(n int, opts ...rl.Option) *rl.Guide {
	guide := rl.New(rand.New(rand.NewPCG(1, 2)), opts...)
	train(guide, n)
	return guide
}

// train returns how many of n trees are valid, and how many of these unique.
func train(guide *rl.Guide, n int) (valid, unique int) {
	for range n {
		v, err := bigen.Value(genTree(4), guide.Begin())
		if err != nil || !worthy(v) {
			guide.Invalid()
			continue
		}
		valid++
		if guide.Valid(guide.Input()) {
			unique++
		}
	}
	return valid, unique
}

func policyOf(t *testing.T, guide *rl.Guide) *rl.Policy {
	t.Helper()
	p, err := guide.Policy()
	require.NoError(t, err)
	return p
}

func TestX(t *testing.T) {
	for _, n := range []int{100, 1000, 10000, 100000} {
		g := learn(n)
		p := policyOf(t, g)
		b, _ := p.MarshalBinary()
		_, u := train(g, 2000)
		fro := rl.New(rand.New(rand.NewPCG(1, 2)), rl.FromPolicy(p), rl.ReadOnly())
		v, fu := train(fro, 2000)
		on := rl.New(rand.New(rand.NewPCG(1, 2)), rl.FromPolicy(p))
		ov, ou := train(on, 2000)
		prior := p.Prior()
		pv := 0
		seen := map[string]bool{}
		r := rand.New(rand.NewPCG(5, 6))
		for range 2000 {
			b := make([]byte, 8)
			for i := range b {
				b[i] = byte(r.Uint32())
			}
			v, tree, err := bigen.Run(genTree(4), choices.FromBytesBy(b, prior))
			if err == nil && worthy(v) {
				pv++
				seen[tree.String()] = true
			}
		}
		t.Log(n, len(b), "unique on", u, "frozen", v, fu, "from", ov, ou, "prior", pv, len(seen))
	}
	g := rl.New(rand.New(rand.NewPCG(1, 2)))
	t.Log(train(g, 2000))
	g = rl.New(rand.New(rand.NewPCG(1, 2)), rl.ReadOnly())
	t.Log(train(g, 2000))
}
