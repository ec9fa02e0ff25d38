package gosource

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// Exact reports whether a new variable that an expression is assigned to has the type that the
// expression has now: it is not a constant, and its type does not come from what it is used for.
func Exact(info *types.Info, e ast.Expr) bool {
	tv := info.Types[e]
	if _, many := tv.Type.(*types.Tuple); many || !tv.IsValue() || tv.Value != nil || tv.IsNil() {
		return false
	}
	if basic, ok := tv.Type.(*types.Basic); ok && basic.Info()&types.IsUntyped != 0 {
		return false
	}
	if Inferred(info, e) {
		return false
	}
	switch x := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		return x.Op == token.ARROW || x.Op == token.AND || Exact(info, x.X)
	case *ast.BinaryExpr:
		switch x.Op {
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			return types.Identical(tv.Type, types.Typ[types.Bool])
		case token.SHL, token.SHR:
			if info.Types[x.X].Value != nil {
				lit, ok := ast.Unparen(x.X).(*ast.BasicLit)
				return ok && lit.Kind == token.INT && types.Identical(tv.Type, types.Typ[types.Int])
			}
			return Exact(info, x.X)
		}
		return (Exact(info, x.X) || info.Types[x.X].Value != nil) &&
			(Exact(info, x.Y) || info.Types[x.Y].Value != nil)
	}
	return true
}

// Inferred reports whether the type arguments of a function are inferred, at least in part.
func Inferred(info *types.Info, e ast.Expr) bool {
	given := 0
	switch x := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		e, given = x.X, 1
	case *ast.IndexListExpr:
		e, given = x.X, len(x.Indices)
	}
	var id *ast.Ident
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		id = x
	case *ast.SelectorExpr:
		id = x.Sel
	}
	i, ok := info.Instances[id]
	return ok && i.TypeArgs.Len() > given
}

// Quiet reports whether an expression calls nothing, but for conversions and builtin functions
// without effects, and receives nothing.
func Quiet(info *types.Info, e ast.Expr) bool {
	quiet := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			quiet = quiet && (info.Types[n.Fun].IsType() || IsBuiltin(info, n.Fun,
				"cap", "complex", "imag", "len", "max", "min", "real"))
		case *ast.UnaryExpr:
			quiet = quiet && n.Op != token.ARROW
		}
		return quiet
	})
	return quiet
}

// IsBuiltin reports whether an expression denotes one of some builtin functions.
func IsBuiltin(info *types.Info, e ast.Expr, names ...string) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	b, ok := info.Uses[id].(*types.Builtin)
	return ok && slices.Contains(names, b.Name())
}

// Plain reports whether an expression can be evaluated twice.
func Plain(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident, *ast.BasicLit:
		return true
	case *ast.SelectorExpr:
		return Plain(e.X)
	case *ast.ParenExpr:
		return Plain(e.X)
	case *ast.StarExpr:
		return Plain(e.X)
	case *ast.IndexExpr:
		return Plain(e.X) && Plain(e.Index)
	}
	return false
}
