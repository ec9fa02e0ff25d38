//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package rundir

import (
	"os"
	"runtime"
)

// hold relies on Windows, which does not remove an open file.
func hold(*os.File) error { return nil }

// abandoned reports whether nobody has the file open, where that can be told.
func abandoned(path string) bool {
	return runtime.GOOS == "windows" && os.Remove(path) == nil
}
