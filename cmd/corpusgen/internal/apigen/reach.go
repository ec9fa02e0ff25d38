package apigen

import (
	"go/types"
	"slices"
)

// visible returns a type that a harness can write for values of t: t, or the interface of its
// methods if its name is not exported. It returns nil if there is none.
func (e *enum) visible(t types.Type) types.Type {
	if e.expressible(t) {
		return t
	}
	named := namedOf(t)
	if named == nil || !e.own(named) || named.Obj().Exported() {
		return nil
	}
	var methods []*types.Func
	set := types.NewMethodSet(t)
	for s := range set.Methods() {
		f := s.Obj().(*types.Func)
		of := s.Type().(*types.Signature)
		sig := types.NewSignatureType(nil, nil, nil, of.Params(), of.Results(), of.Variadic())
		if f.Exported() && e.expressible(sig) {
			methods = append(methods, types.NewFunc(f.Pos(), nil, f.Name(), sig))
		}
	}
	if len(methods) == 0 {
		return nil
	}
	return types.NewInterfaceType(methods, nil).Complete()
}

// namedOf returns the named type of a value, or of what it points to, or nil.
func namedOf(t types.Type) *types.Named {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, _ := t.(*types.Named)
	return n
}

func isError(t types.Type) bool {
	return types.Identical(t, types.Universe.Lookup("error").Type())
}

// own reports whether a type is declared in the package.
func (e *enum) own(t *types.Named) bool {
	return t.Obj().Pkg() != nil && t.Obj().Pkg().Path() == e.pkg.Path
}

// declared adds the methods and fields of an exported type.
func (e *enum) declared(o *types.TypeName) {
	t, ok := types.Unalias(o.Type()).(*types.Named)
	if !ok {
		return
	}
	if !e.own(t) {
		return // an alias of a type of another package
	}
	if t.TypeParams().Len() > 0 && t.TypeArgs().Len() == 0 {
		inst, _ := e.instance(e.qualified(o), t, t.TypeParams())
		if inst == nil {
			return
		}
		t = inst.(*types.Named)
	}
	if types.IsInterface(t) {
		return // reach, if a call returns it
	}
	e.reach(t)
}

// reach adds the methods and fields of a type of the package, once.
func (e *enum) reach(t types.Type) {
	named := namedOf(t)
	if named == nil {
		if i, ok := t.Underlying().(*types.Interface); ok && i.NumMethods() > 0 && e.expressible(t) {
			e.methods(t, e.kind(t))
		}
		return
	}
	if !e.own(named) && !(e.isForeign(named) && types.IsInterface(t)) {
		return
	}
	key := types.TypeString(named, nil)
	if e.types[key] {
		return
	}
	e.types[key] = true
	if named.TypeArgs().Len() > 0 {
		origin, most := named.Origin().Obj(), maxInstances
		if types.IsInterface(named) {
			most = maxImplemented
		}
		if e.instances[origin]++; e.instances[origin] > most {
			return
		}
	}
	recv := types.Type(named)
	if !types.IsInterface(named) && e.byPointer(named) {
		recv = types.NewPointer(named)
	}
	if _, isPointer := types.Unalias(t).(*types.Pointer); !named.Obj().Exported() {
		recv = t
		if !isPointer && !types.IsInterface(named) {
			recv = named
		}
	}
	written := e.visible(recv)
	if written == nil {
		e.leave(key, "it has no method that a test can call")
		return
	}
	k := e.kind(written)
	e.methods(recv, k)
	e.fieldsOf(named, k)
}

// isForeign reports whether a type, an interface, is one of another package: what a call returns as
// one is most often a value of the package under test. Methods of some panic or wait for good
// reasons.
func (e *enum) isForeign(named *types.Named) bool {
	pkg := named.Obj().Pkg()
	return pkg != nil && !e.own(named) &&
		!slices.Contains([]string{"context", "net", "reflect", "testing"}, pkg.Path())
}

