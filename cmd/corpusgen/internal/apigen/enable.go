package apigen

import (
	"fmt"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// enable decides which operations the harness has: those whose arguments are available, until
// no other becomes so. Constructors of the standard library and new(T) help where a type has no
// value.
func (e *enum) enable() {
	e.reset()
	for e.spread(); e.help(); e.spread() {
	}
	e.prune()
	for _, o := range e.ops {
		for _, k := range o.takes() {
			k.used = true
		}
	}
	e.connect()
	for _, o := range e.ops { // results that nothing uses have no pool
		for i := range o.results {
			if k := o.results[i].kind; k != nil && !k.used {
				o.results[i].kind = nil
			}
		}
	}
}

// reset makes available what is there before any call, or comes from operations of the user.
func (e *enum) reset() {
	for _, o := range e.ops {
		o.enabled = false
	}
	for _, k := range e.kinds {
		k.from, k.made, k.used = nil, false, false
		k.available = k.always()
		own := regexp.MustCompile(`\b` + k.pool + `\.Result\(`)
		if k.pool != "" && own.MatchString(e.opts.Own) {
			k.available, k.made = true, true
		}
	}
}

// prune drops operations that lack an argument, and those that nothing needs.
func (e *enum) prune() {
	e.ops = slices.DeleteFunc(e.ops, func(o *op) bool {
		if !o.enabled && o.do != compose {
			e.leave(o.name, "no value is known for its %s", e.lacking(o))
		}
		return !o.enabled
	})
	for _, k := range e.kinds {
		if e.plain(k) {
			e.ops = slices.DeleteFunc(e.ops, func(o *op) bool { return o.recv == k || o.makes(k) })
		}
	}
	all := slices.Clone(e.ops)
	e.ops = slices.DeleteFunc(e.ops, func(o *op) bool {
		return o.builds() && !slices.ContainsFunc(all, func(by *op) bool {
			return by != o && by.do != element && e.takes(by, o.results[0].kind)
		})
	})
}

// connect finds the kinds whose values stand for values of used ones, and uses them, too.
func (e *enum) connect() {
	for _, k := range e.kinds {
		if !k.used {
			continue
		}
		for _, from := range e.kinds {
			again := isInterface(from) && len(from.from) > 0 && !from.made
			if from.available && e.standsFor(from, k) && !again {
				k.from, from.used = append(k.from, from), true
			}
		}
	}
}

// plain reports whether values of a kind are only made by new, and nothing but their own fields
// is used: there is nothing to test.
func (e *enum) plain(k *kind) bool {
	return !slices.ContainsFunc(e.ops, func(o *op) bool {
		if o.recv == k && (o.do == read || o.do == set) { // a field of its own
			return slices.ContainsFunc(o.params, func(p param) bool { return e.standsFor(k, p.kind) })
		}
		return !o.makes(k) && slices.Contains(o.resultKinds(), k) || e.takes(o, k)
	})
}

// builds reports whether an operation only makes a value, as users do.
func (o *op) builds() bool { return o.do == fresh || o.do == compose }

// makes reports whether an operation only makes a value of a kind, as users do.
func (o *op) makes(k *kind) bool {
	return o.builds() && o.results[0].kind == k
}

// takes reports whether an operation takes values of a kind.
func (e *enum) takes(o *op, k *kind) bool {
	return slices.ContainsFunc(o.takes(), func(t *kind) bool { return t == k || e.standsFor(k, t) })
}

func isInterface(k *kind) bool {
	i, ok := k.typ.Underlying().(*types.Interface)
	return ok && i.NumMethods() > 0
}

// takes returns the kinds of the receiver and the arguments.
func (o *op) takes() (all []*kind) {
	if o.recv != nil {
		all = append(all, o.recv)
	}
	for _, p := range o.params {
		all = append(all, p.kind)
	}
	return all
}

// spread enables operations until no other has all arguments.
func (e *enum) spread() {
	for changed := true; changed; {
		changed = false
		for _, o := range e.ops {
			if o.enabled || e.lacking(o) != "" {
				continue
			}
			o.enabled, changed = true, true
			for _, r := range o.results {
				if r.kind != nil {
					r.kind.available, r.kind.made = true, true
				}
			}
		}
	}
}

// has reports whether there is a value of a kind, also by one of another kind.
func (e *enum) has(k *kind) bool {
	if !k.available && isInterface(k) {
		k.available = slices.ContainsFunc(e.kinds, func(from *kind) bool {
			return from.available && e.standsFor(from, k)
		})
	}
	return k.available
}

// standsFor reports whether values of one kind may stand for values of another, an interface.
func (e *enum) standsFor(from, to *kind) bool {
	if from == to || !isInterface(to) || !e.expressible(from.typ) {
		return false
	}
	if named := namedOf(from.typ); isError(to.typ) && (named == nil || !e.own(named)) {
		return false
	}
	return types.Implements(from.typ, to.typ.Underlying().(*types.Interface))
}

// lacking describes what an operation has no value for.
func (e *enum) lacking(o *op) string {
	if o.recv != nil && !e.has(o.recv) {
		return "receiver of the type " + e.shortType(o.recv.typ)
	}
	for _, p := range o.params {
		if p.kind.stub == nil && !e.has(p.kind) {
			return fmt.Sprintf("parameter %s of the type %s", p.name, e.shortType(p.kind.typ))
		}
	}
	return ""
}

func (e *enum) shortType(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return p.Name() })
}

