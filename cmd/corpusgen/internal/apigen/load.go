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
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
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
var helpers = []string{"bytes", "cmp", "context", "errors", "fmt", "io", "maps", "math", "reflect", "slices", "strings", "testing", "testing/iotest", "time"}

// A Package is a package whose API is read.
type Package struct {
	Path, Name string
	Dir        string
	Module     string // path; "" for the standard library
	ModuleDir  string

	types  *types.Package
	fset   *token.FileSet
	files  []*ast.File // without tests, with comments
	tests  []*ast.File // what literals are also taken from
	near   []listed    // the packages of its module on which it depends
	read   []source
	lookup types.Importer
	linear bool // its tests can import package linear

	others  map[string]listed          // packages but of the standard library, by path
	written map[string]map[string]bool // what writers returns

	fixtures []Fixture

	comments map[string]string // by FILE:LINE
}

// listed is what go list says about a package.
type listed struct {
	ImportPath, Name, Dir, Export string
	GoFiles, CgoFiles             []string
	TestGoFiles, XTestGoFiles     []string
	DepOnly, Standard             bool
	Module                        *struct{ Path, Dir string }
	Error                         *struct{ Pos, Err string }
}

// Load reads the package that a pattern names, with build flags such as -tags. If these have an
// -overlay, replaced holds its paths. The error says why the package has no API that a harness
// could call.
func Load(ctx context.Context, pattern string, flags []string, replaced map[string]string) (*Package, error) {
	if gotest.IsWild(pattern) {
		return nil, fmt.Errorf("%s names any number of packages: name one", pattern)
	}
	found, err := list(ctx, flags, pattern)
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
		return nil, fmt.Errorf("the package %s does not compile, or does not exist:\n%s", l.ImportPath, strings.TrimSpace(l.Error.Err))
	case l.Name == "main":
		return nil, fmt.Errorf("%s is a command: nothing can import its functions. Name a package that is not main", l.ImportPath)
	}
	p := &Package{Path: l.ImportPath, Name: l.Name, Dir: l.Dir, fset: token.NewFileSet()}
	if l.Module != nil {
		p.Module, p.ModuleDir = l.Module.Path, l.Module.Dir
	}
	if err := p.load(ctx, flags); err != nil {
		return nil, err
	}
	for _, name := range slices.Concat(l.GoFiles, l.CgoFiles) {
		path := filepath.Join(l.Dir, name)
		if other, ok := replaced[path]; ok {
			path = other
		}
		f, err := parser.ParseFile(p.fset, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		p.files = append(p.files, f)
	}
	for _, name := range slices.Concat(l.TestGoFiles, l.XTestGoFiles) {
		text, _ := os.ReadFile(filepath.Join(l.Dir, name))
		if f, err := parser.ParseFile(p.fset, filepath.Join(l.Dir, name), text, 0); err == nil && !strings.HasPrefix(name, "callseq_") && !bytes.HasPrefix(text, []byte(Written)) {
			p.tests = append(p.tests, f)
		}
	}
	return p, nil
}

// load reads the export data of the package, of its dependencies, and of what a harness imports.
func (p *Package) load(ctx context.Context, flags []string) error {
	found, err := list(ctx, append(slices.Clip(flags), "-deps"), slices.Concat([]string{p.Path, bigenPath, apiPath, fuzzPath, linearPath}, helpers)...)
	if err != nil {
		return err
	}
	exports, missing := map[string]string{}, ""
	p.others = map[string]listed{}
	for _, l := range found {
		if l.Module != nil && l.Module.Path == p.Module && l.ImportPath != p.Path && p.Module != module {
			p.near = append(p.near, l)
		}
		if !l.Standard {
			p.others[l.ImportPath] = l
		}
		switch {
		case l.Error == nil:
			exports[l.ImportPath] = l.Export
		case l.ImportPath == linearPath:
		case strings.HasPrefix(l.ImportPath, module):
			return fmt.Errorf("the tests of %s cannot import %s, which the harness needs: %s\n%s", p.Path, l.ImportPath, goGet(module), strings.TrimSpace(l.Error.Err))
		case !l.DepOnly:
			return fmt.Errorf("the package %s does not compile:\n%s", l.ImportPath, strings.TrimSpace(l.Error.Err))
		default:
			missing = cmp.Or(missing, strings.TrimSpace(l.Error.Err))
		}
	}
	if exports[fuzzPath] == "" || exports[apiPath] == "" {
		return fmt.Errorf("the tests of %s cannot import %s, which the harness needs: %s\n%s", p.Path, module, goGet(fuzzPath), missing)
	}
	p.linear = exports[linearPath] != ""
	p.lookup = importer.ForCompiler(p.fset, "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" { // it is needed for a value of the standard library alone
			if more, err := list(ctx, flags, path); err == nil && len(more) == 1 {
				exports[path] = more[0].Export
			}
		}
		if exports[path] == "" {
			return nil, fmt.Errorf("no export data of %s", path)
		}
		return os.Open(exports[path])
	})
	if p.types, err = p.lookup.Import(p.Path); err != nil {
		return fmt.Errorf("reading the types of %s: %w (build corpusgen with the Go release that the package is built with)", p.Path, err)
	}
	return nil
}

// goGet says how the module of a package gets another one.
func goGet(path string) string {
	return fmt.Sprintf("run go get %s in its module, with @v0.0.0 if its go.mod replaces %s", path, module)
}

// TestNames returns the names of the tests that the package has.
func (p *Package) TestNames() map[string]bool {
	names := map[string]bool{"TestCalls": true, "TestAPICalls": true}
	for _, f := range p.tests {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok {
				names[d.Name.Name] = true
			}
		}
	}
	return names
}

// list runs go list -export.
func list(ctx context.Context, flags []string, patterns ...string) ([]listed, error) {
	args := []string{"-e", "-export", "-json=ImportPath,Name,Dir,Export,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,DepOnly,Standard,Module,Error"}
	return gotest.GoList[listed](ctx, slices.Concat(args, flags, []string{"--"}, patterns)...)
}

// std returns a package of the standard library that the harness may import.
func (p *Package) std(path string) *types.Package {
	found, err := p.lookup.Import(path)
	if err != nil {
		return nil
	}
	return found
}

// comment returns that of the type, function or method that is declared at a place, which may be of
// another file set.
func (p *Package) comment(pos token.Pos) string {
	if p.comments == nil {
		p.comments = map[string]string{}
		for _, f := range p.files {
			ast.Inspect(f, func(n ast.Node) bool {
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
			})
		}
	}
	return p.comments[p.line(pos)]
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

// A source is the files of a package, without tests.
type source struct {
	types *types.Package
	files []*ast.File
}

// sources returns the package, and those of its module on which it depends.
func (p *Package) sources() []source {
	if p.read == nil {
		p.read = []source{{p.types, p.files}}
		for _, l := range p.near {
			if types := p.std(l.ImportPath); types != nil {
				p.read = append(p.read, source{types, p.filesOf(l.ImportPath)})
			}
		}
	}
	return p.read
}
