//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package rundir

import (
	"os"
	"syscall"
)

// hold locks f, unless it is locked, until it is closed, at the latest by the end of the
// process. Package lockedfile can only wait.
func hold(f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err != syscall.EINTR {
			return os.NewSyscallError("flock", err)
		}
	}
}

// abandoned reports whether nobody holds the file.
func abandoned(path string) bool {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	return hold(f) == nil
}
