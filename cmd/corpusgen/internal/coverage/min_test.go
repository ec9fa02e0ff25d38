package coverage

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/stretchr/testify/require"
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
		m := &minimizer{Session: &session.Session{}, write: true}
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

// While another run changes the corpus, min -w does not even measure it.
func TestMinWaits(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("LocalAppData", t.TempDir())
	m := &minimizer{Session: &session.Session{}, write: true}
	target := &session.Target{Seeds: filepath.Join(t.TempDir(), "FuzzX")}
	unlock, err := m.lock(t.Context(), target)
	require.NoError(t, err)
	defer unlock()
	short, end := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer end()
	require.ErrorIs(t, m.target(short, target), context.DeadlineExceeded)
}
