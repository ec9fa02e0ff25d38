// Package loader reads packages as the compiler sees them: what go list says of them, their files,
// and their types.
//
//	found, err := loader.List(ctx, []string{"-deps"}, "./...")
//	exports := loader.Exports(found)
//	lookup := loader.Importer(fset, func(path string) string { return exports[path] })
//	files, err := found[0].Parse(fset, found[0].GoFiles, nil)
//	pkg, err := found[0].Check(fset, files, lookup, info)
//
// Types of dependencies come from export data, which the go command compiles. So loader must be
// built with the Go release that compiles them.
package loader

import (
	"bytes"
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

// A Package is what go list says of a package.
type Package struct {
	ImportPath, Name, Dir, Export, ForTest string
	GoFiles, CgoFiles, SFiles              []string
	TestGoFiles, XTestGoFiles              []string
	ImportMap                              map[string]string
	DepOnly, Standard                      bool
	Module                                 *Module
	Error                                  *struct{ Pos, Err string }
}

// A Module is a Go module. In the module cache, its GoMod is not in its Dir.
type Module struct{ Path, Version, Dir, GoMod, GoVersion string }

// A File is a file of a package.
type File struct {
	Syntax *ast.File
	Text   []byte
}

// fields are what go list is asked for.
const fields = "ImportPath,Name,Dir,Export,ForTest,GoFiles,CgoFiles,SFiles," +
	"TestGoFiles,XTestGoFiles,ImportMap,DepOnly,Standard,Module,Error"

// List lists the packages that patterns match, with their export data. Flags are build flags, and
// flags of go list such as -deps and -test. A package that does not compile has an Error.
func List(ctx context.Context, flags []string, patterns ...string) ([]Package, error) {
	args := []string{"-e", "-export", "-json=" + fields}
	return gotest.GoList[Package](ctx, slices.Concat(args, flags, []string{"--"}, patterns)...)
}

// Exports returns the files of export data of packages that compile, by import path.
func Exports(packages []Package) map[string]string {
	exports := map[string]string{}
	for _, p := range packages {
		if p.Error == nil {
			exports[p.ImportPath] = p.Export
		}
	}
	return exports
}

// Importer returns packages from their export data. export returns the file for an import path, or
// "" if there is none.
func Importer(fset *token.FileSet, export func(path string) string) types.Importer {
	return importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		file := export(path)
		if file == "" {
			return nil, fmt.Errorf("no export data of %s", path)
		}
		return os.Open(file)
	})
}

// Path returns the import path without the name of a test binary for which go list -test lists the
// package anew.
func (p *Package) Path() string {
	path, _, _ := strings.Cut(p.ImportPath, " ")
	return path
}

// Err returns why the package does not compile, or "".
func (p *Package) Err() string {
	if p.Error == nil {
		return ""
	}
	return strings.TrimSpace(p.Error.Err)
}

// Cached reports whether the package is in the module cache. The main module, which has no version,
// may have its go.mod elsewhere: by the flag -modfile.
func (p *Package) Cached() bool {
	return p.Module != nil && p.Module.Version != "" && p.Module.GoMod != "" &&
		filepath.Dir(p.Module.GoMod) != p.Module.Dir
}

// Parse reads the files of the package that have these names, with comments. overlay has paths of
// files that others replace, as in the flag -overlay of the go command, and the paths of those. Texts
// have no byte order mark, which would be in the middle of a text with something before it.
func (p *Package) Parse(
	fset *token.FileSet, names []string, overlay map[string]string,
) ([]File, error) {
	var files []File
	for _, name := range names {
		path := filepath.Join(p.Dir, name)
		if other, ok := overlay[path]; ok {
			path = other
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		text = bytes.TrimPrefix(text, []byte("\ufeff"))
		f, err := parser.ParseFile(fset, path, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, File{f, text})
	}
	return files, nil
}

// Check type-checks the files of the package, and fills info. The error is short: the compiler says
// it better.
func (p *Package) Check(
	fset *token.FileSet, files []File, lookup types.Importer, info *types.Info,
) (*types.Package, error) {
	var syntax []*ast.File
	for _, f := range files {
		syntax = append(syntax, f.Syntax)
	}
	config := types.Config{Importer: lookup, FakeImportC: true, Error: func(error) {}}
	return config.Check(p.Path(), fset, syntax, info)
}
