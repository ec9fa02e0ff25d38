package safefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A file that another process puts in the place of the one that has been looked at is not read.
func TestReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(path, []byte("ours"), 0o666))
	_, err := open(path, func(path string) (fs.FileInfo, error) {
		info, err := os.Lstat(path)
		return info, errors.Join(err, os.Rename(path, path+".old"),
			os.WriteFile(path, []byte("theirs"), 0o666))
	})
	require.ErrorContains(t, err, path+" has been replaced while it was opened: try again")
}
