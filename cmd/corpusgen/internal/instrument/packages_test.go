package instrument

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Patterns match as the patterns of -gcflags do.
func TestRuleMatches(t *testing.T) {
	dir := t.TempDir()
	main := listed{
		ImportPath: "example.com/m/a/b",
		Dir:        filepath.Join(dir, "a", "b"),
		Module:     &struct{ Main bool }{true},
	}
	other := listed{
		ImportPath: "example.com/dep",
		Dir:        filepath.Join(t.TempDir(), "dep"),
		Module:     &struct{ Main bool }{},
	}
	std := listed{ImportPath: "strings", Dir: filepath.Join(t.TempDir(), "strings"), Standard: true}
	for _, c := range []struct {
		pattern          string
		main, other, std bool
	}{
		{"work", true, false, false},
		{"example.com/dep", false, true, false},
		{"example.com/dep/...", false, true, false},
		{"example.com/...", true, true, false},
		{"example.com/.../b", true, false, false},
		{"example.com/d", false, false, false},
		{"exampleXcom/dep", false, false, false},
		{"./...", true, false, false},
		{"./a/b", true, false, false},
		{"./a", false, false, false},
		{"./a/...", true, false, false},
		{"strings", false, false, true},
		{"...", true, true, true},
	} {
		matches := Rule{Pattern: c.pattern}.matcher(dir)
		require.Equal(t, c.main, matches(main), c.pattern)
		require.Equal(t, c.other, matches(other), c.pattern)
		require.Equal(t, c.std, matches(std), c.pattern)
	}
}
