package rl

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOptionsPanic(t *testing.T) {
	t.Parallel()
	for want, f := range map[string]func(){
		"rl.Memory: 1048575 bytes are less than 1 MiB":  func() { Memory(1<<20 - 1) },
		"rl.MonteCarlo: epsilon 1.5 is not from 0 to 1": func() { MonteCarlo(1.5, Tree(4), Rewards{}) },
		"rl.MonteCarlo: no abstraction":                 func() { MonteCarlo(0.5, nil, Rewards{}) },
	} {
		require.PanicsWithValue(t, want, f)
	}
}

// The order of options does not matter, even if they exclude each other.
func TestOptionsInAnyOrder(t *testing.T) {
	t.Parallel()
	other := []Option{greeds(1, 2), func(o *options) { o.revisits = true }}
	for _, opt := range []Option{MonteCarlo(0.25, Tree(4), Rewards{Unique: 20}), ReadOnly()} {
		for _, opts := range [][]Option{append([]Option{opt}, other...), append(other, opt)} {
			g := New(seeded(1), opts...)
			require.False(t, g.revisits)
			require.Nil(t, g.trie)
			require.Len(t, g.strategies, 1)
		}
	}
}
