package bigen_test

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/stretchr/testify/require"
)

func TestRunInto(t *testing.T) {
	gen := bigen.SliceOf(bigen.String(5), 0, 40)
	never := bigen.SuchThat(gen, func([]string) bool { return false })
	var dst choices.Tree
	r, q := rng(1), rng(1)
	for i := range 300 {
		want, tree, err := bigen.Run(gen, choices.Random(r))
		require.NoError(t, err)
		got, into, err := bigen.RunInto(dst, gen, choices.Random(q))
		require.NoError(t, err)
		require.Equal(t, want, got)
		require.Equal(t, len(tree), len(into))
		if len(tree) > 0 {
			require.Equal(t, tree, into)
		}
		if cap(dst) >= len(into) && cap(dst) > 0 {
			require.True(t, &dst[:1][0] == &into[:1][0], "there was room")
		}
		if i%10 == 0 { // the memory is the caller's alone
			_, _, err = bigen.Run(gen, choices.Random(rng(uint64(i))))
			require.NoError(t, err)
			require.Equal(t, tree.String(), into.String())
		}
		dst = into
	}
	v, into, err := bigen.RunInto(dst, never, choices.Random(r))
	require.ErrorIs(t, err, bigen.ErrRejected)
	require.Nil(t, v)
	require.Empty(t, into)
	require.Positive(t, cap(into))
}
