package apigen

import (
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// saysReady matches the comment of a type whose zero value is usable.
var saysReady = regexp.MustCompile(`(?i)\bzero[ -]value\b`)

// warns matches the comment of a function that may panic, wait, end the process, or do anything;
// demands matches the comment of a function that need not bear all arguments.
var (
	warns = regexp.MustCompile(
		`(?is)\bpanic(s|king)?\b|\b(block|wait|run|serve|listen)s?\b.{0,40}\buntil\b|` +
			`\bwaits? for\b|` +
			`\bundefined\b|\b(exits|terminates)\b|os\.Exit`)
	demands = regexp.MustCompile(`(?is)\bmust (not|be|have)\b|\bcallers?\b.{0,20}\bmust\b`)
)

// defect matches what a comment admits to be wrong: it announces nothing.
var defect = regexp.MustCompile(`(?is)\b(bug|fixme|todo|xxx)\b(\([^)]*\))?:.*?(\n\n|\z)`)

// announces reports whether a comment has a form, beside what it admits to be wrong.
func announces(form *regexp.Regexp, doc string) bool {
	return form.MatchString(defect.ReplaceAllString(doc, "\n\n"))
}

// mayPanic reports whether the name of a function or its comment announces that it may panic, wait,
// or end the process, or demands something, unless it can refuse arguments by an error.
func (e *enum) mayPanic(o *op) bool {
	name := o.callee[strings.LastIndexByte(o.callee, '.')+1:]
	doc := e.pkg.comment(o.at)
	refuses := len(o.results) > 0 && isError(o.results[len(o.results)-1].typ)
	return strings.HasPrefix(name, "Must") || strings.HasPrefix(name, "Exit") ||
		strings.Contains(name, "Fatal") || announces(warns, doc) || !refuses && announces(demands, doc)
}

// saysReleased matches the comment of a method after which nothing must use its receiver.
var saysReleased = regexp.MustCompile(
	`(?is)\b(must|should|may|can) ?not be (used|called|accessed)\b.{0,40}\b(after|any ?more|again)`)

// ready reports whether the zero value of a type is usable: its comment says so, or calls return no
// other, and it has no field that users set.
func (e *enum) ready(named *types.Named) bool {
	if saysReady.MatchString(e.pkg.comment(named.Obj().Pos())) {
		return true
	}
	s, ok := named.Underlying().(*types.Struct)
	return ok && !e.callsReturn(named) &&
		!slices.ContainsFunc(slices.Collect(s.Fields()), (*types.Var).Exported)
}

// isAmong reports whether types have a named one, or a pointer to it.
func isAmong(all []types.Type, named *types.Named) bool {
	return slices.ContainsFunc(all, func(t types.Type) bool {
		return namedOf(t) != nil && namedOf(t).Origin() == named
	})
}

// isFault reports whether values of a type, or pointers to these, are errors.
func isFault(named *types.Named) bool {
	fault := types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
	return types.Implements(types.NewPointer(named), fault)
}

// isPart reports whether values of a type are parts of a structure that the package makes: a field
// of one may not be set to any value.
func (e *enum) isPart(named *types.Named) bool {
	s, ok := named.Underlying().(*types.Struct)
	refers := func(f *types.Var) bool { return e.structural(f.Type()) }
	return ok && slices.ContainsFunc(slices.Collect(s.Fields()), refers) && e.gets(named)
}

// gets reports whether the package gives a user values of a type.
func (e *enum) gets(named *types.Named) bool {
	pointer, plain := e.given(named.Origin(), false)
	return pointer || plain
}

// given reports how the package gives a user values of a type: by pointers, or as they are. What
// the type itself gives counts if own is set.
func (e *enum) given(named *types.Named, own bool) (pointer, plain bool) {
	var all []types.Type
	for _, o := range e.objects() {
		if _, isType := o.(*types.TypeName); !isType {
			all = append(all, gives(o.Type())...)
		} else if n, ok := types.Unalias(o.Type()).(*types.Named); ok && (own || n != named) {
			all = append(all, gives(n.Underlying())...)
			for m := range n.Methods() {
				if m.Exported() {
					all = append(all, gives(m.Type())...)
				}
			}
		}
	}
	for _, t := range all {
		if isAmong([]types.Type{t}, named) {
			_, isPointer := t.(*types.Pointer)
			pointer, plain = pointer || isPointer, plain || !isPointer
		}
	}
	return pointer, plain
}

// callsReturn reports whether calls return values of a type, or of an interface that it implements,
// also in exported fields, or as errors. Others are made by users alone.
func (e *enum) callsReturn(named *types.Named) bool {
	if e.fromCalls == nil {
		e.fromCalls = map[*types.Named]bool{}
		scope := e.pkg.types.Scope()
		for _, name := range scope.Names() {
			o := scope.Lookup(name)
			if f, ok := o.(*types.Func); ok && f.Exported() {
				e.addReturned(f.Signature().Results(), nil)
			} else if n, ok := types.Unalias(o.Type()).(*types.Named); ok && n.Obj() == o {
				for m := range n.Methods() {
					if m.Exported() {
						e.addReturned(m.Signature().Results(), n)
					}
				}
			}
		}
	}
	return e.fromCalls[named.Origin()] || isFault(named)
}

// addReturned adds the types of the package that a value gives its user, but one.
func (e *enum) addReturned(t types.Type, but *types.Named) {
	all := gives(t)
	for _, t := range gives(t) {
		i, ok := t.Underlying().(*types.Interface)
		if named := namedOf(t); ok && i.NumMethods() > 0 && (named == nil || e.own(named)) {
			all = append(all, e.implementing(named, i)...)
		}
	}
	for _, t := range all {
		n := namedOf(t)
		if n != nil && e.own(n) && n.Origin() != but && !e.fromCalls[n.Origin()] {
			e.fromCalls[n.Origin()] = true
			e.addReturned(n.Origin().Underlying(), nil)
		}
	}
}

// gives returns the types of what a value of a type gives its user: named ones, pointers to these,
// and interfaces.
func gives(t types.Type) (all []types.Type) {
	var parts []types.Type
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		return []types.Type{t}
	case *types.Pointer:
		if namedOf(t) != nil {
			return []types.Type{t}
		}
		parts = []types.Type{t.Elem()}
	case *types.Signature:
		parts = []types.Type{t.Results()}
		for p := range t.Params().Variables() { // a callback gets the parameters of its own
			if f, ok := p.Type().Underlying().(*types.Signature); ok {
				parts = append(parts, f.Params())
			}
		}
	case *types.Struct:
		for f := range t.Fields() {
			if f.Exported() {
				parts = append(parts, f.Type())
			}
		}
	case *types.Interface:
		all = append(all, t)
		parts, _ = partsOf(t)
	default:
		parts, _ = partsOf(t)
	}
	for _, part := range parts {
		all = append(all, gives(part)...)
	}
	return all
}
