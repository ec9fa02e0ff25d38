// Package long decides how much the tests of this repository do.
//
// Plain go test runs each test with a count that takes little time. ESPALIER_LONG=1 in the
// environment runs the large counts, as CI does. With a larger number, tests of chance do so many
// times as much: see [Times].
//
// A test binary that imports this package collects garbage less often, and so do the processes that
// it starts, unless GOGC is set: that saves a quarter of the CPU time.
package long

import (
	"os"
	"runtime/debug"
	"strconv"
)

func init() {
	if os.Getenv("GOGC") == "" {
		percent, _ := strconv.Atoi(GC)
		debug.SetGCPercent(percent)
		os.Setenv("GOGC", GC)
	}
}

// GC is a value for the environment variable GOGC.
const GC = "400"

// Env is the environment variable that switches the large counts on.
const Env = "ESPALIER_LONG"

// Enabled reports whether tests run their large counts.
func Enabled() bool { return os.Getenv(Env) != "" }

// Count returns how often a test repeats what it does: large if [Enabled], and usual
// otherwise.
func Count(usual, large int) int {
	if Enabled() {
		return large
	}
	return usual
}

// Times returns [Count], times the number in [Env]. It is for what chance finds: a night runs
//
//	ESPALIER_LONG=1000 go test -timeout 0 -run TestName ./package
func Times(usual, large int) int {
	n, err := strconv.Atoi(os.Getenv(Env))
	if err != nil {
		n = 1
	}
	return Count(usual, max(n, 1)*large)
}
