package coverage

import (
	"context"
	"os"
	"os/exec"
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

// What min copies from the cache is for version control: it is told that git ignores it.
func TestMinTellsWhatGitIgnores(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	dir := t.TempDir()
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(dir))
	stderr := os.Stderr
	defer func() { os.Stderr = stderr }()
	deliver := func(name string) string {
		file, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
		require.NoError(t, err)
		os.Stderr = file
		m := &minimizer{Session: &session.Session{Output: session.NewOutput(false)}, write: true}
		target := &session.Target{Label: "FuzzX", Seeds: filepath.Join(dir, "testdata", "fuzz", "FuzzX"),
			Workshop: &session.Workshop{Session: m.Session}}
		require.NoError(t, m.deliver(t.Context(), target, []*measuredEntry{
			{path: filepath.Join("cache", name), file: []byte(name), why: "adds 1 statement", cached: true},
		}))
		require.NoError(t, file.Close())
		said, err := os.ReadFile(file.Name())
		require.NoError(t, err)
		require.FileExists(t, filepath.Join(target.Seeds, name))
		return string(said)
	}
	require.Empty(t, deliver("outside"))
	out, err := exec.Command("git", "init", "-q", dir).CombinedOutput()
	require.NoError(t, err, string(out))
	require.Empty(t, deliver("tracked"))
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".gitignore"), []byte("testdata/fuzz\n"), 0o666))
	require.Regexp(t, `^corpusgen: FuzzX: git ignores \S+: to commit the entries, .*\n$`, deliver("new"))
	require.Empty(t, deliver("new"), "it is there already")
}
