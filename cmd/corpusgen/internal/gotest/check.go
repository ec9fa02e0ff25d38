package gotest

import (
	"go/ast"
	"slices"
	"strconv"

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
type calls struct{ of map[string][]string }

// check stands for fuzzext.Check as the name of a function that is called.
const check = "fuzzext.Check"

// check reports whether a function calls fuzzext.Check.
func (c *calls) check(name string) bool {
	seen := map[string]bool{}
	var search func(name string) bool
	search = func(name string) bool {
		if name == check {
			return true
		}
		if seen[name] {
			return false
		}
		seen[name] = true
		return slices.ContainsFunc(c.of[name], search)
	}
	return search(name)
}

// read adds the functions of a file.
func (c *calls) read(file *ast.File) {
	local := importName(file, "github.com/espalier-go/espalier/fuzzext", "fuzzext")
	for _, decl := range file.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok || fn.Recv != nil || fn.Body == nil {
			continue
		}
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if name := calledName(call, local); name != "" {
					c.of[fn.Name.Name] = append(c.of[fn.Name.Name], name)
				}
			}
			return true
		})
	}
}

// importName returns the name by which a file knows a package, or "" if it does not.
func importName(file *ast.File, path, name string) string {
	for _, spec := range file.Imports {
		if spec.Path.Value == strconv.Quote(path) {
			if spec.Name != nil {
				return spec.Name.Name
			}
			return name
		}
	}
	return ""
}

// calledName returns the function that a call names, of the package or fuzzext.Check; "" for
// another.
func calledName(call *ast.CallExpr, fuzzext string) string {
	qualifier, name := callee.Of(call)
	if qualifier == nil {
		if fuzzext == "." && checks(name) {
			return check
		}
		return name
	}
	if pkg, ok := qualifier.(*ast.Ident); ok && fuzzext != "" && pkg.Name == fuzzext && checks(name) {
		return check
	}
	return ""
}

// checks reports whether a function of fuzzext is Check, or calls it.
func checks(name string) bool { return name == "Check" || name == "Sequence" }
