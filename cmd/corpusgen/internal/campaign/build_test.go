package campaign

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/stretchr/testify/require"
)

// What the engine would read elsewhere, or not finish reading, is named before it runs.
func TestCheckCorpora(t *testing.T) {
	dir := t.TempDir()
	env := &gotest.Env{GOCACHE: filepath.Join(dir, "cache")}
	pkg := gotest.Package{
		Path:    "example.com/user",
		Dir:     filepath.Join(dir, "user"),
		Targets: []string{"FuzzX"},
	}
	seeds, cache := filepath.Join(pkg.Dir, "testdata", "fuzz"),
		filepath.Join(gotest.FuzzCache(env, pkg), "FuzzX")
	for _, corpora := range []string{filepath.Join(seeds, "FuzzX"), cache} {
		_, _, err := corpus.Write(corpora, []byte("x"))
		require.NoError(t, err)
	}
	require.NoError(t, CheckCorpora(env, pkg))

	large := filepath.Join(cache, "large")
	require.NoError(t, os.WriteFile(large, nil, 0o666))
	require.NoError(t, os.Truncate(large, corpus.MaxFile+1))
	require.ErrorContains(t, CheckCorpora(env, pkg), "at most 268435456 are read")
	require.NoError(t, os.Remove(large))
	if err := os.Symlink(cache, filepath.Join(seeds, "FuzzLinked")); err != nil {
		t.Skip(err)
	}
	require.ErrorContains(t, CheckCorpora(env, pkg),
		"FuzzLinked is a link: put a directory in its place")
}
