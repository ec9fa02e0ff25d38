package coverage

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/testing/require"
)

// Another run may have removed what this one keeps, and keep what this one would remove. Then
// nothing is removed.
func TestMinRemovesNothingAfterAnother(t *testing.T) {
	for _, gone := range []string{"", "kept", "other"} {
		dir := t.TempDir()
		var entries []*measuredEntry
		for _, name := range []string{"kept", "other", "third"} {
			c := &measuredEntry{path: filepath.Join(dir, name), file: []byte(name)}
			if name == "kept" {
				c.why = "adds 1 statement"
			}
			require.NoError(t, os.WriteFile(c.path, c.file, 0o666))
			entries = append(entries, c)
		}
		want := []string{"kept"}
		if gone != "" {
			require.NoError(t, os.Remove(filepath.Join(dir, gone)))
		}
		m := &Minimizer{Session: &session.Session{}, Write: true}
		err := m.deliver(t.Context(), &session.Target{Label: "FuzzX"}, entries)
		if gone == "kept" {
			want = []string{"other", "third"}
			require.ErrorContains(t, err, "nothing is removed: another process has changed")
		} else {
			require.NoError(t, err)
		}
		var left []string
		files, err := os.ReadDir(dir)
		require.NoError(t, err)
		for _, f := range files {
			left = append(left, f.Name())
		}
		require.Equal(t, want, left, gone)
	}
}
