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
	vendored := listed{
		ImportPath: "example.com/old",
		Dir:        filepath.Join(dir, "vendor", "example.com", "old"),
		Module:     &struct{ Main bool }{},
	}
	std := listed{ImportPath: "strings", Dir: filepath.Join(t.TempDir(), "strings"), Standard: true}
	for _, c := range []struct {
		pattern                    string
		main, other, vendored, std bool
	}{
		{"work", true, false, false, false},
		{"example.com/dep", false, true, false, false},
		{"example.com/dep/...", false, true, false, false},
		{"example.com/...", true, true, true, false},
		{"example.com/.../b", true, false, false, false},
		{"example.com/d", false, false, false, false},
		{"exampleXcom/dep", false, false, false, false},
		{"./...", true, false, false, false},
		{"./a/b", true, false, false, false},
		{"./a", false, false, false, false},
		{"./a/...", true, false, false, false},
		{"./vendor/example.com/...", false, false, true, false},
		{"example.com/old", false, false, true, false},
		{"strings", false, false, false, true},
		{"...", true, true, true, true},
	} {
		matches := Rule{Pattern: c.pattern}.matcher(dir)
		require.Equal(t, c.main, matches(main), c.pattern)
		require.Equal(t, c.other, matches(other), c.pattern)
		require.Equal(t, c.vendored, matches(vendored), c.pattern)
		require.Equal(t, c.std, matches(std), c.pattern)
	}
}
