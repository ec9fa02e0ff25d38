//go:build unix

package corpus_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/stretchr/testify/require"
)

// A file on which a reader would block, or which has no end, is an error, not a hang.
// The other entries are read.
func TestPipe(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, corpus.Check(filepath.Join(dir, "none")))
	_, _, err := corpus.Write(dir, []byte("kept"))
	require.NoError(t, err)
	require.NoError(t, corpus.Check(dir))

	pipe := filepath.Join(dir, corpus.Name([]byte("v")))
	require.NoError(t, syscall.Mkfifo(pipe, 0o666))
	zero := filepath.Join(dir, "zero")
	require.NoError(t, os.Symlink("/dev/zero", zero))
	entries, err := corpus.Read(dir)
	require.Len(t, entries, 1)
	require.ErrorContains(t, err, pipe+" is not a regular file (mode prw-")
	require.ErrorContains(t, err, zero+" is a link")
	err = corpus.Check(dir)
	require.ErrorContains(t, err, pipe+" is not a regular file (mode prw-")
	require.ErrorContains(t, err, zero+" is a link")

	_, isNew, err := corpus.Write(dir, []byte("v"))
	require.ErrorContains(t, err, pipe+" is not a regular file")
	require.False(t, isNew)
	info, err := os.Lstat(pipe)
	require.NoError(t, err)
	require.Equal(t, os.ModeNamedPipe, info.Mode().Type())
}
