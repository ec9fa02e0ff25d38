package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// The guide has a page for each chapter, in its order, and no dead link.
func TestGuide(t *testing.T) {
	out := filepath.Join(t.TempDir(), "site")
	docs := filepath.Join("..", "..", "docs")
	require.NoError(t, run(docs, out))
	chapters, err := filepath.Glob(filepath.Join(docs, "*.md"))
	require.NoError(t, err)
	pages, err := filepath.Glob(filepath.Join(out, "*.html"))
	require.NoError(t, err)
	require.Len(t, pages, len(chapters))
	index, err := os.ReadFile(filepath.Join(out, "index.html"))
	require.NoError(t, err)
	require.Contains(t, string(index), `<li><a href="generators.html">Generators</a></li>`)
	require.FileExists(t, filepath.Join(out, "llms.txt"))
	require.ErrorContains(t, run(docs, out), "is not empty")
}

func TestLinks(t *testing.T) {
	const index = "# Guide\n\n[a](a.md), [above](../x/y.go#L1), [web](https://example.com/b.md)," +
		" [file](some/file.txt)\n"
	for text, want := range map[string]string{
		"# A\n\n[guide](README.md), [there](#an-a-b)\n\n## An `A`, b\n": "",
		"# A\n\n[none](b.md)\n":           "a.md: the link b.md leads nowhere: there is no b.md",
		"# A\n\n[none](README.md#none)\n": "README.md has no such heading",
		"# A\n\n[none](#guide)\n":         "a.md has no such heading",
	} {
		dir := t.TempDir()
		require.NoError(t, write(filepath.Join(dir, "README.md"), []byte(index)))
		require.NoError(t, write(filepath.Join(dir, "some", "file.txt"), nil))
		require.NoError(t, write(filepath.Join(dir, "a.md"), []byte(text)))
		out := filepath.Join(t.TempDir(), "site")
		err := run(dir, out)
		if want != "" {
			require.ErrorContains(t, err, want)
			continue
		}
		require.NoError(t, err)
		page, err := os.ReadFile(filepath.Join(out, "index.html"))
		require.NoError(t, err)
		for _, to := range []string{"a.html", repository + "x/y.go#L1", "https://example.com/b.md",
			"some/file.txt"} {
			require.Contains(t, string(page), `<a href="`+to+`"`)
		}
	}
}
