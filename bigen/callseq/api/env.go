package api

import (
	"os"
	"slices"
	"strings"
)

// keepEnv returns a function that gives the process back the environment variables that it has now: what calls set
// must not reach other sequences, and other tests.
func keepEnv() (restore func()) {
	before := os.Environ()
	return func() {
		if slices.Equal(before, os.Environ()) {
			return
		}
		os.Clearenv()
		for _, v := range before {
			if name, value, ok := strings.Cut(v, "="); ok && name != "" { // Windows has others
				_ = os.Setenv(name, value)
			}
		}
	}
}