// help makes more available, and reports whether it does. The first aid that helps a kind is taken.
func (e *enum) help() bool {
	aids := []func(k *kind) bool{e.aidNew, e.aidConstruct, e.aidAnyNew, e.aidStub}
	for _, aid := range aids {
		if slices.ContainsFunc(slices.Clone(e.kinds), aid) {
			return true
		}
	}
	return false
}

// aidNew makes new values where no call returns any, or the documentation says that they are
// usable, beside what calls return.
func (e *enum) aidNew(k *kind) bool {
	if e.pointsToSimple(k.typ) && e.isArgument(k) && !e.returned(k) {
		return e.addNew(k)
	}
	named := namedOf(k.typ)
	if named == nil || !e.own(named) || !e.types[types.TypeString(named, nil)] {
		return false
	}
	usable := !e.callsReturn(named) || saysReady.MatchString(e.pkg.comment(named.Obj().Pos()))
	return usable && e.addNew(k)
}

// returned reports whether a call returns values of a kind.
func (e *enum) returned(k *kind) bool {
	return slices.ContainsFunc(e.ops, func(o *op) bool {
		return o.do == call && slices.Contains(o.resultKinds(), k)
	})
}

// aidConstruct adds constructors of the standard library. Readers and writers are made beside those
// that there are.
func (e *enum) aidConstruct(k *kind) bool {
	takes := func(o *op) bool { return e.takes(o, k) }
	return (!e.has(k) || isStream(k) && slices.ContainsFunc(e.ops, takes)) && e.construct(k)
}

func (e *enum) aidAnyNew(k *kind) bool { return !e.has(k) && e.addNew(k) }

// aidStub makes a stub for an argument.
func (e *enum) aidStub(k *kind) bool {
	if e.has(k) || k.stub != nil || !e.isArgument(k) {
		return false
	}
	k.stub = e.stubOf(k.typ)
	return k.stub != nil
}

// isArgument reports whether an operation takes values of a kind, other than as a receiver.
func (e *enum) isArgument(k *kind) bool {
	return slices.ContainsFunc(e.ops, func(o *op) bool {
		return slices.ContainsFunc(o.params, func(p param) bool { return p.kind == k })
	})
}

func (e *enum) once(what string) bool {
	known := e.helped[what]
	e.helped[what] = true
	return !known
}

// addNew adds new(T), or T{} for a struct, as an operation, once, and reports whether it does.
func (e *enum) addNew(k *kind) bool {
	named, text := namedOf(k.typ), ""
	switch u := k.typ.Underlying().(type) {
	case *types.Pointer:
		if named != nil && e.own(named) || e.pointsToSimple(k.typ) || isBuffer(k.typ) {
			text = "new(" + e.typeName(u.Elem()) + ")"
		}
	case *types.Struct:
		if named != nil && e.own(named) { // one of another package may be of no use
			text = e.typeName(k.typ) + "{}"
		}
	case *types.Slice, *types.Map:
		if named != nil {
			text = e.typeName(k.typ) + "{}"
		}
	}
	if text == "" || !e.expressible(k.typ) || !e.once(text) || e.skips(text) {
		return false
	}
	o := &op{name: text, do: fresh, helps: true, callee: text}
	o.results = []result{{"", k, k.typ}}
	if named != nil {
		o.at = named.Obj().Pos()
	}
	e.ops = append(e.ops, o)
	e.pointed(k, true)
	return true
}

