package engine

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What a comparison of integers calls does not let the stack grow: it is compiled into the
// conditions of range loops, which have the address of an element of the stack in an integer.
func TestNumberKeepsStack(t *testing.T) {
	declared := map[string]*ast.FuncDecl{}
	for _, name := range []string{"trace.go", "nearest.go"} {
		b, err := Sources.ReadFile(name)
		require.NoError(t, err)
		file, err := parser.ParseFile(token.NewFileSet(), name, b, parser.ParseComments)
		require.NoError(t, err)
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil {
				typ := fn.Recv.List[0].Type.(*ast.StarExpr).X.(*ast.Ident).Name
				declared[typ+"."+fn.Name.Name] = fn
			}
		}
	}
	// functions of the standard library that become instructions, and conversions
	leaves := []string{"Load", "Store", "Add", "Len64", "uint", "uint32", "uint64", "int64",
		"NumberComparison"}
	for name, calls := range map[string][]string{
		"Trace.Number":   {"Nearest.Number", "Trace.record"},
		"Trace.record":   nil,
		"Nearest.Number": {"Nearest.note"},
		"Nearest.note":   nil,
	} {
		fn := declared[name]
		require.NotNil(t, fn, name)
		require.Contains(t, fn.Doc.List[len(fn.Doc.List)-1].Text, "//go:nosplit", name)
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			called := ""
			switch f := call.Fun.(type) {
			case *ast.Ident:
				called = f.Name
			case *ast.SelectorExpr:
				called = f.Sel.Name
			}
			for _, c := range calls {
				if strings.HasSuffix(c, "."+called) {
					return true
				}
			}
			require.Contains(t, leaves, called, name)
			return true
		})
	}
}
