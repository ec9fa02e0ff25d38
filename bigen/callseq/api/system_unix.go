//go:build linux || darwin

package api

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// freeDisk returns how many bytes there are for temporary files, or 0 if that is not known.
func freeDisk() uint64 {
	var s syscall.Statfs_t
	if syscall.Statfs(os.TempDir(), &s) != nil {
		return 0
	}
	return s.Bavail * uint64(s.Bsize)
}

// limitFile bounds how large the process can make a file, in bytes: by the number of an open file
// that is not its own, too.
func limitFile(most uint64) {
	signal.Ignore(syscall.SIGXFSZ) // an error tells
	_ = syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: most, Max: most})
}

// cpuTime returns the CPU time of the process so far.
func cpuTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
