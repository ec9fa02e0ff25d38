package gotest

import (
	"go/ast"
	"slices"

	"github.com/espalier-go/espalier/internal/callee"
)

// A Check is a test that may call fuzzext.Check, or fuzzext.Sequence, which calls it.
type Check struct {
	Name    string // of the test, as in TestInsert
	Package string // the name of the package that the test is in, as in user_test
	Calls   bool   // it calls fuzzext.Check, itself or by functions of its package
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
	local := ""
	for _, spec := range file.Imports {
		if spec.Path.Value == `"github.com/espalier-go/espalier/fuzzext"` {
			local = "fuzzext"
			if spec.Name != nil {
				local = spec.Name.Name
			}
		}
	}
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

// calledName returns the function that a call names, of the package or fuzzext.Check, also by
// fuzzext.Sequence; "" for another.
func calledName(call *ast.CallExpr, fuzzext string) string {
	qualifier, name := callee.Of(call)
	pkg, isIdent := qualifier.(*ast.Ident)
	checks := name == "Check" || name == "Sequence"
	switch {
	case checks && isIdent && fuzzext != "" && pkg.Name == fuzzext, checks && qualifier == nil && fuzzext == ".":
		return check
	case qualifier == nil:
		return name
	}
	return ""
}
