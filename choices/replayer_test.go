package choices_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
)

// A Replayer does what Replay does, whatever it has replayed before.
func TestReplayer(t *testing.T) {
	gen := genExpr(6)
	r := rng(1)
	var p choices.Replayer
	for i := range 300 {
		_, tree, err := bigen.Run(gen, choices.Random(r))
		require.NoError(t, err)
		for k := range tree {
			tree[k].Reroll = r.IntN(8) == 0
			if r.IntN(20) == 0 {
				tree[k].Slot++
			}
		}
		a, b := rng(uint64(i)), rng(uint64(i))
		if i%3 == 0 {
			a, b = nil, nil
		}
		want, wantTree, err := bigen.Run(gen, choices.Replay(tree, a))
		require.NoError(t, err)
		got, gotTree, err := bigen.Run(gen, p.Replay(tree, b))
		require.NoError(t, err)
		require.Equal(t, want, got)
		require.Equal(t, wantTree, gotTree)
		p.Replay(tree, nil).Pick(&choices.Question{Alts: []choices.Alt{choices.MakeAlt("a", 1)}}) // a run that ends before its time
	}
}
