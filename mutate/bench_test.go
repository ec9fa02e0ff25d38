package mutate_test

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
	"github.com/espalier-go/espalier/mutate"
)

// The time of an edit, and of the replay that follows it.
func BenchmarkOperators(b *testing.B) {
	gen := bsttest.Gen(lo, hi)
	benchmark(b, "bst20", 20, func(c choices.Tree) {
		_, _, _ = bigen.Run(gen, choices.Replay(c, nil))
	})
	benchmark(b, "bst330", 330, func(c choices.Tree) {
		_, _, _ = bigen.Run(gen, choices.Replay(c, nil))
	})
}

func benchmark(b *testing.B, name string, nodes int, replay func(choices.Tree)) {
	r := rng(1)
	var trees []choices.Tree
	for range 10 {
		c, err := bigen.Choices(bsttest.Gen(lo, hi), bsttest.Random(r, nodes, lo, hi))
		if err != nil {
			b.Fatal(err)
		}
		trees = append(trees, c)
	}
	m := &mutate.Mutator{Corpus: trees, Dictionary: choices.Marks(5, 6, 700)}
	b.Run(name+"/replay", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			replay(trees[i%len(trees)])
		}
	})
	for _, op := range operators {
		b.Run(name+"/"+op.Name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				op.Apply(m, trees[i%len(trees)], r)
			}
		})
	}
}
