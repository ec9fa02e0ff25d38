package mutate_test

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/espalier-go/espalier/mutate"
	"github.com/stretchr/testify/require"
	"golang.org/x/exp/slices"
)

// Edits that reuse memory make the same trees as others, also if one follows
// another, and do not change what they were given.
func TestReuse(t *testing.T) {
	for _, s := range subjects() {
		t.Run(s.name, func(t *testing.T) {
			fresh, reusing := mutatorFor(s), mutatorFor(s)
			reusing.Reuse = true
			before := clones(s.trees)
			r, q := rng(12), rng(12)
			for i := range long.Count(15, 1000) {
				a := s.trees[i%len(s.trees)]
				b := a
				for range 6 {
					op := operators[r.IntN(len(operators))]
					q.IntN(len(operators))
					var okA, okB bool
					a, okA = op.Apply(fresh, a, r)
					b, okB = op.Apply(reusing, b, q)
					require.Equal(t, okA, okB, op.Name)
					require.Equal(t, a, b, op.Name)
				}
			}
			require.Equal(t, before, s.trees)
		})
	}
}

func clones(trees []choices.Tree) (out []choices.Tree) {
	for _, t := range trees {
		out = append(out, slices.Clone(t))
	}
	return out
}

// An edit, its replay and the run allocate nothing for the trees.
func TestReuseAllocatesNothing(t *testing.T) {
	gen := bigen.ArrayOf[[60]int16](bigen.IntRange[int16](-1000, 1000))
	_, tree, err := bigen.Run(gen, choices.Random(rng(1)))
	require.NoError(t, err)
	m := &mutate.Mutator{
		Corpus:     []choices.Tree{tree},
		Dictionary: choices.Marks(5, 6, 700),
		Reuse:      true,
	}
	r := rng(13)
	var made choices.Tree
	round := func() {
		edited, _ := m.Havoc(tree, r)
		_, made, err = bigen.RunInto(made, gen, choices.Replay(edited, r))
	}
	for range 100 {
		round()
	}
	require.LessOrEqual(t, testing.AllocsPerRun(1000, round), 3.0) // with the value and the source

	bst := bsttest.Gen(lo, hi)
	tree = choicesOf(t, bsttest.Random(r, 20, lo, hi))
	havoc := func() { m.Havoc(tree, r) }
	for range 100 {
		havoc()
	}
	require.Zero(t, testing.AllocsPerRun(1000, havoc))
	_, same, err := bigen.RunInto(made, bst, choices.Replay(tree, nil))
	require.NoError(t, err)
	require.Equal(t, tree, same)
}
