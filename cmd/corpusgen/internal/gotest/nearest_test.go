package gotest

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNearest(t *testing.T) {
	names := []string{"fuzz", "min", "mutate", "seed", "show", "stats", "strength", "sync", "test"}
	for word, want := range map[string]string{
		"sed": "seed", "fuz": "fuzz", "fzuz": "fuzz", "strenght": "strength", "mutat": "mutate",
		"sttas": "stats", "tests": "test", "bench": "", "m": "", "": "", "fuzz": "fuzz",
	} {
		require.Equal(t, want, Nearest(word, names), word)
	}
}
