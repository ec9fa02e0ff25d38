//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package rundir

import (
	"os"
	"syscall"
)

// gated is whether processes wait for one another: whether wait does.
const gated = true

// hold locks f until it is closed, at the latest by the end of the process.
func hold(f *os.File) error { return flock(f, syscall.LOCK_EX|syscall.LOCK_NB) }

// wait locks f as hold does, once nobody else does.
func wait(f *os.File) error { return flock(f, syscall.LOCK_EX) }

func flock(f *os.File, how int) error {
	for {
		err := syscall.Flock(int(f.Fd()), how)
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
