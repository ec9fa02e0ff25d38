package gotest

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestKept(t *testing.T) {
	kept, binary := Kept(filepath.Join(t.TempDir(), "kept")), filepath.Join(t.TempDir(), "a.test")
	pkg, flags := Package{Path: "m/a", Dir: "/m/a"}, []string{"-race"}

	kept.Restore(binary, pkg, flags)
	require.NoFileExists(t, binary)
	require.NoError(t, kept.Keep(binary, pkg, flags), "the package did not build")

	for _, text := range []string{"one", "another"} {
		require.NoError(t, os.WriteFile(binary, []byte(text), 0o777))
		require.NoError(t, kept.Keep(binary, pkg, flags))
		require.NoError(t, os.Remove(binary))
		kept.Restore(binary, pkg, flags)
		data, err := os.ReadFile(binary)
		require.NoError(t, err)
		require.Equal(t, text, string(data))
	}

	other := filepath.Join(t.TempDir(), "b.test")
	kept.Restore(other, pkg, nil)
	kept.Restore(other, Package{Path: "m/a", Dir: "/n/a"}, flags)
	require.NoFileExists(t, other, "of other flags, or of another copy of the module")
}

func TestKeptUnused(t *testing.T) {
	kept, binary := Kept(filepath.Join(t.TempDir(), "kept")), filepath.Join(t.TempDir(), "a.test")
	require.NoError(t, os.WriteFile(binary, []byte("binary"), 0o777))
	pkgs := []Package{{Path: "old"}, {Path: "used"}, {Path: "new"}}
	for _, pkg := range pkgs[:2] {
		require.NoError(t, kept.Keep(binary, pkg, nil))
		past := time.Now().Add(-2 * unused)
		require.NoError(t, os.Chtimes(kept.file(pkg, nil), past, past))
	}
	kept.Restore(binary, pkgs[1], nil)
	require.NoError(t, kept.Keep(binary, pkgs[2], nil))
	require.NoFileExists(t, kept.file(pkgs[0], nil))
	require.FileExists(t, kept.file(pkgs[1], nil))
	require.FileExists(t, kept.file(pkgs[2], nil))
}
