package gotest

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/token"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gosource"
)

// sameTargets returns, by the names of tests of a file, the fuzz targets there that run the same
// property on values of the same generator: both functions pass on expressions that read alike, and
// do nothing else but add seeds.
func sameTargets(fset *token.FileSet, file *ast.File) map[string]string {
	local := fuzzextIn(file)
	targets, same := map[string]string{}, map[string]string{}
	each := func(prefix, param string, do func(name, property string)) {
		for _, decl := range file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Body == nil || !isTest(fn, prefix, param) {
				continue
			}
			if args := onlyProperty(fn.Body.List, local); len(args) > 0 {
				do(fn.Name.Name, textOf(fset, args))
			}
		}
	}
	each("Fuzz", "F", func(name, property string) { targets[property] = name })
	each("Test", "T", func(name, property string) {
		if target := targets[property]; target != "" {
			same[name] = target
		}
	})
	return same
}

// onlyProperty returns the generator and the property, or the model, and the options that the body of a
// test or a fuzz target passes on, or nil if it does anything else.
func onlyProperty(body []ast.Stmt, fuzzext string) (args []ast.Expr) {
	for _, stmt := range body {
		expr, ok := stmt.(*ast.ExprStmt)
		if !ok {
			return nil
		}
		call, ok := expr.X.(*ast.CallExpr)
		if !ok {
			return nil
		}
		qualifier, name := gosource.Callee(call)
		switch ours := isFuzzext(qualifier, fuzzext); {
		case name == "Add" || !ours && name == "Parallel":
			continue
		case ours && (name == "Check" || name == "Fuzz" || name == "Sequence") && args == nil && len(call.Args) > 0:
			args = call.Args[1:]
		case !ours && name == "Fuzz" && args == nil && len(call.Args) == 1:
			valid, ok := call.Args[0].(*ast.CallExpr)
			if !ok {
				return nil
			}
			if qualifier, name := gosource.Callee(valid); name != "Valid" || !isFuzzext(qualifier, fuzzext) {
				return nil
			}
			args = valid.Args
		default:
			return nil
		}
	}
	return args
}

// textOf returns how expressions read.
func textOf(fset *token.FileSet, list []ast.Expr) string {
	var b bytes.Buffer
	for _, e := range list {
		_ = format.Node(&b, fset, e)
		b.WriteString("\n")
	}
	return b.String()
}
