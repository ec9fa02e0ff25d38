package gocmd

import (
	"os"
	"testing"
)

// TempDir returns a new directory, which the end of the test removes. It is in memory if the system
// has a file system there for all: on a disk, making many small files takes longer than most tests
// take to use them.
func TempDir(t testing.TB) string {
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
