package apigen

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"
)

// Options say what of an API a harness has.
type Options struct {
	Skip *regexp.Regexp // leaves out operations whose names match; nil for none
	Own  string         // code of the user, which may make values: see [OwnText]
	Away bool           // its tests find no files of the package: the harness is in another directory
}

// A Left is a part of the API that the harness leaves out.
type Left struct{ Name, Why string }

// Skipped is why Options.Skip leaves out an operation.
const Skipped = "-skip matches it"

// An op is an operation: a call, or the reading or setting of a field.
type op struct {
	name    string // unique
	do      action
	callee  string // of a function; the method or field; or a format of the receiver and arguments
	recv    *kind  // nil for a function
	params  []param
	results []result
	enabled bool
	helps   bool // it is there for the sake of others, and comes first
	at      token.Pos
}

type param struct {
	name string
	kind *kind
}

type result struct {
	name string
	kind *kind // nil if no call takes such values
	typ  types.Type
}

// An action is what an operation does.
type action int

const (
	call    action = iota
	fresh          // makes a zero value
	compose        // makes a value of its parts
	element        // takes what a slice or a sequence has
	read
	set
)

// An enum enumerates the operations of a package.
type enum struct {
	pkg     *Package
	opts    Options
	context *types.Context
	imports *imports

	ops   []*op
	kinds []*kind
	stubs []*stub

	silent          bool   // functions and stubs note nothing
	logName, logVar string // the type and the variable of the log, once something needs it

	left []Left

	ints   []int64 // literals of the package
	texts  []string
	values namer // of kinds

	types     map[string]bool // those whose methods are enumerated
	instances map[types.Object]int
	helped    map[string]bool
	fromCalls map[*types.Named]bool // see callsReturn
	deep      bool                  // bigen.For may know a type that nests deeper than maxDepth
}

// maxInstances is how many instances of a generic type are enumerated. Of an interface there may be
// maxImplemented, since each may stand for other code.
const (
	maxInstances   = 2
	maxImplemented = 8
)

func newEnum(pkg *Package, opts Options) *enum {
	e := &enum{
		pkg: pkg, opts: opts, context: types.NewContext(),
		types: map[string]bool{}, instances: map[types.Object]int{}, helped: map[string]bool{},
	}
	e.imports = newImports(e)
	e.mine()
	for _, o := range e.objects() {
		switch o := o.(type) {
		case *types.Func:
			e.function(o)
		case *types.TypeName:
			e.declared(o)
		}
	}
	e.enable()
	slices.SortStableFunc(e.ops, func(a, b *op) int {
		return cmp.Or(boolInt(b.helps)-boolInt(a.helps), e.compare(a.at, b.at))
	})
	e.tellApart()
	return e
}

// tellApart gives each operation a name of its own, which is what it calls, as far as the code of the
// call is made of it: in the package now, a function With and the method With of a type Now have one
// name. Those that do the same are one: types that are not exported may have the same methods for a
// test.
func (e *enum) tellApart() {
	var names namer
	all := e.ops
	e.ops = nil
	for _, o := range all {
		if !slices.ContainsFunc(e.ops, func(x *op) bool {
			return x.name == o.name && x.recv == o.recv && x.do == o.do && x.callee == o.callee
		}) {
			e.ops = append(e.ops, o)
		}
	}
	for _, o := range e.ops {
		o.name = names.free(o.name, func(i int) string { return fmt.Sprintf(" with %d", i) })
	}
}

// objects returns the exported objects of the package, in the order of its source.
func (e *enum) objects() (all []types.Object) {
	scope := e.pkg.types.Scope()
	for _, name := range scope.Names() {
		if o := scope.Lookup(name); o.Exported() {
			all = append(all, o)
		}
	}
	slices.SortStableFunc(all, func(a, b types.Object) int { return e.compare(a.Pos(), b.Pos()) })
	return all
}

func (e *enum) compare(a, b token.Pos) int {
	aFile, aLine, aColumn := e.pkg.position(a)
	bFile, bLine, bColumn := e.pkg.position(b)
	return cmp.Or(cmp.Compare(aFile, bFile), cmp.Compare(aLine, bLine), cmp.Compare(aColumn, bColumn))
}

func (e *enum) leave(name, format string, args ...any) {
	l := Left{name, fmt.Sprintf(format, args...)}
	if !slices.Contains(e.left, l) {
		e.left = append(e.left, l)
	}
}

