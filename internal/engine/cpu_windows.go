package engine

import (
	"syscall"
	"time"
)

func CPUTime() (time.Duration, bool) {
	self, err := syscall.GetCurrentProcess()
	if err != nil {
		return 0, false
	}
	var created, ended, kernel, user syscall.Filetime
	if err := syscall.GetProcessTimes(self, &created, &ended, &kernel, &user); err != nil {
		return 0, false
	}
	return ofFiletime(kernel) + ofFiletime(user), true
}

// ofFiletime returns what a Filetime counts: intervals of 100 ns.
func ofFiletime(t syscall.Filetime) time.Duration {
	return time.Duration(uint64(t.HighDateTime)<<32|uint64(t.LowDateTime)) * 100
}
