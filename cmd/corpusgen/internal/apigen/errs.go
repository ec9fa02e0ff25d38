package apigen

import (
	"go/ast"
	"go/types"
	"slices"
)

func isError(t types.Type) bool {
	return types.Identical(t, types.Universe.Lookup("error").Type())
}

// makesError reports whether the error that an operation returns is a value, not a refusal: it is
// the only result, and the operation takes errors.
func makesError(o *op, sig *types.Signature) bool {
	if sig.Results().Len() != 1 || !isError(sig.Results().At(0).Type()) {
		return false
	}
	takes := func(p *types.Var) bool { return hasError(p.Type()) }
	return o.recv != nil && hasError(o.recv.typ) ||
		slices.ContainsFunc(slices.Collect(sig.Params().Variables()), takes)
}

// hasError reports whether a type implements error, or its elements do, or what it points to.
func hasError(t types.Type) bool {
	if of, ok := t.Underlying().(interface{ Elem() types.Type }); ok && hasError(of.Elem()) {
		return true
	}
	fault := types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
	return types.Implements(t, fault)
}

// errorValue returns the kind of errors that calls make. Operations show them by Error, and by
// their method Format if the package has one.
func (e *enum) errorValue() *kind {
	t := types.Universe.Lookup("error").Type()
	k := e.kind(t)
	if !e.once("errors are values") {
		return k
	}
	e.methods(t, k)
	if !slices.ContainsFunc(e.pkg.files, formats) {
		return k
	}
	sprintf := e.imports.named("fmt") + ".Sprintf"
	o := &op{do: read, name: sprintf + `("%+v", ` + k.name + ")", recv: k}
	o.callee = sprintf + `("%%+v", %v)`
	o.results = []result{{"", nil, types.Typ[types.String]}}
	e.ops = append(e.ops, o)
	return k
}

// formats reports whether a file has a method Format.
func formats(f *ast.File) bool {
	return slices.ContainsFunc(f.Decls, func(d ast.Decl) bool {
		m, ok := d.(*ast.FuncDecl)
		return ok && m.Recv != nil && m.Name.Name == "Format"
	})
}
