package gotest

import (
	"go/ast"
	"slices"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gosource"
)

// A Check is a test that may call fuzzext.Check, or fuzzext.Sequence or Concurrent, which call it.
type Check struct {
	Name    string // of the test, as in TestInsert
	Package string // the name of the package that the test is in, as in user_test
	Calls   bool   // it calls fuzzext.Check, itself or by functions of its package
	Same    string // a fuzz target of the same property, as in FuzzInsert, or ""
}

// Target returns the name of the fuzz target that corpusgen fuzz makes for the test.
func (c Check) Target() string { return "Fuzz_" + c.Name }

// calls holds which functions of a package call which, by name.
type calls map[string][]string

// check stands for fuzzext.Check as the name of a function that is called.
const check = "fuzzext.Check"

// check reports whether a function calls fuzzext.Check.
func (c calls) check(name string) bool {
	seen := map[string]bool{}
	var search func(name string) bool
	search = func(name string) bool {
		again := seen[name]
		seen[name] = true
		return name == check || !again && slices.ContainsFunc(c[name], search)
	}
	return search(name)
}

// read adds the functions of a file.
func (c calls) read(file *ast.File) {
	local := fuzzextIn(file)
	for _, decl := range file.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok || fn.Recv != nil || fn.Body == nil {
			continue
		}
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if name := calledName(call, local); name != "" {
					c[fn.Name.Name] = append(c[fn.Name.Name], name)
				}
			}
			return true
		})
	}
}

// fuzzextIn returns how a file calls the package fuzzext; "" if it does not import it.
func fuzzextIn(file *ast.File) string {
	for _, spec := range file.Imports {
		if spec.Path.Value == `"github.com/espalier-go/espalier/fuzzext"` {
			if spec.Name != nil {
				return spec.Name.Name
			}
			return "fuzzext"
		}
	}
	return ""
}

// schedules reports whether a file has a test that explores schedules.
func schedules(file *ast.File) (yes bool) {
	local := fuzzextIn(file)
	ast.Inspect(file, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && !yes {
			qualifier, name := gosource.Callee(call)
			yes = (name == "Concurrent" || name == "Schedules") && isFuzzext(qualifier, local)
		}
		return !yes
	})
	return yes
}

// isFuzzext reports whether a function of package fuzzext is called by such a qualifier.
func isFuzzext(qualifier ast.Expr, fuzzext string) bool {
	if qualifier == nil {
		return fuzzext == "."
	}
	pkg, ok := qualifier.(*ast.Ident)
	return ok && fuzzext != "" && pkg.Name == fuzzext
}

// calledName returns the function that a call names, of the package or fuzzext.Check, also by
// fuzzext.Sequence or Concurrent; "" for another.
func calledName(call *ast.CallExpr, fuzzext string) string {
	qualifier, name := gosource.Callee(call)
	switch {
	case (name == "Check" || name == "Sequence" || name == "Concurrent") &&
		isFuzzext(qualifier, fuzzext):
		return check
	case qualifier == nil:
		return name
	}
	return ""
}
