package safefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// only checks that a file is the only one in its directory, and what it holds.
func only(t *testing.T, path, data string) {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, data, string(b))
	files, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, files, 1)
}

func TestWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b", "file")
	for _, data := range []string{"first", "second", ""} {
		require.NoError(t, Write(path, []byte(data)))
		only(t, path, data)
	}
	dir := filepath.Join(t.TempDir(), "dir")
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "full"), 0o777))
	require.Error(t, Write(dir, []byte("data")))
	files, err := os.ReadDir(filepath.Dir(dir))
	require.NoError(t, err)
	require.Len(t, files, 1, "and no unfinished file")
}

func TestCreate(t *testing.T) {
	for name, create := range map[string]func(path, dir string, data []byte) error{
		"link": Create,
		"rename": func(path, dir string, data []byte) error {
			tmp, err := unfinished(dir, data, plain)
			require.NoError(t, err)
			defer os.Remove(tmp)
			return renameNew(tmp, path)
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "path")
			require.NoError(t, create(path, filepath.Dir(path), []byte("first")))
			require.ErrorIs(t, create(path, filepath.Dir(path), []byte("second")), fs.ErrExist)
			only(t, path, "first")
		})
	}
}

// An error names the file that could not be written.
func TestErrorNamesFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none", "file")
	require.ErrorContains(t, Create(path, filepath.Dir(path), nil), "open "+path+": ")
}

// Other users may read what is written, as far as the process says. A file that is replaced keeps
// its permissions.
func TestPermissions(t *testing.T) {
	dir := t.TempDir()
	plain, atomic := filepath.Join(dir, "plain"), filepath.Join(dir, "atomic")
	require.NoError(t, os.WriteFile(plain, nil, 0o666))
	require.NoError(t, Write(atomic, nil))
	want, err := os.Stat(plain)
	require.NoError(t, err)
	got, err := os.Stat(atomic)
	require.NoError(t, err)
	require.Equal(t, want.Mode(), got.Mode())
	if runtime.GOOS == "windows" {
		t.Skip("files have no permissions")
	}
	script := filepath.Join(dir, "script")
	for _, write := range []func() error{
		func() error { return CreateProgram(script, dir, nil) },
		func() error { return WriteProgram(script, nil) },
		func() error { return errors.Join(os.Chmod(script, 0o600), WriteProgram(script, nil)) },
	} {
		require.NoError(t, write())
		got, err := os.Stat(script)
		require.NoError(t, err)
		require.Equal(t, want.Mode()|want.Mode()&0o444>>2, got.Mode())
	}
	for _, mode := range []fs.FileMode{0o640, 0o666, 0o755} {
		require.NoError(t, os.Chmod(atomic, mode))
		require.NoError(t, Write(atomic, nil))
		got, err := os.Stat(atomic)
		require.NoError(t, err)
		require.Equal(t, mode, got.Mode())
	}
}

// A file is replaced only if its beginning says that it may be.
func TestReplaceable(t *testing.T) {
	dir := t.TempDir()
	tests := []struct {
		name, content, want string
	}{
		{"own", "<!-- made by x --> mark", ""},
		{"later", "a quote: <!-- made by x --> mark", "exists and is not of this kind"},
		{"unmarked", "<!-- made by x -->", "exists and is not of this kind"},
		{"empty", "", ""},
		{"other", "package main", "exists and is not of this kind"},
	}
	for _, test := range tests {
		path := filepath.Join(dir, test.name)
		require.NoError(t, os.WriteFile(path, []byte(test.content), 0o666))
		err := Replaceable(path, "<!-- made by x", "mark")
		if test.want == "" {
			require.NoError(t, err, test.name)
		} else {
			require.ErrorContains(t, err, test.want)
		}
	}
	require.NoError(t, Replaceable(filepath.Join(dir, "none"), "x"))
	require.ErrorContains(t, Replaceable(dir, "x"), "is not a regular file")

	force := false
	Force = &force
	defer func() { Force = nil }()
	require.ErrorContains(t, Replaceable(filepath.Join(dir, "other"), "x"),
		"name another file, or replace it by -f")
	force = true
	require.NoError(t, Replaceable(filepath.Join(dir, "other"), "x"))
	require.ErrorContains(t, Replaceable(dir, "x"), "is not a regular file")
}