// function adds the operations of a function.
func (e *enum) function(f *types.Func) {
	name := e.qualified(f)
	if sig, args := e.signature(name, f); sig != nil {
		e.add(&op{name: name + args, callee: e.qualified(f) + args, at: f.Pos()}, sig)
	}
}

// add adds an operation for a function or method, or three if it is variadic.
func (e *enum) add(o *op, sig *types.Signature) {
	if e.skips(o.name) {
		return
	}
	params := slices.Collect(sig.Params().Variables())
	if !sig.Variadic() {
		e.addOne(o, sig, params)
		return
	}
	last := len(params) - 1
	for n := range 3 {
		one, all, p := *o, params[:last:last], params[last]
		if n > 0 {
			one.name += fmt.Sprintf(" with %d", n)
		}
		for i := range n {
			name := nameOf(p)
			if n > 1 && name != "" {
				name += strconv.Itoa(i + 1)
			}
			element := p.Type().Underlying().(*types.Slice).Elem()
			all = append(all, types.NewParam(p.Pos(), p.Pkg(), name, element))
		}
		e.addOne(&one, sig, all)
	}
}

func (e *enum) skips(name string) bool {
	if e.opts.Skip == nil || !e.opts.Skip.MatchString(name) {
		return false
	}
	e.leave(name, Skipped)
	return true
}

// addOne adds an operation for a function or method with some parameters, unless an argument of one
// is not possible.
func (e *enum) addOne(o *op, sig *types.Signature, params []*types.Var) {
	for i, p := range params {
		name := cmp.Or(nameOf(p), fmt.Sprintf("arg%d", i+1))
		if why := e.unusable(p.Type()); why != "" {
			e.leave(o.name, "its parameter %s is %s", name, why)
			return
		}
		o.params = append(o.params, param{name, e.kind(p.Type())})
	}
	for r := range sig.Results().Variables() {
		o.results = append(o.results, e.result(r, !o.helps))
	}
	e.ops = append(e.ops, o)
}

// nameOf returns the name of a parameter or a result, or "" if it has none that Go code can have,
// as in some export data.
func nameOf(v *types.Var) string {
	if name := v.Name(); name != "_" && token.IsIdentifier(name) {
		return name
	}
	return ""
}

// unusable says why no argument of a type is possible.
func (e *enum) unusable(t types.Type) string {
	if !e.expressible(t) {
		name := types.TypeString(t, types.RelativeTo(e.pkg.types))
		return "of the type " + name + ", which a test cannot name"
	}
	if hasLock(t) {
		return "a value with a lock, which must not be copied"
	}
	switch u := t.Underlying().(type) {
	case *types.Chan:
		return "a channel"
	case *types.Basic:
		if u.Kind() == types.UnsafePointer || u.Kind() == types.Uintptr {
			return "a raw address"
		}
	}
	if n := namedOf(t); n != nil && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "testing" {
		return "a test"
	}
	return ""
}

// hasLock reports whether a copy of a value would copy a lock, as go vet understands that: only
// pointers to a part of it have the methods Lock and Unlock.
func hasLock(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Array:
		return hasLock(u.Elem())
	case *types.Struct:
		locks := func(t types.Type) bool {
			all := types.NewMethodSet(t)
			return all.Lookup(nil, "Lock") != nil && all.Lookup(nil, "Unlock") != nil
		}
		if locks(types.NewPointer(t)) && !locks(t) {
			return true
		}
		for f := range u.Fields() {
			if hasLock(f.Type()) {
				return true
			}
		}
	}
	return false
}

// result decides what becomes of a result, and enumerates the methods of its type if it is tested.
func (e *enum) result(v *types.Var, tested bool) result {
	r := result{name: nameOf(v), typ: v.Type()}
	switch t := v.Type().Underlying().(type) {
	case *types.Basic:
		if _, named := types.Unalias(v.Type()).(*types.Named); !named {
			return r
		}
	case *types.Chan, *types.Tuple:
		return r
	case *types.Interface:
		if t.NumMethods() == 0 || isError(v.Type()) {
			return r
		}
	}
	if tested {
		e.reach(v.Type())
	}
	if t := e.visible(v.Type()); t != nil {
		r.kind = e.kind(t)
		e.takeApart(r.kind)
	}
	return r
}