// byPointer reports whether values of a type are used by their pointers: the package gives a user
// one, or it is a struct or has methods of the pointer, and the package gives no plain value.
func (e *enum) byPointer(named *types.Named) bool {
	pointer, plain := e.given(named.Origin(), true)
	_, isStruct := named.Underlying().(*types.Struct)
	methods := types.NewMethodSet(types.NewPointer(named))
	return pointer || !plain && (isStruct || methods.Len() > types.NewMethodSet(named).Len())
}

// methods adds the methods of a type as operations of a kind.
func (e *enum) methods(t types.Type, k *kind) {
	_, isPointer := t.(*types.Pointer)
	if !isPointer && !types.IsInterface(t) && !types.IsInterface(k.typ) {
		t = types.NewPointer(t) // the pool's values are addressable
	}
	var found []*types.Selection
	for s := range types.NewMethodSet(t).Methods() {
		if s.Obj().Exported() {
			found = append(found, s)
		}
	}
	slices.SortStableFunc(found, func(a, b *types.Selection) int {
		return e.compare(a.Obj().Pos(), b.Obj().Pos())
	})
	for _, s := range found {
		f := s.Obj().(*types.Func)
		o := &op{callee: f.Name(), recv: k, at: f.Pos()}
		e.nameOf(k)
		o.name = k.name + "." + f.Name()
		if f.Pkg() != nil && f.Pkg().Path() == "sync" {
			e.leave(o.name, "two calls of a lock would wait for each other")
			continue
		}
		if types.IsInterface(k.typ) && k.typ.Underlying().(*types.Interface).NumMethods() > 0 {
			if m, _, _ := types.LookupFieldOrMethod(k.typ, false, nil, f.Name()); m == nil {
				e.leave(o.name, "a test cannot name the types of its parameters or results")
				continue
			}
		}
		e.add(o, s.Type().(*types.Signature))
	}
}

// fieldsOf adds the exported fields of a struct.
func (e *enum) fieldsOf(named *types.Named, k *kind) {
	s, ok := named.Underlying().(*types.Struct)
	if !ok || types.IsInterface(k.typ) {
		return
	}
	e.nameOf(k)
	for f := range s.Fields() {
		name := k.name + "." + f.Name()
		if !isField(f) || e.skips(name) {
			continue
		}
		if hasLock(f.Type()) {
			e.leave(name, "it is %s", e.unusable(f.Type()))
			continue
		}
		o := &op{name: name, do: read, callee: "%v." + f.Name(), recv: k, at: f.Pos()}
		o.results = []result{e.result(f, true)}
		e.ops = append(e.ops, o)
		switch why := e.unusable(f.Type()); {
		case why != "":
			e.leave(name+" =", "it is %s", why)
		case e.structural(f.Type()) && e.callsReturn(named):
			e.leave(name+" =", "setting it could break what the methods rely on")
		case e.skips(name + " ="):
		default:
			o := &op{name: name + " =", do: set, recv: k, at: f.Pos()}
			o.callee = "%v." + f.Name() + " = %v"
			o.params = []param{{lowerFirst(f.Name()), e.kind(f.Type())}}
			e.ops = append(e.ops, o)
		}
	}
}

// isField reports whether a field of a struct is one that users read and set.
func isField(f *types.Var) bool { return f.Exported() && !f.Embedded() }

// structural reports whether a field of a type probably belongs to a structure that methods
// maintain: it refers to values of the package.
func (e *enum) structural(t types.Type) bool {
	switch u := types.Unalias(t).(type) {
	case *types.Named:
		_, isStruct := u.Underlying().(*types.Struct)
		return isStruct && e.own(u)
	case interface{ Elem() types.Type }: // pointer, slice, array, map, channel
		return e.structural(u.Elem())
	}
	return false
}

func (e *enum) nameOf(k *kind) {
	if k.name == "" {
		e.nameKind(k)
	}
}
