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

// announces matches the comment of a function that may panic, wait, or end the process, without what calms matches.
var (
	announces = regexp.MustCompile(`(?is)\bpanic(s|king)?\b|\bmust (not|be|have)\b|\b(block(s|ing)?|wait(s|ing)?)\b.{0,40}\b(until|for|till)\b|\b(runs?|loops?|serves?|listens?)\b.{0,40}\buntil\b.{0,30}\b(stop|cancel|close|done\b|shut)|\bundefined\b|\b(exits|terminates)\b|os\.Exit|\bcallers?\b.{0,20}\b(must|responsib)`)
	calms     = regexp.MustCompile(`(?is)\b(never|not|without|no|instead of)\s+(a\s+)?panic(s|king)?\b|\bmust (not be |be non-)nil\b`) // nil counts anyway
)

// mayPanic reports whether the name of a function or its comment announces that it may panic, wait, or end the
// process.
func (e *enum) mayPanic(o *op) bool {
	return saysPanic.MatchString("."+o.callee) || announces.MatchString(calms.ReplaceAllString(e.pkg.comment(o.at), ""))
}

// saysPanic matches the names of such functions.
var saysPanic = regexp.MustCompile(`\.(Must|Exit)|Fatal`)

// releases reports whether nothing must use the receiver of a method after it, as its name or its comment says.
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
	pointer, plain := e.given(named.Origin(), false)
	return !pointer && !plain && !isFault(named) && !e.handed(named)
}

// handed reports whether functions that users write get values of a type: methods of interfaces, functions in fields,
// and those of named types.
func (e *enum) handed(named *types.Named) bool {
	for _, o := range e.objects() {
		var parts []types.Type
		n, ok := types.Unalias(o.Type()).(*types.Named)
		if !ok || n == named {
			continue
		}
		switch u := n.Underlying().(type) {
		case *types.Interface, *types.Struct:
			parts, _ = partsOf(u)
		case *types.Signature:
			parts = append(parts, u)
		}
		for _, part := range parts {
			f, ok := part.Underlying().(*types.Signature)
			if !ok {
				continue
			}
			for p := range f.Params().Variables() {
				if pointer, plain := gives(p.Type(), named); pointer || plain {
					return true
				}
			}
		}
	}
	return false
}

// isFault reports whether values of a type, or pointers to these, are errors.
func isFault(named *types.Named) bool {
	return types.Implements(types.NewPointer(named), types.Universe.Lookup("error").Type().Underlying().(*types.Interface))
}

// isPart reports whether values of a type are parts of a structure that the package makes: a field of one may
// not be set to any value.
func (e *enum) isPart(named *types.Named) bool {
	s, ok := named.Underlying().(*types.Struct)
	if !ok || !slices.ContainsFunc(slices.Collect(s.Fields()), func(f *types.Var) bool { return e.structural(f.Type()) }) {
		return false
	}
	pointer, plain := e.given(named.Origin(), false)
	return pointer || plain
}

// given reports how the package gives a user values of a type: by pointers, or as they are. What the
// type itself gives counts if own is set.
func (e *enum) given(named *types.Named, own bool) (pointer, plain bool) {
	add := func(t types.Type) {
		byPointer, asIs := gives(t, named)
		pointer, plain = pointer || byPointer, plain || asIs
	}
	for _, o := range e.objects() {
		if _, isType := o.(*types.TypeName); !isType {
			add(o.Type())
			pointer = pointer || makes(o, named)
		} else if n, ok := types.Unalias(o.Type()).(*types.Named); ok && (own || n != named) {
			add(n.Underlying())
			for m := range n.Methods() {
				if m.Exported() {
					add(m.Type())
				}
			}
		}
	}
	return pointer, plain
}

// makes reports whether a function is called New and like a type, and returns an interface that this implements.
func makes(o types.Object, named *types.Named) bool {
	f, ok := o.(*types.Func)
	if !ok || f.Name() != "New"+named.Obj().Name() {
		return false
	}
	for r := range f.Signature().Results().Variables() {
		if i, ok := r.Type().Underlying().(*types.Interface); ok && i.NumMethods() > 0 && types.Implements(types.NewPointer(named), i) {
			return true
		}
	}
	return false
}

// callsReturn reports whether calls return values of a type, or of an interface that it implements, also in exported
// fields, or as errors. Others are made by users alone.
func (e *enum) callsReturn(named *types.Named) bool {
	if e.fromCalls == nil {
		e.fromCalls = map[*types.Named]bool{}
		var own []*types.Named
		scope := e.pkg.types.Scope()
		for _, name := range scope.Names() {
			if n, ok := scope.Lookup(name).Type().(*types.Named); ok && n.Obj() == scope.Lookup(name) {
				own = append(own, n)
			}
		}
		var add func(t types.Type, of *types.Named)
		add = func(t types.Type, of *types.Named) {
			for _, n := range own {
				pointer, plain := gives(t, n)
				for _, is := range own {
					i, ok := n.Underlying().(*types.Interface)
					stands := is == n || ok && i.NumMethods() > 0 && types.Implements(types.NewPointer(is), i)
					if (pointer || plain) && stands && is != of && !e.fromCalls[is] {
						e.fromCalls[is] = true
						add(is.Underlying(), nil)
					}
				}
			}
		}
		results := func(f *types.Func, of *types.Named) {
			for r := range f.Signature().Results().Variables() {
				add(r.Type(), of)
			}
		}
		for _, o := range e.objects() {
			if f, ok := o.(*types.Func); ok {
				results(f, nil)
			}
		}
		for _, n := range own {
			for m := range n.Methods() {
				if m.Exported() {
					results(m, n)
				}
			}
		}
	}
	return e.fromCalls[named.Origin()] || isFault(named)
}

// gives reports how what has the type t gives its user values of another type.
func gives(t types.Type, named *types.Named) (pointer, plain bool) {
	var parts []types.Type
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		return false, t.Origin() == named
	case *types.Pointer:
		if _, plain := gives(t.Elem(), named); plain {
			return true, false
		}
	case *types.Signature:
		for r := range t.Results().Variables() {
			parts = append(parts, r.Type())
		}
		for p := range t.Params().Variables() { // a callback gets the parameters of its own
			if f, ok := p.Type().Underlying().(*types.Signature); ok {
				for q := range f.Params().Variables() {
					parts = append(parts, q.Type())
				}
			}
		}
	case *types.Struct:
		for f := range t.Fields() {
			if f.Exported() {
				parts = append(parts, f.Type())
			}
		}
	default:
		parts, _ = partsOf(t)
	}
	for _, part := range parts {
		byPointer, asIs := gives(part, named)
		pointer, plain = pointer || byPointer, plain || asIs
	}
	return pointer, plain
}
