//go:build unix

package engine

import (
	"syscall"
	"time"
)

// CPUTime returns the CPU time of this process so far, of the user and of the system. It reports
// false where the system does not tell.
func CPUTime() (time.Duration, bool) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, false
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), true
}
