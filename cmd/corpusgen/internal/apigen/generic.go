package apigen

import (
	"go/types"
	"slices"
)

// maxTried is how many lists of type arguments are tried for a generic function or type.
const maxTried = 20_000

// instance returns a generic function or type with the first of a fixed order of type arguments
// that satisfy its constraints, and these; or leaves it out, and returns nil. If functions that are
// not generic return instances of what a parameter wants, their arguments come first. Otherwise the first type
// parameter is an int if it can, the others are strings, so that keys and values differ.
func (e *enum) instance(name string, generic types.Type, params *types.TypeParamList) (types.Type, []types.Type) {
	choices, args := make([][]types.Type, params.Len()), make([]types.Type, params.Len())
	for i := range choices {
		choices[i] = append(e.returned(generic, params.At(i)), e.candidates(i)...)
	}
	for n := range maxTried { // its digits choose the candidates, those of the last parameter first
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

// returned returns the types that stand for a type parameter in what functions without type parameters return.
func (e *enum) returned(generic types.Type, param *types.TypeParam) (all []types.Type) {
	sig, ok := generic.(*types.Signature)
	if !ok {
		return nil
	}
	for p := range sig.Params().Variables() {
		wanted := instanceIn(p.Type())
		if wanted == nil {
			continue
		}
		i := slices.Index(slices.Collect(wanted.TypeArgs().Types()), types.Type(param))
		if i < 0 {
			continue
		}
		for _, o := range e.objects() {
			f, ok := o.(*types.Func)
			if !ok || f.Signature().TypeParams().Len() > 0 {
				continue
			}
			for r := range f.Signature().Results().Variables() {
				if given := instanceIn(r.Type()); given != nil && given.Origin() == wanted.Origin() && !slices.Contains(all, given.TypeArgs().At(i)) {
					all = append(all, given.TypeArgs().At(i))
				}
			}
		}
	}
	return all
}

// instanceIn returns the instance of a generic type that a type is, or has as its elements; or nil.
func instanceIn(t types.Type) *types.Named {
	if n := namedOf(t); n != nil && n.TypeArgs().Len() > 0 {
		return n
	} else if s, ok := t.Underlying().(*types.Slice); ok && n == nil {
		return instanceIn(s.Elem())
	}
	return nil
}

// exactly returns lists of one type, for each type of which a constraint is a union. There is none if other
// types satisfy it, too.
func exactly(constraint types.Type) (lists [][]types.Type) {
	i, _ := constraint.Underlying().(*types.Interface)
	if i == nil || i.NumEmbeddeds() != 1 || i.NumMethods() > 0 {
		return nil
	}
	u, ok := types.Unalias(i.EmbeddedType(0)).(*types.Union)
	if !ok {
		return exactly(i.EmbeddedType(0))
	}
	for i := range u.Len() {
		term := u.Term(i)
		if term.Tilde() || types.IsInterface(term.Type()) {
			return nil
		}
		lists = append(lists, []types.Type{term.Type()})
	}
	return lists
}

// candidates returns types for the i-th type parameter.
func (e *enum) candidates(i int) []types.Type {
	basic := []types.Type{types.Typ[types.Int], types.Typ[types.String], types.Typ[types.Float64], types.Typ[types.Uint64], types.Typ[types.Bool]}
	if i > 0 {
		basic[0], basic[1] = basic[1], basic[0]
	}
	ints, texts := types.NewSlice(types.Typ[types.Int]), types.NewSlice(types.Typ[types.String])
	all := append(basic, ints, texts, types.NewSlice(types.Typ[types.Byte]), types.NewMap(types.Typ[types.Int], types.Typ[types.String]))
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
