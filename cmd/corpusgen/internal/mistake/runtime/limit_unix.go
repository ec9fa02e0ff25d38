//go:build unix && go1.18

package runtime

import espalierSyscall "syscall"

// espalierLimit limits the CPU time and the data of the process. A limit that the system does not
// know is none.
func espalierLimit(seconds, bytes int64) {
	limits := [][2]int64{
		{espalierSyscall.RLIMIT_CPU, seconds},
		{espalierSyscall.RLIMIT_DATA, bytes},
	}
	for _, l := range limits {
		var now espalierSyscall.Rlimit
		if l[1] > 0 && espalierSyscall.Getrlimit(int(l[0]), &now) == nil {
			espalierLower(&now.Cur, l[1])
			espalierLower(&now.Max, l[1]) // the runtime ignores the signal of the other one
			_ = espalierSyscall.Setrlimit(int(l[0]), &now)
		}
	}
}

func espalierLower[T int64 | uint64](limit *T, most int64) {
	if *limit > T(most) {
		*limit = T(most)
	}
}
