package callseq_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/espalier-go/espalier/mutate"
)

// Whatever sequence fails, one of the fewest calls comes of it.
func TestShrinks(t *testing.T) {
	t.Parallel()
	for planted, c := range map[string]struct {
		model   *callseq.Model
		minimal int
	}{
		"get is no use":    {cacheModel("get is no use"), 6},
		"delete remembers": {cacheModel("delete remembers"), 6},
		"alias":            {listModel("alias"), 3},
	} {
		g := c.model.Gen()
		fails := func(v calls) bool { return output(c.model, v) != "" }
		for seed := range uint64(max(2, long.Count(8, 20))) {
			r := rng(seed)
			var tree choices.Tree
			for i := 0; tree == nil; i++ {
				v, made, err := bigen.Run(g, choices.Varied(r, i))
				require.NoError(t, err)
				require.Less(t, i, 1000, planted)
				if fails(v) {
					tree = made
				}
			}
			tree, _, _ = mutate.Minimize(tree, func(edited choices.Tree) (calls, choices.Tree, error) {
				return bigen.Run(g, choices.Replay(edited, nil))
			}, fails, 2000)
			v, err := bigen.Value(g, choices.Replay(tree, nil))
			require.NoError(t, err)
			require.Len(t, v, c.minimal, "%s, seed %d: %v", planted, seed, v)
		}
	}
}

// Mutants are sequences of the model.
func TestMutants(t *testing.T) {
	t.Parallel()
	g := listModel("").Gen()
	r := rng(1)
	var corpus []choices.Tree
	for range 5 {
		_, tree, err := bigen.Run(g, choices.Random(r))
		require.NoError(t, err)
		corpus = append(corpus, tree)
	}
	m := mutate.Mutator{Corpus: corpus}
	longer := 0
	for i := range long.Count(500, 5000) {
		edited, _ := m.Havoc(corpus[i%len(corpus)], r)
		v, made, err := bigen.Run(g, choices.Replay(edited, r))
		require.NoError(t, err)
		back, err := bigen.Choices(g, v)
		require.NoError(t, err)
		require.Equal(t, back, made)
		if len(made) > len(corpus[i%len(corpus)]) {
			longer++
		}
	}
	require.Positive(t, longer)
}
