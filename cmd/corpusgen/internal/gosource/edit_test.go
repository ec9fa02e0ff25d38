package gosource

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"

	"github.com/stretchr/testify/require"
)

// Edits around nodes that begin or end at one place are nested as the nodes are.
func TestNesting(t *testing.T) {
	const source = "package p\n\nvar x = a + b*c"
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", source, 0)
	require.NoError(t, err)
	text := NewText(fset, []byte(source))
	require.False(t, text.Edited())
	var product ast.Node
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			text.Around(n, "(", ")")
			product = n
		case *ast.Ident:
			if n.Name != "p" && n.Name != "x" {
				text.Around(n, "<", ">")
			}
		}
		return true
	})
	require.True(t, text.Edited())
	require.Equal(t, "package p\n\nvar x = (<a> + (<b>*<c>))", text.Render(0, text.Len()))
	require.Equal(t, "b*c", text.Of(product))
	inner := text.Inner()
	inner.Replace(product.Pos(), product.End(), "d")
	require.Equal(t, "package p\n\nvar x = a + d", inner.Render(0, inner.Len()))
}