// pointsToSimple reports whether a type is a pointer to values that have no identity, so that a new
// one is as good as any.
func (e *enum) pointsToSimple(t types.Type) bool {
	p, ok := t.Underlying().(*types.Pointer)
	if !ok || !e.expressible(t) {
		return false
	}
	if n, ok := types.Unalias(p.Elem()).(*types.Named); ok && e.own(n) && e.byPointer(n) {
		return false
	}
	switch u := p.Elem().Underlying().(type) {
	case *types.Basic, *types.Slice, *types.Map:
		return e.unusable(p.Elem()) == ""
	case *types.Interface:
		return isError(p.Elem()) || u.NumMethods() == 0
	}
	return e.generator(p.Elem(), 0) != ""
}

// pointed adds operations that read what a pointer to a simple value points to, and set it, once.
func (e *enum) pointed(k *kind, sets bool) {
	if !e.pointsToSimple(k.typ) {
		return
	}
	elem := k.typ.Underlying().(*types.Pointer).Elem()
	if hasLock(elem) {
		return
	}
	e.nameOf(k)
	name := "*" + k.name
	if e.once(name) && !e.skips(name) {
		r := e.result(types.NewParam(token.NoPos, nil, "", elem), true)
		e.ops = append(e.ops, &op{name: name, do: read, callee: "*%v", recv: k, results: []result{r}})
	}
	if name += " ="; sets && e.once(name) && !e.skips(name) {
		params := []param{{"value", e.kind(elem)}}
		e.ops = append(e.ops, &op{name: name, do: set, callee: "*%v = %v", recv: k, params: params})
	}
}

// isStream reports whether a kind is io.Reader or io.Writer.
func isStream(k *kind) bool {
	name := types.TypeString(k.typ, nil)
	return name == "io.Reader" || name == "io.Writer"
}

// isBuffer reports whether a type is *bytes.Buffer: a new one is ready.
func isBuffer(t types.Type) bool { return types.TypeString(t, nil) == "*bytes.Buffer" }

// constructors are functions of the standard library that make common arguments, the first of
// files.
var constructors = [][2]string{
	{"bytes", "NewReader"}, {"bytes", "NewBufferString"}, {"strings", "NewReader"},
}

// construct adds constructors of the standard library for an interface, such as readers, or else a
// function of another package of the module that returns a value.
func (e *enum) construct(k *kind) bool {
	if isStream(k) && e.flawed(k.typ) {
		return true
	}
	for _, c := range constructors {
		f, _ := e.pkg.std(c[0]).Scope().Lookup(c[1]).(*types.Func)
		made := f.Signature().Results().At(0).Type()
		if isInterface(k) && types.Implements(made, k.typ.Underlying().(*types.Interface)) &&
			e.foreign(f) {
			if c[1] == "NewBufferString" { // what is written to an empty one can be read
				e.addNew(e.kind(made))
			}
			return true
		}
	}
	named := namedOf(k.typ)
	if named == nil || named.Obj().Pkg() == nil || e.own(named) {
		return false
	}
	path, scope := named.Obj().Pkg().Path(), named.Obj().Pkg().Scope()
	if e.pkg.Module == "" || !strings.HasPrefix(path+"/", e.pkg.Module+"/") || !e.importable(path) {
		return false
	}
	return slices.ContainsFunc(scope.Names(), func(name string) bool {
		f, ok := scope.Lookup(name).(*types.Func)
		return ok && makesOne(f, k.typ) && e.foreign(f)
	})
}

// makesOne reports whether tests can call a function that returns a value of a type, perhaps with
// more.
func makesOne(f *types.Func, t types.Type) bool {
	s := f.Signature()
	return f.Exported() && s.TypeParams().Len() == 0 && !s.Variadic() && s.Results().Len() > 0 &&
		types.Identical(s.Results().At(0).Type(), t)
}

// flawed adds functions that make a stream fail, or slow, and reports whether it adds any.
func (e *enum) flawed(t types.Type) (added bool) {
	scope := e.pkg.std("testing/iotest").Scope()
	for _, name := range scope.Names() {
		f, ok := scope.Lookup(name).(*types.Func)
		if !ok || name == "DataErrReader" || strings.HasPrefix(name, "New") {
			continue // DataErrReader hangs if it reads into nothing
		}
		results := f.Signature().Results()
		if results.Len() == 1 && types.Identical(results.At(0).Type(), t) {
			added = e.foreign(f) || added
		}
	}
	return added
}

// foreign adds a function of another package, once, and reports whether it does.
func (e *enum) foreign(f *types.Func) bool {
	if f.Pkg().Path() == e.pkg.Path || !e.once(f.FullName()) {
		return false
	}
	e.imports.use(f.Pkg())
	e.add(&op{name: e.qualified(f), callee: e.qualified(f), helps: true, at: f.Pos()}, f.Signature())
	return true
}
