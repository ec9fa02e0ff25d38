package gotest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A copy is edited, and the go.mod and the go.sum stay as they are. There may be no go.sum.
func TestCopyModFile(t *testing.T) {
	const text = "module example.com/m\n\ngo 1.16\n"
	from, to := t.TempDir(), t.TempDir()
	mod := filepath.Join(from, "x.mod")
	require.NoError(t, os.WriteFile(mod, []byte(text), 0o666))
	edits := []string{"-require=example.com/n@v1.0.0"}
	_, err := CopyModFile(t.Context(), mod, to, edits)
	require.NoError(t, err)
	require.NoFileExists(t, filepath.Join(to, "go.sum"))

	require.NoError(t, os.WriteFile(filepath.Join(from, "x.sum"), []byte("sum\n"), 0o666))
	flag, err := CopyModFile(t.Context(), mod, to, edits)
	require.NoError(t, err)
	require.Equal(t, "-modfile="+filepath.Join(to, "go.mod"), flag)
	for file, want := range map[string]string{
		mod: text, filepath.Join(to, "go.sum"): "sum\n",
		filepath.Join(to, "go.mod"): text + "\nrequire example.com/n v1.0.0\n",
	} {
		got, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, want, string(got))
	}
}

// A module says what it requires. There may be none.
func TestMainModFile(t *testing.T) {
	m, err := MainModFile(t.Context(), "")
	require.NoError(t, err)
	require.Equal(t, "github.com/espalier-go/espalier", m.Module.Path)
	require.True(t, m.Requires("github.com/stretchr/testify"))
	require.False(t, m.Requires("example.com/n"))

	t.Chdir(t.TempDir())
	t.Setenv("GOFLAGS", "")
	m, err = MainModFile(t.Context(), "")
	require.NoError(t, err)
	require.Empty(t, m.File)
}
