package apigen

import (
	"go/ast"
	"go/parser"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/internal/testing/require"
)

// fixtureDir gives a package a directory in a module, with files.
func fixtureDir(t *testing.T, p *Package, dir string, files map[string]string) {
	t.Helper()
	p.ModuleDir = t.TempDir()
	p.Dir = filepath.Join(p.ModuleDir, dir)
	for name, text := range files {
		path := filepath.Join(p.Dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	f, err := parser.ParseFile(p.fset, "p_test.go", files["p_test.go"], 0)
	require.NoError(t, err)
	p.tests = []*ast.File{f}
}

// Fixtures are what tests name and what stands beside the package, but nothing of other packages or modules.
func TestFixtures(t *testing.T) {
	p := packageOf(t, "", "")
	fixtureDir(t, p, "a/b", map[string]string{
		"p_test.go": "package p\nvar names = []string{\"./data/x.txt\", \"key\", \"../shared\", \"../../top.txt\", \"../../../beyond\", \"..\", \"/etc\", \"p.go\", \"nested/x\", \"\\x00\", \"other\"}",
		"README":    "1", "key": "22", "p.go": "package p",
		"data/deep/x.txt": "1", "data/x.go": "1", "data/.git/x": "1", "data/vendor/x": "1", "data/module/go.mod": "module m", "data/module/x": "1",
		"testdata/a.go": "1", "testdata/module/go.mod": "module m", "testdata/.x/y": "1", "testdata/fuzz/FuzzX/1": "1",
		"docs/x":      "1",
		"../shared/x": "1", "../../top.txt": "1", "../unnamed": "1", "../../../beyond": "1",
	})
	var found, told []string
	for _, f := range p.Fixtures() {
		found = append(found, f.Path)
		if f.told {
			told = append(told, f.Path)
		}
	}
	require.Equal(t, "testdata/.x/y testdata/a.go testdata/fuzz/FuzzX/1 testdata/module/go.mod ../../top.txt ../shared/x data/deep/x.txt key", strings.Join(told, " "))
	require.Equal(t, "README p.go p_test.go", strings.Join(found[len(told):], " "))
}
