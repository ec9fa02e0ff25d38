package apitest

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/apigen"
	"github.com/stretchr/testify/require"
)

// A process has copies of the files that tests may read. A large one does not keep others out.
func TestWorkDir(t *testing.T) {
	module := t.TempDir()
	dir := filepath.Join(module, "a", "b")
	for name, size := range map[string]int{"testdata/1": maxCopied + 1, "testdata/2/x": 7, "testdata/fuzz/FuzzX/1": 1, "key": 5} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, make([]byte, size), 0o666))
	}
	g := &generation{pkg: &apigen.Package{Dir: dir, ModuleDir: module}, apiRun: &apiRun{tmp: t.TempDir()}}
	root, dir, err := g.workDir()
	require.NoError(t, err)
	require.Equal(t, filepath.Join(root, "dir", "a", "b"), dir)
	var found []string
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if !d.IsDir() {
			rel, _ := filepath.Rel(dir, path)
			found = append(found, filepath.ToSlash(rel))
		}
		return err
	}))
	require.Equal(t, "key testdata/2/x", strings.Join(found, " "))
}
