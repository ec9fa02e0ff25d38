//go:build unix

package safefile_test

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/espalier-go/espalier/internal/safefile"
	"github.com/stretchr/testify/require"
)

// A reader of a pipe would block, and one of a device would not end.
func TestPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o666))
	for _, path := range []string{pipe, "/dev/zero"} {
		for _, read := range []func(string, int64) ([]byte, error){safefile.Read, safefile.ReadEntry} {
			_, err := read(path, 10)
			require.ErrorContains(t, err, path+" is not a regular file (mode ")
		}
	}
}
