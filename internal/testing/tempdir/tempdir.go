// Package tempdir makes temporary directories for tests that write many small files.
package tempdir

import (
	"os"
	"testing"
)

// New returns a new directory, which the end of the test removes. Where a system has a file system
// in memory for all, it is there: a disk's file system takes longer to make files than most tests
// take to use them.
func New(t testing.TB) string {
	dir, err := os.MkdirTemp("/dev/shm", "espalier-*")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}
