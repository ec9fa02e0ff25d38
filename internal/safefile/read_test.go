package safefile_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/espalier-go/espalier/internal/safefile"
	"github.com/stretchr/testify/require"
)

func TestRead(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	require.NoError(t, os.WriteFile(file, []byte("four"), 0o666))
	if err := os.Symlink("file", link); err != nil {
		t.Skip(err)
	}
	for path, read := range map[string]func(string, int64) ([]byte, error){
		file: safefile.ReadEntry,
		link: safefile.Read,
	} {
		b, err := read(path, 4)
		require.NoError(t, err)
		require.Equal(t, "four", string(b))
		require.NoError(t, safefile.Check(path, 4))
		_, err = read(path, 3)
		require.ErrorContains(t, err, path+" has 4 bytes: at most 3 are read")
		require.ErrorContains(t, safefile.Check(path, 3), "has 4 bytes")
	}
	_, err := safefile.ReadEntry(link, 4)
	require.ErrorContains(t, err, link+" is a link: put a copy of the file in its place")
	_, err = safefile.Read(dir, 4)
	require.ErrorContains(t, err, "is a directory")
	_, err = safefile.Read(filepath.Join(dir, "none"), 4)
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestBelow(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, "a", "b"), 0o777))
	require.NoError(t, safefile.Below(root, filepath.Join(root, "a", "b", "none")))
	require.ErrorContains(t, safefile.Below(root, filepath.Dir(root)), "is outside of")
	if err := os.Symlink("..", filepath.Join(root, "a", "link")); err != nil {
		t.Skip(err)
	}
	require.ErrorContains(t, safefile.Below(root, filepath.Join(root, "a", "link", "b")),
		filepath.Join("a", "link")+" is a link: put a directory in its place")
}

func TestQuoted(t *testing.T) {
	for path, want := range map[string]string{
		"a/b":          "a/b",
		`a\b`:          `a\b`,
		"é 世":          "é 世",
		"\x1b[31mred":  `"\x1b[31mred"`,
		"two\nlines":   `"two\nlines"`,
		"not \xff UTF": `"not \xff UTF"`,
	} {
		require.Equal(t, want, safefile.Quoted(path))
	}
}

// Below the working directory, no part of the path of an output is a link. Elsewhere, only the
// output itself must not be one.
func TestNoLinks(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.MkdirAll(filepath.Join("work", "dir"), 0o777))
	if err := os.Symlink("dir", filepath.Join("work", "link")); err != nil {
		t.Skip(err)
	}
	t.Chdir("work")
	here, err := os.Getwd()
	require.NoError(t, err)
	for _, dir := range []string{".", "dir", "none", filepath.Join("dir", "none"), "..",
		filepath.Join("..", "work"), here, filepath.Dir(here)} {
		require.NoError(t, safefile.NoLinks(dir))
	}
	for _, dir := range []string{"link", filepath.Join("link", "none"),
		filepath.Join("..", "work", "link", "none"), filepath.Join(here, "link", "none")} {
		require.ErrorContains(t, safefile.NoLinks(dir), "link is a link: put a directory in its place")
	}
	t.Chdir("dir")
	require.NoError(t, safefile.NoLinks(filepath.Join(here, "link", "none")))
	require.ErrorContains(t, safefile.NoLinks(filepath.Join(here, "link")),
		"link is a link: put a directory in its place")
}
