// Package apigen reads the API of a package and writes a harness that calls it: a Go file
// that declares each function, method and field as an operation of
// [github.com/espalier-go/espalier/bigen/callseq/api].
//
//	pkg, err := apigen.Load(ctx, ".", flags)
//	h := apigen.New(pkg, apigen.Options{})
//	text, err := h.Write(old)
//
// Load reads compiled packages, by go list -export, so that an API has the types that the
// compiler sees. New enumerates what can be called and decides what makes the arguments.
// Write prints the harness, type-checks it, and leaves out operations that do not compile.
package apigen

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/loader"
)

const (
	module    = "github.com/espalier-go/espalier"
	bigenPath = module + "/bigen"
	callsPath = module + "/bigen/callseq"
	apiPath   = module + "/bigen/callseq/api"
	fuzzPath  = module + "/fuzzext"

	linearPath = module + "/bigen/callseq/linear"
)

// helpers are packages of the standard library from which arguments come.
var helpers = []string{
	"bytes", "cmp", "context", "errors", "fmt", "io", "maps", "math", "reflect", "slices", "strings",
	"sync", "testing", "testing/iotest", "time",
}

// A Package is a package whose API is read.
type Package struct {
	Path, Name string
	Dir        string
	Module     string // path; "" for the standard library
	ModuleDir  string

	types *types.Package
	fset  *token.FileSet
	files []*ast.File // without tests, with comments
	// the same with their texts, but for those that use cgo, and these, and all tests
	sources, cgo, testSources []loader.File
	version                   string // of Go, that the module asks for; or ""

	tests  []*ast.File // what literals are also taken from
	lookup types.Importer
	linear bool // its tests can import package linear

	others  map[string]loader.Package  // outside of the standard library, by path
	written map[string]map[string]bool // what writers returns

	fixtures []Fixture

	comments map[string]string // by FILE:LINE
}

// Load reads the package that a pattern names, with build flags such as -tags. If these have an
// -overlay, replaced holds its paths. The error says why the package has no API that a harness
// could call.
func Load(ctx context.Context, pattern string, flags []string, replaced map[string]string) (
	*Package, error,
) {
	if gotest.IsWild(pattern) {
		return nil, fmt.Errorf("%s names any number of packages: name one", pattern)
	}
	found, err := loader.List(ctx, flags, pattern)
	if err != nil {
		return nil, err
	}
	if len(found) != 1 {
		return nil, fmt.Errorf("%s names %d packages: name one", pattern, len(found))
	}
	l := found[0]
	switch {
	case l.ImportPath == "command-line-arguments":
		return nil, fmt.Errorf("%s names a file: name a package", pattern)
	case l.Error != nil:
		return nil, fmt.Errorf("the package %s does not compile, or does not exist:\n%s",
			l.ImportPath, l.Err())
	case l.Name == "main":
		return nil, apiError{l.ImportPath + " is a command, and nothing can import its functions: " +
			"name a package that is not main"}
	}
	p := &Package{Path: l.ImportPath, Name: l.Name, Dir: l.Dir, fset: token.NewFileSet()}
	if l.Module != nil {
		p.Module, p.ModuleDir = l.Module.Path, l.Module.Dir
	}
	if err := p.load(ctx, flags); err != nil {
		return nil, err
	}
	if l.Module != nil && l.Module.GoVersion != "" {
		p.version = "go" + l.Module.GoVersion
	}
	if p.sources, err = l.Parse(p.fset, l.GoFiles, replaced); err != nil {
		return nil, err
	}
	if p.cgo, err = l.Parse(p.fset, l.CgoFiles, replaced); err != nil {
		return nil, err
	}
	for _, f := range slices.Concat(p.sources, p.cgo) {
		p.files = append(p.files, f.Syntax)
	}
	for _, name := range slices.Concat(l.TestGoFiles, l.XTestGoFiles) {
		test, err := l.Parse(p.fset, []string{name}, nil)
		ours := strings.HasPrefix(name, "callseq_")
		if err == nil && !ours && !bytes.HasPrefix(test[0].Text, []byte(Written)) {
			p.tests = append(p.tests, test[0].Syntax)
		}
		if err == nil {
			p.testSources = append(p.testSources, test...)
		}
	}
	return p, nil
}

