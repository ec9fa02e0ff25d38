package gosource

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Shared returns the variables of a file that calls may change, since function literals use them or
// their address may be taken, and of these those whose address may be taken.
func Shared(info *types.Info, file *ast.File) (shared, addressed map[types.Object]bool) {
	shared, addressed = map[types.Object]bool{}, map[types.Object]bool{}
	address := func(x ast.Expr) {
		if id := root(x); id != nil {
			shared[info.Uses[id]], addressed[info.Uses[id]] = true, true
		}
	}
	ast.PreorderStack(file, nil, func(n ast.Node, stack []ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				address(n.X)
			}
		case *ast.SliceExpr:
			address(n.X)
		case *ast.SelectorExpr:
			if s := info.Selections[n]; s != nil && s.Kind() == types.MethodVal {
				address(n.X)
			}
		case *ast.Ident:
			obj, ok := info.Uses[n].(*types.Var)
			for _, around := range stack {
				lit, is := around.(*ast.FuncLit)
				if ok && is && (obj.Pos() < lit.Pos() || obj.Pos() > lit.End()) {
					shared[obj] = true
				}
			}
		}
		return true
	})
	return shared, addressed
}

// root returns the variable that holds what an expression denotes, or nil.
func root(x ast.Expr) *ast.Ident {
	for {
		switch y := x.(type) {
		case *ast.ParenExpr:
			x = y.X
		case *ast.SelectorExpr:
			x = y.X
		case *ast.IndexExpr:
			x = y.X
		case *ast.Ident:
			return y
		default:
			return nil
		}
	}
}
