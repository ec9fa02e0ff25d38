//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package rundir

import (
	"os"
	"runtime"
)

// gated is whether processes wait for one another: whether wait does.
const gated = false

// hold relies on Windows, which does not remove an open file.
func hold(*os.File) error { return nil }

func wait(*os.File) error { return nil }

// abandoned reports whether nobody has the file open, where that can be told.
func abandoned(path string) bool {
	return runtime.GOOS == "windows" && os.Remove(path) == nil
}
