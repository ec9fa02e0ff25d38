package interleave

import (
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

// A program is what is compiled with points: packages and their tests.
type program struct {
	fset  *token.FileSet
	units []*unit
	notes []string // about what has no points

	copies  map[module]string // directories of copies of modules in the module cache
	mutable map[string]bool   // fields that are assigned to, by where they are declared
}

func newProgram() *program {
	return &program{fset: token.NewFileSet(), copies: map[module]string{}, mutable: map[string]bool{}}
}

// A unit is a package as it is compiled for tests: with those within, or that of the tests outside.
type unit struct {
	path   string
	cached *module // in the module cache that has it; or nil
	files  []*ast.File
	texts  map[*ast.File][]byte
	info   *types.Info

	captured, changed map[types.Object]bool // variables: by function literals; after their declaration
}

// listed is what go list says of a package.
type listed struct {
	ImportPath, Name, Dir, Export, ForTest string
	GoFiles, CgoFiles, SFiles              []string
	ImportMap                              map[string]string
	Standard                               bool
	Module                                 *module
	Error                                  *struct{ Pos, Err string }
}

// A module is one of Go. In the module cache, its GoMod is not in its Dir.
type module struct{ Path, Version, Dir, GoMod, GoVersion string }

// cached reports whether a package is in the module cache.
func (l *listed) cached() bool {
	return l.Module != nil && l.Module.GoMod != "" && filepath.Dir(l.Module.GoMod) != l.Module.Dir
}

// always is a module that gets points wherever it is: its goroutines run code of its users.
const always = "golang.org/x/sync"

// load reads and type-checks the packages that are to have points, as they are compiled for the tests
// of the packages that patterns match.
func load(ctx context.Context, chosen, patterns, flags []string) (*program, error) {
	args := []string{"-e", "-deps", "-test", "-export", "-json=ImportPath,Name,Dir,Export,ForTest,GoFiles,CgoFiles,SFiles,ImportMap,Standard,Module,Error"}
	found, err := gotest.GoList[listed](ctx, slices.Concat(args, flags, []string{"--"}, patterns)...)
	if err != nil {
		return nil, err
	}
	p := newProgram()
	exports := map[string]string{}
	best := map[string]listed{} // by path: with tests, rather than without
	for _, l := range found {
		if l.Error != nil {
			return nil, fmt.Errorf("the package %s does not compile:\n%s", l.ImportPath, strings.TrimSpace(l.Error.Err))
		}
		exports[l.ImportPath] = l.Export
		path, variant, _ := strings.Cut(l.ImportPath, " ")
		own := strings.TrimSuffix(path, "_test")
		if l.Module != nil && l.Module.Path == always && !slices.Contains(chosen, path) {
			chosen = append(chosen, path)
		}
		if l.Standard || !slices.Contains(chosen, path) && !(l.ForTest == own && slices.Contains(chosen, own)) || strings.HasSuffix(path, ".test") {
			continue
		}
		if old, ok := best[path]; !ok || variant != "" && l.ForTest == own && old.ForTest != own {
			best[path] = l
		}
	}
	if exports[pointPath] == "" {
		return nil, fmt.Errorf("no test of these packages imports github.com/espalier-go/espalier/fuzzext: write a test that calls fuzzext.Concurrent")
	}
	for _, l := range found {
		path, _, _ := strings.Cut(l.ImportPath, " ")
		if b, ok := best[path]; !ok || b.ImportPath != l.ImportPath {
			continue
		}
		if err := p.check(l, exports); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// check parses and type-checks a package.
func (p *program) check(l listed, exports map[string]string) error {
	u := &unit{texts: map[*ast.File][]byte{}, info: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Instances: map[*ast.Ident]types.Instance{},
	}}
	u.path, _, _ = strings.Cut(l.ImportPath, " ")
	if l.cached() {
		u.cached = l.Module
	}
	if len(l.CgoFiles) > 0 {
		p.notes = append(p.notes, fmt.Sprintf("%s: %s use cgo, and have no points", u.path, strings.Join(l.CgoFiles, ", ")))
	}
	if len(l.SFiles) > 0 {
		p.notes = append(p.notes, fmt.Sprintf("%s: %s have no points", u.path, strings.Join(l.SFiles, ", ")))
	}
	for _, name := range l.GoFiles {
		path := filepath.Join(l.Dir, name)
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(p.fset, path, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		u.files = append(u.files, f)
		u.texts[f] = text
	}
	lookup := func(path string) (io.ReadCloser, error) {
		if mapped, ok := l.ImportMap[path]; ok {
			path = mapped
		}
		if exports[path] == "" {
			return nil, fmt.Errorf("no export data of %s", path)
		}
		return os.Open(exports[path])
	}
	config := types.Config{
		Importer:    importer.ForCompiler(p.fset, "gc", lookup),
		FakeImportC: true,
		Error:       func(error) {}, // the compiler says it better
	}
	if _, err := config.Check(u.path, p.fset, u.files, u.info); err != nil && len(l.CgoFiles) == 0 {
		return fmt.Errorf("the package %s does not compile, or corpusgen has been built with another Go release: %w", l.ImportPath, err)
	}
	p.units = append(p.units, u)
	return nil
}
