package stack

import (
	"fmt"
	"strings"
	"time"
)

// Starved reports whether a run has not returned since the machine was busy, for all that is
// known: it could run, but the process got less than half of a CPU, and less than a minute of CPU time.
// What waits and gets nothing done hangs.
func Starved(stack string, after, cpu time.Duration) bool {
	_, state, ok := strings.Cut(stack, "[")
	if !ok || cpu >= time.Minute {
		return false
	}
	ready := strings.HasPrefix(state, "run") // running or runnable
	return ready && cpu < after/2 || !ready && cpu > after/10 && cpu < after/2
}

// Panic describes a panic, with the stack below it. That a library is misused needs no stack.
func Panic(r any, stack string) string {
	if _, is := r.(interface{ Misuse() }); is {
		return fmt.Sprint(r)
	}
	return fmt.Sprintf("%v\n\n%s", r, stack)
}
