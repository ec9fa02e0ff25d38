//go:build unix

package budget

import (
	"syscall"
	"time"
)

// cpuTime returns the CPU time of this process so far, of the user and of the system. It reports
// false where the system does not tell.
func cpuTime() (time.Duration, bool) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, false
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), true
}
