package rl

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOptionsPanic(t *testing.T) {
	t.Parallel()
	for want, f := range map[string]func(){
		"rl.MonteCarlo: epsilon 1.5 is not from 0 to 1": func() { MonteCarlo(1.5, Tree(4), Rewards{}) },
		"rl.MonteCarlo: no abstraction":                 func() { MonteCarlo(0.5, nil, Rewards{}) },
	} {
		require.PanicsWithValue(t, want, f)
	}
}
