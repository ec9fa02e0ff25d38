// Package long decides how much the tests of this repository do.
//
// Plain go test runs each test with its usual count, which takes minutes for all of
// them. ESPALIER_LONG=1 in the environment runs the large counts, as CI does; -short
// runs a tenth of the usual ones.
//
// A test binary that imports this package collects garbage less often, unless GOGC is set:
// that saves a quarter of the CPU time.
package long

import (
	"os"
	"runtime/debug"
	"testing"
)

func init() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}

// Env is the environment variable that switches the large counts on.
const Env = "ESPALIER_LONG"

// Enabled reports whether tests run their large counts.
func Enabled() bool { return os.Getenv(Env) != "" && !testing.Short() }

// Count returns how often a test repeats what it does: large if [Enabled], a tenth of
// usual but at least 1 under -short, and usual otherwise.
func Count(usual, large int) int {
	switch {
	case Enabled():
		return large
	case testing.Short():
		return max(1, usual/10)
	default:
		return usual
	}
}
