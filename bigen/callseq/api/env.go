package api

import (
	"os"
	"strings"

	"golang.org/x/exp/slices"
)

// keepEnv returns a function that gives the process back the environment variables that it has now:
// what calls set must not reach other sequences, and other tests.
func keepEnv() (restore func()) {
	before := os.Environ()
	return func() {
		now := os.Environ()
		if slices.Equal(before, now) {
			return
		}
		for _, v := range now {
			name, _, _ := strings.Cut(v, "=") // Windows has some that begin with =
			if name != "" && !slices.Contains(before, v) {
				_ = os.Unsetenv(name)
			}
		}
		for _, v := range before {
			if name, value, _ := strings.Cut(v, "="); name != "" && !slices.Contains(now, v) {
				_ = os.Setenv(name, value)
			}
		}
	}
}
