package gotest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
)

// failing are the methods of testing.T that print a place, but for those that only log, and packages
// whose functions call them.
var failing = map[string]bool{"Error": true, "Errorf": true, "Fatal": true, "Fatalf": true,
	"Skip": true, "Skipf": true, "assert": true, "require": true}

// Logs returns the places, as FILE:LINE, at which the tests of a package call Log or Logf, and nothing
// that may fail there.
func (p *Package) Logs() []string {
	logs, fails := map[string]bool{}, map[string]bool{}
	paths, _ := filepath.Glob(filepath.Join(p.Dir, "*_test.go")) // the pattern is right
	for _, path := range paths {
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
				at := fmt.Sprintf("%s:%d", filepath.Base(path), files.Position(sel.Sel.Pos()).Line)
				of, _ := sel.X.(*ast.Ident)
				switch name := sel.Sel.Name; {
				case name == "Log" || name == "Logf":
					logs[at] = true
				case failing[name], of != nil && failing[of.Name]:
					fails[at] = true
				}
			}
			return true
		})
	}
	for at := range fails {
		delete(logs, at)
	}
	return slices.Sorted(maps.Keys(logs))
}
