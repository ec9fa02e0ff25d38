package engine

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// CPU time passes while the process computes, and never goes back.
func TestCPUTime(t *testing.T) {
	before, ok := CPUTime()
	if !ok {
		t.Skip("the system does not tell")
	}
	for now := before; now == before; {
		n := 0
		for range 1 << 20 {
			n++
		}
		now, ok = CPUTime()
		require.True(t, ok)
		require.GreaterOrEqual(t, now, before)
		require.NotZero(t, n)
	}
}
