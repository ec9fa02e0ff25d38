//go:build linux || darwin

package api

import (
	"os"
	"syscall"
)

// freeDisk returns how many bytes there are for temporary files, or 0 if that is not known.
func freeDisk() uint64 {
	var s syscall.Statfs_t
	if syscall.Statfs(os.TempDir(), &s) != nil {
		return 0
	}
	return s.Bavail * uint64(s.Bsize)
}
