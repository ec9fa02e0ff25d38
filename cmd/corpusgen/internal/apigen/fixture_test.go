package apigen

import (
	"fmt"
	"go/ast"
	"go/parser"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
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

// Fixtures are what tests name and what stands beside the package, but nothing of other packages or
// modules.
func TestFixtures(t *testing.T) {
	p := packageOf(t, "", "")
	fixtureDir(t, p, "a/b", map[string]string{
		"p_test.go": "package p\nvar names = []string{\"./data/x.txt\", \"key\", \"../beside\", \"../../top.txt\", \"../../../beyond\", \"..\", \"/etc\", \"p.go\", \"nested/x\", \"\\x00\", \"other\"}",
		"README":    "1", "key": "22", "p.go": "package p",
		"data/deep/x.txt": "1", "data/x.go": "1", "data/.git/x": "1", "data/vendor/x": "1", "data/module/go.mod": "module m", "data/module/x": "1",
		"testdata/a.go": "1", "testdata/module/go.mod": "module m", "testdata/.x/y": "1", "testdata/fuzz/FuzzX/1": "1",
		"docs/x":      "1",
		"../beside/x": "1", "../../top.txt": "1", "../unnamed": "1", "../../../beyond": "1",
	})
	var found, told []string
	for _, f := range p.Fixtures() {
		found = append(found, f.Path)
		if f.told {
			told = append(told, f.Path)
		}
	}
	require.Equal(t, "testdata/.x/y testdata/a.go testdata/fuzz/FuzzX/1 testdata/module/go.mod ../../top.txt ../beside/x data/deep/x.txt key", strings.Join(told, " "))
	require.Equal(t, "README p.go p_test.go", strings.Join(found[len(told):], " "))
}

// Of many files, some of each kind are chosen, of all sizes.
func TestFileSizes(t *testing.T) {
	p := packageOf(t, "", `func Open(name string) {}`)
	files := map[string]string{"p_test.go": "package p", "testdata/long.txt": "text text text text"}
	for size := 1; size <= 9; size++ {
		files[fmt.Sprintf("testdata/%d.xml", size)] = strings.Repeat("<", size)
	}
	fixtureDir(t, p, ".", files)
	e := newEnum(p, Options{})
	require.Equal(t, []string{`"testdata/1.xml"`, `"testdata/long.txt"`, `"testdata/4.xml"`, `"testdata/7.xml"`}, e.fileNames(6, maxTestFile))
	require.Len(t, e.fileNames(1, maxTestFile), 1)
	require.Len(t, e.fileNames(maxNames*4, maxTestFile), 10)
}

// Names of files are texts, and small files have contents, those of different kinds first. A
// harness elsewhere has none.
func TestFileArguments(t *testing.T) {
	p := packageOf(t, `import ("io"; "io/fs")`, `func Open(name string) {}
		func Parse(data []byte) {}
		func ReadAt(r io.ReaderAt) {}
		func Walk(f fs.FS) {}`)
	fixtureDir(t, p, ".", map[string]string{
		"p_test.go":      "package p",
		"README":         "not named",
		"testdata/1.gif": "333", "testdata/2.gif": "22", "testdata/large.png": strings.Repeat("1", maxTestFile+1), "testdata/small.zip": "4444", "testdata/empty.bin": "",
		"testdata/fuzz/FuzzX/a": "1",
	})
	e := newEnum(p, Options{})
	require.Equal(t, `"testdata/2.gif" "testdata/small.zip" "testdata/large.png" "testdata/1.gif"`, strings.Join(e.fileNames(maxNames, maxTestFile+1), " "))
	require.Equal(t, []string{"testdata/2.gif", "testdata/small.zip", "testdata/large.png", "testdata/1.gif"}, e.texts[4:8])
	var exprs, ops []string
	for _, k := range e.kinds {
		exprs = append(exprs, k.exprs...)
	}
	for _, o := range e.ops {
		ops = append(ops, o.name)
	}
	all := strings.Join(exprs, "\n")
	require.Contains(t, all, `func() []byte { data, _ := os.ReadFile("testdata/small.zip"); return data }()`)
	require.Contains(t, all, `fstest.MapFS{"testdata/2.gif": {Data: func() []byte {`)
	require.NotContains(t, all, "large.png")
	require.Contains(t, strings.Join(ops, " "), "bytes.NewReader")

	away := newEnum(p, Options{Away: true})
	require.NotContains(t, away.texts, "testdata/2.gif")
	require.NotContains(t, away.body(), "os.")
}
