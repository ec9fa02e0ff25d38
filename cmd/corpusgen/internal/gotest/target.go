package gotest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// readTests sets what a package has in its test files: the fuzz targets, by the rules of `go test`,
// the tests, and whether any explores schedules; or the first error of syntax.
func (p *Package) readTests(files []string) {
	var targets []string
	var tests []Check
	callers := map[string]calls{} // by package name
	for _, path := range files {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			p.Err = err
			return
		}
		pkg := file.Name.Name
		if callers[pkg] == nil {
			callers[pkg] = calls{}
		}
		callers[pkg].read(file)
		p.Schedules = p.Schedules || schedules(file)
		for _, name := range testsOf(file, "Fuzz", "F") {
			if !slices.Contains(targets, name) {
				targets = append(targets, name)
			}
		}
		same := sameTargets(fset, file)
		for _, name := range testsOf(file, "Test", "T") {
			tests = append(tests, Check{Name: name, Package: pkg, Same: same[name]})
		}
	}
	for _, t := range tests {
		if !slices.Contains(targets, t.Target()) {
			t.Calls = callers[t.Package].check(t.Name)
			p.Checks = append(p.Checks, t)
		}
	}
	p.Targets, p.all = targets, slices.Clone(targets)
}

// An Excluded is a fuzz target of a package in a file that is not part of the build.
type Excluded struct{ File, Target string }

// Excluded returns such targets, for a message that says why there are too few.
func (p *Package) Excluded() (found []Excluded) {
	paths, _ := filepath.Glob(filepath.Join(p.Dir, "*_test.go"))
	for _, path := range paths {
		if strings.HasPrefix(filepath.Base(path), "_") || strings.HasPrefix(filepath.Base(path), ".") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		for _, name := range testsOf(file, "Fuzz", "F") {
			if !slices.Contains(p.all, name) {
				found = append(found, Excluded{Short(path), name})
			}
		}
	}
	return found
}

// testsOf returns the names of the functions of a file for which isTest holds.
func testsOf(file *ast.File, prefix, param string) (names []string) {
	for _, decl := range file.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok && isTest(fn, prefix, param) {
			names = append(names, fn.Name.Name)
		}
	}
	return names
}

// isTest reports whether fn is declared as func FuzzXxx(f *testing.F), or TestXxx and T,
// where Xxx does not begin with a lower-case letter. The testing package may have any
// name, or none.
func isTest(fn *ast.FuncDecl, prefix, param string) bool {
	rest, ok := strings.CutPrefix(fn.Name.Name, prefix)
	if first, _ := utf8.DecodeRuneInString(rest); !ok || unicode.IsLower(first) {
		return false
	}
	if fn.Recv != nil || fn.Type.TypeParams != nil || fn.Type.Results != nil ||
		fn.Type.Params.NumFields() != 1 {
		return false
	}
	ptr, ok := fn.Type.Params.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	switch typ := ptr.X.(type) {
	case *ast.Ident:
		return typ.Name == param
	case *ast.SelectorExpr:
		return typ.Sel.Name == param
	}
	return false
}
