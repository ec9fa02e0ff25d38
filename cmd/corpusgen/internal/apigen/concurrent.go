package apigen

import (
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// saysAlone matches the comment of a type or method that several goroutines must not use.
var saysAlone = regexp.MustCompile(
	`(?is)\b(not?|never|n't)\b[^.]{0,40}\b(concurren|parallel|simultaneous|goroutine|thread)|` +
		`\bunsafe\b|\bonly\b[^.]{0,20}\b(goroutine|thread)\b`)

// saysConcurrent matches the comment of a type that several goroutines may use.
var saysConcurrent = regexp.MustCompile(
	`(?is)\bsafe\b[^.]{0,40}\b(concurren|parallel|simultaneous|goroutines|threads)`)

// concurrent reports whether several goroutines may use values of a type at once. Its comment says so,
// or it has atomic values, or a lock, which its methods lock if users can, or it is an interface that
// such a type of the package implements. Its comment must not say otherwise.
func (e *enum) concurrent(t types.Type) bool {
	named := namedOf(t)
	if named != nil && (!e.own(named) || saysAlone.MatchString(e.pkg.comment(named.Obj().Pos()))) {
		return false
	}
	if named != nil && saysConcurrent.MatchString(e.pkg.comment(named.Obj().Pos())) {
		return true
	}
	if i, ok := t.Underlying().(*types.Interface); ok {
		return i.NumMethods() > 0 && slices.ContainsFunc(e.implementing(named, i), e.concurrent)
	}
	return named != nil && e.synchronizes(named, named, 0) && (!lockable(named) || e.locks(named))
}

// lockable reports whether users can lock values of a type.
func lockable(named *types.Named) bool {
	lock, _, _ := types.LookupFieldOrMethod(types.NewPointer(named), true, nil, "Lock")
	return lock != nil
}

// locks reports whether methods of a type lock something.
func (e *enum) locks(named *types.Named) (locks bool) {
	for _, f := range e.pkg.files {
		for _, d := range f.Decls {
			method, ok := d.(*ast.FuncDecl)
			if ok && method.Recv != nil && mentions(method.Recv, named.Obj().Name()) {
				locks = locks || mentions(method, "Lock") || mentions(method, "RLock")
			}
		}
	}
	return locks
}

// mentions reports whether code has a name.
func mentions(n ast.Node, name string) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name
		return !found
	})
	return found
}

// implementing returns the types of the package that implement an interface, which may have a name.
// Those that are generic have its type arguments.
func (e *enum) implementing(named *types.Named, i *types.Interface) (all []types.Type) {
	for _, name := range e.pkg.types.Scope().Names() {
		o, _ := e.pkg.types.Scope().Lookup(name).(*types.TypeName)
		if o == nil || o.IsAlias() || types.IsInterface(o.Type()) {
			continue
		}
		t := o.Type()
		if n := t.(*types.Named).TypeParams().Len(); n > 0 {
			if named == nil || named.TypeArgs().Len() != n {
				continue
			}
			var err error
			args := slices.Collect(named.TypeArgs().Types())
			if t, err = types.Instantiate(e.context, t, args, true); err != nil {
				continue
			}
		}
		if p := types.NewPointer(t); types.Implements(p, i) {
			all = append(all, p)
		}
	}
	return all
}

// Unlocks reports whether an exported function or method of the package unlocks what it does not
// lock.
func (p *Package) Unlocks() bool {
	users := map[string][]string{}
	for _, f := range p.files {
		addUsers(users, f, func(_, _, _ string) bool { return false })
	}
	for _, mode := range []string{"", "R"} {
		lock, unlock := "."+mode+"Lock", "."+mode+"Unlock"
		locks, unlocks := map[string]bool{lock: true}, map[string]bool{unlock: true}
		spread(locks, users)
		spread(unlocks, users)
		for name := range unlocks {
			if !locks[name] && ast.IsExported(strings.TrimPrefix(name, ".")) && name != unlock {
				return true
			}
		}
	}
	return false
}

// maxParts is how deep types nest that are searched for locks.
const maxParts = 4

// synchronizes reports whether a type of the package has locks or atomic values, also in its parts,
// and in what it refers to, unless a method of that gives it, as a handle.
func (e *enum) synchronizes(root *types.Named, t types.Type, depth int) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok && handle(root, namedOf(p)) {
		return false
	}
	if named, ok := types.Unalias(t).(*types.Named); ok && !e.own(named) {
		o := named.Obj()
		return o.Pkg() != nil && o.Name() != "Once" &&
			(o.Pkg().Path() == "sync" || o.Pkg().Path() == "sync/atomic")
	}
	if depth == maxParts {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		return slices.ContainsFunc(slices.Collect(u.Fields()), func(f *types.Var) bool {
			return e.synchronizes(root, f.Type(), depth+1)
		})
	case interface{ Elem() types.Type }: // pointer, slice, array, map, channel
		return e.synchronizes(root, u.Elem(), depth+1)
	}
	return false
}

// handle reports whether a method of another type gives values of a type.
func handle(root, other *types.Named) bool {
	if other == nil || other.Origin() == root.Origin() {
		return false
	}
	return slices.ContainsFunc(slices.Collect(other.Origin().Methods()), func(m *types.Func) bool {
		return m.Exported() && isAmong(gives(m.Type()), root.Origin())
	})
}

// alone reports whether an operation of a value that is concurrent must not run at once with others,
// nor what it returns be used so: it is not a call, or its comment says so.
func (e *enum) alone(o *op) bool {
	concurrent := func(k *kind) bool { return e.concurrent(k.typ) }
	if o.do != call {
		return slices.ContainsFunc(o.takes(), concurrent)
	}
	return saysAlone.MatchString(e.pkg.comment(o.at)) &&
		slices.ContainsFunc(slices.Concat(o.takes(), o.resultKinds()), concurrent)
}

// threads reports whether the harness has a type whose methods several goroutines may call, and an
// operation that returns a value of such a type, which is usable.
func (e *enum) threads() (methods, values bool) {
	concurrent := func(k *kind) bool { return e.concurrent(k.typ) }
	for _, o := range e.ops {
		methods = methods || o.do == call && o.recv != nil && concurrent(o.recv)
		values = values || !e.unready(o) && !e.alone(o) && slices.ContainsFunc(o.resultKinds(), concurrent)
	}
	return methods, values
}
