package rl

import (
	"testing"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
)

// FuzzGuide lets bytes select a policy, a random generator, the outcomes of its inputs, and
// when to replay one.
func FuzzGuide(f *testing.F) {
	for seed := range byte(24) {
		b := []byte{seed, seed * 7, seed * 3}
		for i := range 90 {
			b = append(b, byte(hash.FNV64(string(rune(i)))>>seed))
		}
		f.Add(b)
	}
	all := policies()
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < 3 || len(b) > 1000 {
			return
		}
		p := all[int(b[0])%len(all)]
		s := composed(uint64(b[1]) | uint64(b[2])<<8)
		g := New(seeded(uint64(b[0])), p.opts...)
		inputs := map[uint64]bool{}
		exact := g.trie != nil && g.memory > 1<<20 // nothing is forgotten
		var trees []choices.Tree
		for i, c := range b[3:] {
			if c%8 == 7 && len(trees) > 0 {
				want := trees[i%len(trees)]
				_, tree, err := s.run(g.Replay(want))
				if err != nil || !slices.Equal(tree, want) {
					t.Fatalf("%s: %v became %v (%v)", s.name, want, tree, err)
				}
			} else {
				exhausted := exact && g.trie.exhausted()
				_, tree, err := s.run(g.Begin())
				if err != nil && err != bigen.ErrRejected {
					t.Fatal(err)
				}
				if exact && !exhausted && inputs[g.Input()] && g.Input() != 0 {
					t.Fatalf("%s: %v again", s.name, tree)
				}
				if err == nil {
					trees = append(trees, tree)
				}
			}
			switch c >> 3 % 4 {
			case 0:
				g.Valid(g.Input())
			case 1:
				g.Valid(uint64(c >> 5))
			case 2:
				g.Invalid()
			default:
				continue // dropped
			}
			inputs[g.Input()] = true
		}
		if g.trie != nil {
			checkTrie(t, g.trie)
		}
	})
}
