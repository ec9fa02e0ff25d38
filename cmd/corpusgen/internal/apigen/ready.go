package apigen

import (
	"go/types"
	"regexp"
	"slices"
)

// saysReady matches the comment of a type whose zero value is usable.
var saysReady = regexp.MustCompile(`(?is)zero[ -]value\b.{0,80}\b(ready|empty|usable|used|valid|useful|works)\b|zero[ -]value\b[^.]{0,40}\bis an?\b|\b(ready|usable)\b.{0,40}\bzero[ -]value`)

// saysLater matches the comment of one that is usable only after a call, or not at all.
var saysLater = regexp.MustCompile(`(?is)zero[ -]value\b[^.]{0,80}\b(after|once|until|unless|invalid)\b`)

// announces matches the comment of a function that may panic, wait, or end the process, without
// what calms matches; demands that of one that need not bear all arguments, unless it can refuse
// them by an error.
var (
	announces = regexp.MustCompile(`(?is)\bpanic(s|king)?\b|\b(block(s|ing)?|wait(s|ing)?)\b.{0,40}\b(until|for|till)\b|\b(runs?|loops?|serves?|listens?)\b.{0,40}\buntil\b.{0,30}\b(stop|cancel|close|done\b|shut)|\b(behaviou?rs?|results?|effects?)\b.{0,30}\bundefined\b|\bundefined (behaviou?r|results?|effect)|\b(exits|terminates)\b|os\.Exit`)
	demands   = regexp.MustCompile(`(?is)\bmust (not|be|have)\b|\bcallers?\b.{0,20}\b(must|responsib)`)
	calms     = regexp.MustCompile(`(?is)(\b(never|not|without|no|instead of)|n't)\s+(a\s+)?panic(s|king)?\b|\bmust (not be |be non-)nil\b`) // nil counts anyway
)

// mayPanic reports whether the name of a function or its comment announces that it may panic, wait,
// or end the process.
func (e *enum) mayPanic(o *op) bool {
	doc := calms.ReplaceAllString(e.pkg.comment(o.at), "")
	refuses := len(o.results) > 0 && isError(o.results[len(o.results)-1].typ)
	return saysPanic.MatchString("."+o.callee) || announces.MatchString(doc) || !refuses && demands.MatchString(doc)
}

// saysPanic matches the names of such functions.
var saysPanic = regexp.MustCompile(`\.(Must|Exit)|Fatal`)

// releases reports whether nothing must use the receiver of a method after it, as its name or its
// comment says.
func (e *enum) releases(o *op) bool {
	return releasing.MatchString(o.name) || saysReleased.MatchString(e.pkg.comment(o.at))
}

var (
	releasing    = regexp.MustCompile(`\.(Release|Free|Destroy|Dispose|Recycle)$`)
	saysReleased = regexp.MustCompile(`(?is)\b(must|should|may|can) ?not be (used|called|accessed)\b.{0,40}\b(after|any ?more|again)|\b(never|not|no longer) be used (after|again|any)|\brecycles\b`)
)

// prepares matches the names of methods that make a zero value usable.
var prepares = regexp.MustCompile(`^(Init|Reset|Open|Load|Read|Parse|Unmarshal|Decode|Scan|Start|Connect|Configure|Setup)`)

// ready reports whether the zero value of a type is usable: its comment says so, or users of
// the package have no other, and cannot set it up. Users have those of errors as type error.
func (e *enum) ready(named *types.Named) bool {
	if doc := e.pkg.comment(named.Obj().Pos()); saysReady.MatchString(doc) && !saysLater.MatchString(doc) {
		return true
	}
	if s, ok := named.Underlying().(*types.Struct); !ok || slices.ContainsFunc(slices.Collect(s.Fields()), (*types.Var).Exported) {
		return false
	}
	for m := range named.Methods() {
		if m.Exported() && prepares.MatchString(m.Name()) {
			return false
		}
	}
	return !e.gets(named) && !e.callsReturn(named) && !e.handed(named)
}

// handed reports whether functions that users write get values of a type: methods of interfaces,
// functions in fields, and those of named types.
func (e *enum) handed(named *types.Named) bool {
	for _, o := range e.objects() {
		n, ok := types.Unalias(o.Type()).(*types.Named)
		if !ok || n == named {
			continue
		}
		parts := []types.Type{n}
		switch u := n.Underlying().(type) {
		case *types.Interface, *types.Struct:
			parts, _ = partsOf(u)
		}
		for _, part := range parts {
			if f, ok := part.Underlying().(*types.Signature); ok && isAmong(gives(f.Params()), named) {
				return true
			}
		}
	}
	return false
}

// isAmong reports whether types have a named one, or a pointer to it.
func isAmong(all []types.Type, named *types.Named) bool {
	return slices.ContainsFunc(all, func(t types.Type) bool { return namedOf(t) != nil && namedOf(t).Origin() == named })
}

// isFault reports whether values of a type, or pointers to these, are errors.
func isFault(named *types.Named) bool {
	return types.Implements(types.NewPointer(named), types.Universe.Lookup("error").Type().Underlying().(*types.Interface))
}

// isPart reports whether values of a type are parts of a structure that the package makes: a field
// of one may not be set to any value.
func (e *enum) isPart(named *types.Named) bool {
	s, ok := named.Underlying().(*types.Struct)
	if !ok || !slices.ContainsFunc(slices.Collect(s.Fields()), func(f *types.Var) bool { return e.structural(f.Type()) }) {
		return false
	}
	return e.gets(named)
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
		var add func(t types.Type, of *types.Named)
		add = func(t types.Type, of *types.Named) {
			for _, t := range gives(t) {
				is := []types.Type{t}
				if i, ok := t.Underlying().(*types.Interface); ok && i.NumMethods() > 0 && (namedOf(t) == nil || e.own(namedOf(t))) {
					is = append(is, e.implementing(namedOf(t), i)...)
				}
				for _, t := range is {
					if n := namedOf(t); n != nil && e.own(n) && n.Origin() != of && !e.fromCalls[n.Origin()] {
						e.fromCalls[n.Origin()] = true
						add(n.Origin().Underlying(), nil)
					}
				}
			}
		}
		scope := e.pkg.types.Scope()
		for _, name := range scope.Names() {
			o := scope.Lookup(name)
			if f, ok := o.(*types.Func); ok && f.Exported() {
				add(f.Signature().Results(), nil)
			} else if n, ok := types.Unalias(o.Type()).(*types.Named); ok && n.Obj() == o {
				for m := range n.Methods() {
					if m.Exported() {
						add(m.Signature().Results(), n)
					}
				}
			}
		}
	}
	return e.fromCalls[named.Origin()] || isFault(named)
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
