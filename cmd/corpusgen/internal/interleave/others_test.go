package interleave

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/loader"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// The programs with which Go tests its type checker, gofmt and its compiler still type-check with
// points. What a program has wrong on purpose is removed first, declaration by declaration.
func TestOthersCheck(t *testing.T) {
	t.Parallel()
	root, std := goRoot(t)
	for _, suite := range []struct {
		name  string
		globs []string // below GOROOT
		least int      // how many programs must get points
	}{
		{"types", []string{"src/internal/types/testdata/*/*.go"}, 15},
		{"gofmt", []string{"src/cmd/gofmt/testdata/*.golden", "src/cmd/gofmt/testdata/*.input"}, 0},
		{"compiler", []string{"test/*.go", "test/*/*.go"}, 700},
	} {
		t.Run(suite.name, func(t *testing.T) {
			t.Parallel()
			programs := readForeignFiles(root, std, suite.globs...)
			if len(programs) == 0 {
				t.Skipf("%s has no %s: a toolchain of the module cache has no tests", root, suite.globs)
			}
			programs = some(programs, long.Count(100, len(programs)))
			exports := exportsFor(t, programs)
			kept, points := 0, 0
			for _, f := range programs {
				if !f.mend(exports) {
					continue
				}
				kept++
				text, ok, err := rewriteOne(f.text, exports)
				if !ok && err == nil {
					continue
				}
				points++
				if err == nil {
					err = checkOne(f.name, text, exports)
				}
				if err != nil {
					t.Errorf("%s: %v", f.name, err)
				}
			}
			t.Logf("%d of %d programs type-check, %d get points", kept, len(programs), points)
			if long.Enabled() {
				require.GreaterOrEqual(t, points, suite.least)
			}
		})
	}
}

// goRoot returns where the toolchain is, and which packages programs may import.
func goRoot(t *testing.T) (root string, std map[string]bool) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	root = strings.TrimSpace(string(out))
	out, err = exec.Command("go", "list", "std").Output()
	require.NoError(t, err)
	std = map[string]bool{"unsafe": true}
	for _, path := range strings.Fields(string(out)) {
		std[path] = !strings.Contains(path, "internal") && !strings.HasPrefix(path, "vendor/")
	}
	return root, std
}

// some returns about n of the programs, which are evenly spread.
func some(programs []*foreign, n int) (kept []*foreign) {
	for i := 0; i < len(programs); i += max(1, len(programs)/n) {
		kept = append(kept, programs[i])
	}
	return kept
}

// A foreign program is one file that others wrote.
type foreign struct {
	name    string
	text    []byte
	imports []string
}

// readForeignFiles reads the programs of files below root.
func readForeignFiles(root string, std map[string]bool, globs ...string) (programs []*foreign) {
	for _, glob := range globs {
		files, _ := filepath.Glob(filepath.Join(root, filepath.FromSlash(glob)))
		for _, file := range files {
			if f, ok := readForeign(file, std); ok {
				programs = append(programs, f)
			}
		}
	}
	return programs
}

// readForeign reads a program. It reports false if the file does not parse, is for another language
// version, or is one of several files of a package.
func readForeign(name string, std map[string]bool) (*foreign, bool) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, false
	}
	if several.Match(text) {
		return nil, false
	}
	syntax, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
	if err != nil {
		return nil, false
	}
	f := &foreign{name: name, text: text}
	for _, spec := range syntax.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil || !std[path] {
			return nil, false
		}
		f.imports = append(f.imports, path)
	}
	return f, true
}

// several matches what says that a file needs other files or flags.
var several = regexp.MustCompile(
	`(?m)\A// *-|^// (errorcheckdir|compiledir|rundir|builddir|runindir)`)

// exportsFor returns the export data of what programs import. What does not exist is left out.
func exportsFor(t *testing.T, programs []*foreign) map[string]string {
	paths := []string{pointPath}
	for _, f := range programs {
		paths = append(paths, f.imports...)
	}
	slices.Sort(paths)
	paths = slices.DeleteFunc(slices.Compact(paths), func(p string) bool { return p == "unsafe" })
	found, err := loader.List(t.Context(), []string{"-deps"}, paths...)
	require.NoError(t, err)
	return loader.Exports(found)
}

// mend removes the declarations with errors, until there are none. It reports false if there is
// nothing left, or if the file does not parse.
func (f *foreign) mend(exports map[string]string) bool {
	for range 20 {
		fset := token.NewFileSet()
		syntax, err := parser.ParseFile(fset, f.name, f.text,
			parser.ParseComments|parser.SkipObjectResolution)
		if err != nil || len(syntax.Decls) == 0 {
			return false
		}
		var wrong []token.Pos
		config := types.Config{
			Importer: loader.Importer(fset, func(path string) string { return exports[path] }),
			Error:    func(err error) { wrong = append(wrong, err.(types.Error).Pos) },
		}
		config.Check("p", fset, []*ast.File{syntax}, nil)
		if len(wrong) == 0 {
			return true
		}
		blank := func(from, to token.Pos) {
			for i := fset.PositionFor(from, false).Offset; i < fset.PositionFor(to, false).Offset; i++ {
				if f.text[i] != '\n' {
					f.text[i] = ' '
				}
			}
		}
		f.text = slices.Clone(f.text)
		removed := false
		for _, pos := range wrong {
			for _, d := range syntax.Decls {
				if d.Pos() <= pos && pos <= d.End() {
					blank(partAt(d, pos))
					removed = true
				}
			}
		}
		if !removed {
			return false
		}
	}
	return false
}

// partAt returns the part of a declaration that can be removed: one specification of several, or
// all of it.
func partAt(d ast.Decl, pos token.Pos) (from, to token.Pos) {
	if g, ok := d.(*ast.GenDecl); ok && g.Lparen.IsValid() && g.Tok != token.CONST {
		for _, spec := range g.Specs {
			if spec.Pos() <= pos && pos <= spec.End() {
				return spec.Pos(), spec.End()
			}
		}
	}
	return d.Pos(), d.End()
}

// rewriteOne returns the text of a package of one file with points. It reports false if there are
// none.
func rewriteOne(text []byte, exports map[string]string) (_ []byte, ok bool, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("rewriting panics: %v", v)
		}
	}()
	dir, err := os.MkdirTemp("", "rewrite-*")
	if err != nil {
		return nil, false, err
	}
	defer os.RemoveAll(dir)
	const file = "p.go"
	if err := os.WriteFile(filepath.Join(dir, file), text, 0o666); err != nil {
		return nil, false, err
	}
	p := newProgram()
	l := loader.Package{ImportPath: "p", Dir: dir, GoFiles: []string{file}}
	if err := p.check(l, exports); err != nil {
		return nil, false, err
	}
	texts := withPoints(p)
	if len(p.notes) > 0 {
		err = errors.New(p.notes[0])
	}
	got, ok := texts[&p.units[0].files[0]]
	return got, ok, err
}

// withPoints returns the files of the only package of a program that have points.
func withPoints(p *program) map[*loader.File][]byte {
	p.findShared()
	return p.rewritten(p.units[0])
}

// checkOne type-checks a package of one file.
func checkOne(name string, text []byte, exports map[string]string) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("type-checking panics: %v", v)
		}
	}()
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	config := types.Config{
		Importer: loader.Importer(fset, func(path string) string { return exports[path] }),
	}
	_, err = config.Check("p", fset, []*ast.File{syntax}, nil)
	return err
}
