package apigen

import (
	"go/types"
	"slices"
	"strings"
)

// maxTried is how many lists of type arguments are tried for a generic function or type.
const maxTried = 20_000

// instance returns a generic function or type with the first of a fixed order of type arguments
// that satisfy its constraints, and these; or leaves it out, and returns nil. The first type
// parameter is an int if it can, the others are strings, so that keys and values differ.
func (e *enum) instance(name string, generic types.Type, params *types.TypeParamList) (
	types.Type, []types.Type,
) {
	choices, args := make([][]types.Type, params.Len()), make([]types.Type, params.Len())
	for i := range choices {
		choices[i] = e.candidates(i)
	}
	for n := range maxTried { // its digits choose the candidates, of the last parameter first
		for i := range slices.Backward(args) {
			all := choices[i]
			args[i], n = all[n%len(all)], n/len(all)
		}
		if n > 0 {
			break
		}
		if inst, err := types.Instantiate(e.context, generic, args, true); err == nil {
			return inst, args
		}
	}
	e.leave(name, "no known type satisfies its constraints")
	return nil, nil
}

// signature returns the signature of a function. If the function is generic, it is the one of an instance,
// with the list of its type arguments. It returns nil if there is none.
func (e *enum) signature(name string, f *types.Func) (sig *types.Signature, list string) {
	sig = f.Signature()
	if sig.TypeParams().Len() == 0 {
		return sig, ""
	}
	inst, args := e.instance(name, sig, sig.TypeParams())
	if inst == nil {
		return nil, ""
	}
	var texts []string
	for _, a := range args {
		texts = append(texts, e.typeName(a))
	}
	return inst.(*types.Signature), "[" + strings.Join(texts, ", ") + "]"
}

// candidates returns types for the i-th type parameter.
func (e *enum) candidates(i int) []types.Type {
	number, text := types.Typ[types.Int], types.Typ[types.String]
	all := []types.Type{
		number, text, types.Typ[types.Float64], types.Typ[types.Uint64], types.Typ[types.Bool],
		types.NewSlice(number), types.NewSlice(text), types.NewSlice(types.Typ[types.Byte]),
		types.NewMap(number, text),
	}
	if i > 0 {
		all[0], all[1] = all[1], all[0]
	}
	scope := e.pkg.types.Scope()
	for _, name := range scope.Names() {
		if t := namedType(scope.Lookup(name)); t != nil && t.TypeParams().Len() == 0 {
			all = append(all, t, types.NewPointer(t))
		}
	}
	return all
}

// namedType returns the exported type that an object declares, or nil.
func namedType(o types.Object) *types.Named {
	n, ok := o.(*types.TypeName)
	if !ok || !n.Exported() {
		return nil
	}
	t, _ := types.Unalias(n.Type()).(*types.Named)
	return t
}
