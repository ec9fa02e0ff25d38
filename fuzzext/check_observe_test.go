package fuzzext

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/internal/testing/require"
)

// A Check writes what it does with each value.
func TestObserve(t *testing.T) {
	path := filepath.Join(t.TempDir(), "seen.jsonl")
	flags.observe = path
	defer func() { flags.observe = "" }()
	Check(t, bigen.IntRange(0, 9999), func(t *T, n int) { t.Assume(n%5 == 3) }, Examples(3, 4))
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	require.Contains(t, lines[0], `"status":"passed","status_reason":"","representation":"3","arguments":{"value":"3"},"how_generated":"example"`)
	require.Contains(t, lines[0], `.TestObserve"`)
	require.Contains(t, lines[1], `"status":"gave_up"`)
	require.Contains(t, string(b), `"how_generated":"generated with guidance"`)
}
