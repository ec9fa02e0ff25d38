package rundir

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Only one holds a lock. Others wait until it is released, or their context ends.
func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "locks", "x")
	unlock, err := Lock(t.Context(), path)
	require.NoError(t, err)
	short, end := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer end()
	_, err = Lock(short, path)
	require.ErrorIs(t, err, context.DeadlineExceeded)

	next := make(chan func())
	go func() {
		unlock, err := Lock(t.Context(), path)
		require.NoError(t, err)
		next <- unlock
	}()
	unlock()
	(<-next)()
}
