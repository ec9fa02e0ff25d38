package gotest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// targets returns the names of the fuzz targets in test files, by the rules of
// `go test`, or the first error of syntax.
func targets(files []string) ([]string, error) {
	var names []string
	for _, path := range files {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, decl := range file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if ok && isTarget(fn) && !slices.Contains(names, fn.Name.Name) {
				names = append(names, fn.Name.Name)
			}
		}
	}
	return names, nil
}

// isTarget reports whether fn is declared as func FuzzXxx(f *testing.F), where
// Xxx does not begin with a lower-case letter. The testing package may have any
// name, or none.
func isTarget(fn *ast.FuncDecl) bool {
	rest, ok := strings.CutPrefix(fn.Name.Name, "Fuzz")
	if first, _ := utf8.DecodeRuneInString(rest); !ok || unicode.IsLower(first) {
		return false
	}
	if fn.Recv != nil || fn.Type.TypeParams != nil || fn.Type.Results != nil || fn.Type.Params.NumFields() != 1 {
		return false
	}
	ptr, ok := fn.Type.Params.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	switch typ := ptr.X.(type) {
	case *ast.Ident:
		return typ.Name == "F"
	case *ast.SelectorExpr:
		return typ.Sel.Name == "F"
	}
	return false
}
