package mutate_test

import (
	"math/rand/v2"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/varied"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
	"github.com/espalier-go/espalier/mutate"
)

// What a mutated value and its parts cost, compared with fresh values.
func BenchmarkRound(b *testing.B) {
	gen := bsttest.Gen(lo, hi)
	r := rng(1)
	var trees []choices.Tree
	for range 64 {
		c, err := bigen.Choices(gen, bsttest.Random(r, 20, lo, hi))
		if err != nil {
			b.Fatal(err)
		}
		trees = append(trees, c)
	}
	m := &mutate.Mutator{Corpus: trees, Dictionary: choices.Marks(5, 6, 700)}
	run := func(name string, f func(t choices.Tree)) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				f(trees[i%len(trees)])
			}
		})
	}
	var edited []choices.Tree
	for i := range 64 {
		e, _ := m.Havoc(trees[i], r)
		edited = append(edited, e)
	}
	k := 0
	next := func() choices.Tree { k++; return edited[k%len(edited)] }

	run("havoc", func(t choices.Tree) { m.Havoc(t, r) })
	run("rand", func(t choices.Tree) { rand.New(rand.NewPCG(1, 2)) })
	run("replay", func(choices.Tree) { _, _, _ = bigen.Run(gen, choices.Replay(next(), r)) })
	run("replay/value", func(choices.Tree) { _, _ = bigen.Value(gen, choices.Replay(next(), r)) })
	run("round", func(t choices.Tree) {
		r := rand.New(rand.NewPCG(1, uint64(k)))
		k++
		e, _ := m.Havoc(t, r)
		_, _, _ = bigen.Run(gen, choices.Replay(e, r))
	})
	var made choices.Tree
	reusing := &mutate.Mutator{Corpus: trees, Dictionary: choices.Marks(5, 6, 700), Reuse: true}
	run("reuse/havoc", func(t choices.Tree) { reusing.Havoc(t, r) })
	run("reuse/replay", func(choices.Tree) {
		_, made, _ = bigen.RunInto(made, gen, choices.Replay(next(), r))
	})
	run("reuse/round", func(t choices.Tree) {
		e, _ := reusing.Havoc(t, r)
		_, made, _ = bigen.RunInto(made, gen, choices.Replay(e, r))
	})
	run("random", func(choices.Tree) { _, _ = bigen.Value(gen, choices.Random(r)) })
	i := 0
	run("varied", func(choices.Tree) { i++; _, _ = bigen.Value(gen, varied.Source(r, i)) })
}
