//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package rundir

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/espalier-go/espalier/internal/testing/require"
)

// Only one holds a lock. Others wait until it is released, or their context ends.
func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "locks", "x")
	unlock, err := Lock(t.Context(), path)
	require.NoError(t, err)
	ended, end := context.WithCancel(t.Context())
	end()
	_, err = Lock(ended, path)
	require.ErrorIs(t, err, context.Canceled)
	require.NoError(t, unlock())
	unlock, err = Lock(t.Context(), path)
	require.NoError(t, err)
	require.NoError(t, unlock())
}
