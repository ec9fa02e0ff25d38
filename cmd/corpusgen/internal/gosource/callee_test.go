package gosource

import (
	"go/ast"
	"go/parser"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCallee(t *testing.T) {
	for source, want := range map[string][2]string{
		"f()":           {"", "f"},
		"f[int](1)":     {"", "f"},
		"p.f()":         {"p", "f"},
		"p.f[int, T]()": {"p", "f"},
		"func() {}()":   {},
		"fs[0]()":       {"", "fs"}, // as a function with a type argument
		"(*f)()":        {},
	} {
		call, err := parser.ParseExpr(source)
		require.NoError(t, err)
		qualifier, name := Callee(call.(*ast.CallExpr))
		require.Equal(t, want[1], name, source)
		if want[0] == "" {
			require.Nil(t, qualifier, source)
		} else {
			require.Equal(t, want[0], qualifier.(*ast.Ident).Name, source)
		}
	}
}
