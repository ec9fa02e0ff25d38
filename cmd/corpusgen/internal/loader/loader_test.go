package loader

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A package has the types that the compiler sees, also of files that an overlay replaces.
func TestLoad(t *testing.T) {
	t.Parallel()
	found, err := List(t.Context(), []string{"-deps"}, "path")
	require.NoError(t, err)
	exports := Exports(found)
	fset := token.NewFileSet()
	lookup := Importer(fset, func(path string) string { return exports[path] })

	dir := t.TempDir()
	file, other := filepath.Join(dir, "p.go"), filepath.Join(dir, "other.go")
	require.NoError(t, os.WriteFile(file, []byte("package p\n"), 0o666))
	text := []byte("package p\n\nimport \"path\"\n\nvar base = path.Base\n")
	require.NoError(t, os.WriteFile(other, text, 0o666))
	p := Package{ImportPath: "example.com/p [example.com/p.test]", Dir: dir}
	files, err := p.Parse(fset, []string{"p.go"}, map[string]string{file: other})
	require.NoError(t, err)
	require.Equal(t, string(text), string(files[0].Text))
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}}
	pkg, err := p.Check(fset, files, lookup, info)
	require.NoError(t, err)
	require.Equal(t, "example.com/p", pkg.Path())
	require.Equal(t, "func(path string) string", pkg.Scope().Lookup("base").Type().String())

	none := Importer(fset, func(string) string { return "" })
	_, err = p.Check(fset, files, none, info)
	require.ErrorContains(t, err, "no export data of path")
}

// A file of an older module may begin with a byte order mark. What is edited compiles, and its lines
// stay where they were.
func TestByteOrderMark(t *testing.T) {
	t.Parallel()
	for _, constraint := range []string{"", "//go:build linux || !linux\n\n"} {
		dir := t.TempDir()
		text := "\ufeff" + constraint + "package p\n\nvar a, b = 1, 2\n"
		require.NoError(t, os.WriteFile(filepath.Join(dir, "p.go"), []byte(text), 0o666))
		p, fset := Package{Dir: dir}, token.NewFileSet()
		files, err := p.Parse(fset, []string{"p.go"}, nil)
		require.NoError(t, err)
		f := files[0]
		at := fset.Position(f.Syntax.Decls[0].Pos())
		require.Equal(t, "var a, b", string(f.Text[at.Offset:at.Offset+8]))

		edited := Upgrade(fset, f, f.Text)
		syntax, err := parser.ParseFile(fset, "edited.go", edited, parser.ParseComments)
		require.NoError(t, err)
		require.Equal(t, at.Line, fset.Position(syntax.Decls[0].Pos()).Line)
		require.Equal(t, Oldest, syntax.GoVersion)
	}
}

func TestErr(t *testing.T) {
	t.Parallel()
	found, err := List(t.Context(), nil, "path", "example.com/does/not/exist")
	require.NoError(t, err)
	require.Len(t, found, 2)
	missing := map[string]bool{}
	for _, p := range found {
		missing[p.Path()] = p.Err() != ""
	}
	require.Equal(t, map[string]bool{"path": false, "example.com/does/not/exist": true}, missing)
	require.Len(t, Exports(found), 1)
}

func TestCached(t *testing.T) {
	t.Parallel()
	for want, m := range map[bool]*Module{
		false: {Dir: filepath.FromSlash("/src/m"), GoMod: filepath.FromSlash("/src/m/go.mod")},
		true: {Version: "v1.0.0", Dir: filepath.FromSlash("/cache/m@v1.0.0"),
			GoMod: filepath.FromSlash("/cache/download/m/@v/v1.0.0.mod")},
	} {
		require.Equal(t, want, (&Package{Module: m}).Cached())
	}
	require.False(t, (&Package{}).Cached())
	modfile := Module{Dir: filepath.FromSlash("/src/m"), GoMod: filepath.FromSlash("/other/go.mod")}
	require.False(t, (&Package{Module: &modfile}).Cached())
}
