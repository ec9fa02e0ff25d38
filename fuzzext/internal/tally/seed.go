package tally

import (
	"os"

	"github.com/espalier-go/espalier/internal/hash"
)

// seedEnv is the environment variable whose text seeds the Checks that nothing else seeds. The go
// command knows that a test has read it: if it changes, the test runs again.
const seedEnv = "FUZZEXT_SEED"

// SeedOfEnvironment returns the seed that the environment gives, or 0. Tests make different values
// of one seed: the seed is mixed with the name of the test.
func SeedOfEnvironment() uint64 {
	text := os.Getenv(seedEnv)
	if text == "" {
		return 0
	}
	return hash.FNV64(text)
}
