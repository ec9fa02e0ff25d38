package apigen

import (
	"go/ast"
	"go/types"
	"regexp"
	"slices"
)

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

// newError matches the names of functions that make errors.
var newError = regexp.MustCompile(`(\.New\w*|Errorf?)$`)

// makesError reports whether the error that an operation returns is a value, and no refusal: it is
// the only result, and the operation takes errors, or is a function whose name says that it makes
// them.
func makesError(o *op, sig *types.Signature) bool {
	return sig.Results().Len() == 1 && isError(sig.Results().At(0).Type()) &&
		(o.recv == nil && newError.MatchString(o.callee) ||
			o.recv != nil && hasError(o.recv.typ) ||
			slices.ContainsFunc(slices.Collect(sig.Params().Variables()), func(p *types.Var) bool { return hasError(p.Type()) }))
}

// hasError reports whether a type implements error, or its elements do, or what it points to.
func hasError(t types.Type) bool {
	if of, ok := t.Underlying().(interface{ Elem() types.Type }); ok && hasError(of.Elem()) {
		return true
	}
	return types.Implements(t, types.Universe.Lookup("error").Type().Underlying().(*types.Interface))
}

// errorValue returns the kind of errors that calls make. Operations show these by Error, and if the
// package has a method Format, with all that it prints.
func (e *enum) errorValue() *kind {
	t := types.Universe.Lookup("error").Type()
	k := e.kind(t)
	if !e.once("errors are values") {
		return k
	}
	e.methods(t, k)
	if sprintf := e.imports.named("fmt") + ".Sprintf"; slices.ContainsFunc(e.pkg.files, formats) {
		e.ops = append(e.ops, &op{do: read, name: sprintf + `("%+v", ` + k.name + ")", callee: sprintf + `("%%+v", %v)`, recv: k, results: []result{{"", nil, types.Typ[types.String]}}})
	}
	return k
}

// formats reports whether a file has a method Format.
func formats(f *ast.File) bool {
	return slices.ContainsFunc(f.Decls, func(d ast.Decl) bool {
		m, ok := d.(*ast.FuncDecl)
		return ok && m.Recv != nil && m.Name.Name == "Format"
	})
}