// load reads the types of the package, and lists its dependencies and what a harness imports.
func (p *Package) load(ctx context.Context, flags []string) error {
	patterns := append([]string{p.Path, bigenPath, apiPath, fuzzPath, linearPath}, helpers...)
	found, err := loader.List(ctx, append(slices.Clip(flags), "-deps"), patterns...)
	if err != nil {
		return err
	}
	exports, missing := loader.Exports(found), ""
	p.others = map[string]loader.Package{}
	for _, l := range found {
		if !l.Standard {
			p.others[l.ImportPath] = l
		}
		switch {
		case l.Error == nil || l.ImportPath == linearPath:
		case strings.HasPrefix(l.ImportPath, module):
			return fmt.Errorf("the tests of %s %w %s, which generated tests need: %s\n%s",
				p.Path, ErrImport, l.ImportPath, goGet(fuzzPath), l.Err())
		case !l.DepOnly:
			return fmt.Errorf("the package %s does not compile:\n%s", l.ImportPath, l.Err())
		default:
			missing = cmp.Or(missing, l.ImportPath+": "+l.Err())
		}
	}
	if exports[fuzzPath] == "" || exports[apiPath] == "" {
		return fmt.Errorf("the tests of %s %w %s, which generated tests need: %s\n%s",
			p.Path, ErrImport, module, goGet(fuzzPath), missing)
	}
	p.linear = exports[linearPath] != ""
	p.lookup = loader.Importer(p.fset, func(path string) string {
		if exports[path] == "" { // only a value of the standard library needs it
			if more, err := loader.List(ctx, flags, path); err == nil && len(more) == 1 {
				exports[path] = more[0].Export
			}
		}
		return exports[path]
	})
	if p.types, err = p.lookup.Import(p.Path); err != nil && missing != "" {
		return fmt.Errorf("the package %s does not compile:\n%s", p.Path, missing)
	} else if err != nil {
		return fmt.Errorf("reading the types of %s: %w "+
			"(build corpusgen with the Go release that builds the package)", p.Path, err)
	}
	return nil
}

// ErrImport says that tests of a package cannot import the library.
var ErrImport = errors.New("cannot import")

// goGet says how the module of a package gets another one.
func goGet(path string) string {
	return "run go get " + path + " in its module, with @v0.0.0 if its go.mod replaces " + module
}

// TestNames returns the names of the tests that the package has.
func (p *Package) TestNames() map[string]bool {
	names := map[string]bool{"TestCalls": true, "TestAPICalls": true}
	for _, f := range p.tests {
		for _, name := range declaredNames(f) {
			names[name] = true
		}
	}
	return names
}

// declares reports whether a test outside of the package declares a name.
func (p *Package) declares(name string) bool {
	return slices.ContainsFunc(p.tests, func(f *ast.File) bool {
		return f.Name.Name == p.Name+"_test" && slices.Contains(declaredNames(f), name)
	})
}

// declaredNames returns the names that a file declares, without methods.
func declaredNames(f *ast.File) (names []string) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				names = append(names, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					names = append(names, s.Name.Name)
				case *ast.ValueSpec:
					for _, id := range s.Names {
						names = append(names, id.Name)
					}
				}
			}
		}
	}
	return names
}

// std returns a package, such as one of the standard library, or nil.
func (p *Package) std(path string) *types.Package {
	found, err := p.lookup.Import(path)
	if err != nil {
		return nil
	}
	return found
}

// comment returns the comment of the type, function or method that is declared at a place, which
// may be of another file set.
func (p *Package) comment(pos token.Pos) string {
	if p.comments == nil {
		p.comments = map[string]string{}
		for _, f := range p.files {
			ast.Inspect(f, p.addComment)
		}
	}
	return p.comments[p.line(pos)]
}

// addComment adds the comments of what a node declares.
func (p *Package) addComment(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncDecl:
		p.comments[p.line(n.Name.Pos())] = n.Doc.Text()
	case *ast.InterfaceType:
		for _, m := range n.Methods.List {
			p.comments[p.line(m.Pos())] = m.Doc.Text()
		}
	case *ast.GenDecl:
		for _, s := range n.Specs {
			if s, ok := s.(*ast.TypeSpec); ok {
				p.comments[p.line(s.Name.Pos())] = n.Doc.Text() + s.Doc.Text()
			}
		}
	}
	return true
}

// line returns FILE:LINE of a place.
func (p *Package) line(pos token.Pos) string {
	file, line, _ := p.position(pos)
	return fmt.Sprint(file, ":", line)
}

// position orders what is declared as the source does. Objects of other packages come last.
func (p *Package) position(pos token.Pos) (file string, line, column int) {
	at := p.fset.Position(pos)
	return filepath.Base(at.Filename), at.Line, at.Column
}
