package campaign

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGrowth(t *testing.T) {
	var g growth
	require.Zero(t, g.see(0, 10, 1).Seconds)
	require.Equal(t, Drought{2, 90, 5400}, g.see(0, 100, 3))
	require.Zero(t, g.see(1, 200, 5))
	d := g.see(1, 1_000_200, 605)
	require.Equal(t, Drought{600, 1_000_000, 18}, d)
	require.Equal(t, "nothing new in 10m0s and 1000000 executions; another hour would bring fewer "+
		"than 18 entries, at 95% confidence", d.String())
}
