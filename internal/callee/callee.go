// Package callee tells what a call in Go source calls.
package callee

import "go/ast"

// Of returns the name of the function or method that a call names, and what stands before it
// and a dot, or nil. Type arguments are left out. The name is "" if the call names none, as that
// of a function literal.
func Of(call *ast.CallExpr) (qualifier ast.Expr, name string) {
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
