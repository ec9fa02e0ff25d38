package apigen

import (
	"go/token"
	"go/types"
	"regexp"
	"slices"
)

// saysReady matches the comment of a type whose zero value is usable.
var saysReady = regexp.MustCompile(`(?is)zero[ -]value\b.{0,80}\b(ready|empty|usable|used|valid|useful|works)\b|\b(ready|usable)\b.{0,40}\bzero[ -]value`)

// saysLater matches the comment of one that is usable only after a call.
var saysLater = regexp.MustCompile(`(?is)zero[ -]value\b[^.]{0,80}\b(after|once|until|unless)\b`)

// prepares matches the names of methods that make a zero value usable.
var prepares = regexp.MustCompile(`^(Init|Reset|Open|Load|Read|Parse|Unmarshal|Decode|Scan|Start|Connect|Configure|Setup)`)

// ready reports whether the zero value of a type is usable: its comment says so, or users of
// the package have no other, and cannot set it up.
func (e *enum) ready(named *types.Named) bool {
	if doc := e.pkg.docOf(named.Obj().Name()); saysReady.MatchString(doc) && !saysLater.MatchString(doc) {
		return true
	}
	s, ok := named.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		if f.Exported() {
			return false
		}
	}
	for m := range named.Methods() {
		if m.Exported() && prepares.MatchString(m.Name()) {
			return false
		}
	}
	return !e.given(named.Origin())
}

// given reports whether the package has functions, variables, or methods and fields of other
// types that give a user a value of a type.
func (e *enum) given(named *types.Named) bool {
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		if !token.IsExported(name) {
			continue
		}
		switch o := scope.Lookup(name).(type) {
		case *types.Func, *types.Var:
			if gives(o.Type(), named) {
				return true
			}
		case *types.TypeName:
			if o == named.Obj() {
				continue
			}
			if gives(o.Type().Underlying(), named) {
				return true
			}
			if other, ok := types.Unalias(o.Type()).(*types.Named); ok {
				for m := range other.Methods() {
					if m.Exported() && gives(m.Type(), named) {
						return true
					}
				}
			}
		}
	}
	return false
}

// gives reports whether what has the type t gives its user a value of a type.
func gives(t types.Type, named *types.Named) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		return t.Origin() == named
	case *types.Struct:
		for f := range t.Fields() {
			if f.Exported() && gives(f.Type(), named) {
				return true
			}
		}
		return false
	case *types.Signature:
		for r := range t.Results().Variables() {
			if gives(r.Type(), named) {
				return true
			}
		}
		for p := range t.Params().Variables() { // a callback gets the parameters of its own
			if f, ok := p.Type().Underlying().(*types.Signature); ok {
				for q := range f.Params().Variables() {
					if gives(q.Type(), named) {
						return true
					}
				}
			}
		}
		return false
	}
	all, _ := partsOf(t)
	return slices.ContainsFunc(all, func(p types.Type) bool { return gives(p, named) })
}
