package gosource

import "go/ast"

// Callee returns the name of the function or method that a call names, without type arguments, and
// the expression before its dot, or nil. The name is "" if the call names none: it may call a
// function literal.
func Callee(call *ast.CallExpr) (qualifier ast.Expr, name string) {
	fun := call.Fun
	switch index := fun.(type) {
	case *ast.IndexExpr:
		fun = index.X
	case *ast.IndexListExpr:
		fun = index.X
	}
	if sel, ok := fun.(*ast.SelectorExpr); ok {
		qualifier, fun = sel.X, sel.Sel
	}
	if id, ok := fun.(*ast.Ident); ok {
		return qualifier, id.Name
	}
	return nil, ""
}
