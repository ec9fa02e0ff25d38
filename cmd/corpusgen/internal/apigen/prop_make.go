package apigen

import (
	"fmt"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// constructed makes a value of a type of the package by a function of it, or as a zero value. What
// can be filled is filled.
func (s *scene) constructed(named *types.Named, pointer bool, name string) string {
	best := s.constructor(named)
	local := s.names.local(lowerFirst(name))
	if best == nil {
		if !s.p.e.ready(named) || !isStruct(named) {
			return ""
		}
		s.setup = append(s.setup, step{code: "var " + local + " " + s.p.e.typeName(named)})
		s.fill(local, named, name)
		if pointer {
			return "&" + local
		}
		return local
	}
	var args []string
	for _, v := range s.given(best) {
		param := name
		if len(best.params) > 1 && v.Name() != "" {
			param += strings.ToUpper(v.Name()[:1]) + v.Name()[1:]
		}
		arg := s.plain(best, v, param)
		if arg == "" {
			return ""
		}
		args = append(args, arg)
	}
	assume := strings.TrimSuffix(strings.TrimPrefix(best.assume(), "t.Assume("), ")")
	code := strings.TrimSuffix(best.sets(local, "", args...), "\n")
	s.setup = append(s.setup, step{strings.TrimSpace(code), assume})
	s.calls = append(s.calls, best)
	s.fill(local, named, name)
	switch {
	case isPointer(best.results[0]) == pointer:
		return local
	case pointer:
		return "&" + local
	}
	return "*" + local
}

// constructor returns the function that makes the best values of a type, or nil.
func (s *scene) constructor(named *types.Named) (best *callable) {
	for _, c := range s.p.api {
		if c.method || len(c.results) != 1 || c.mayPanic() || c.acts != "" ||
			namedOf(c.results[0]) == nil || !types.Identical(namedOf(c.results[0]), named) {
			continue
		}
		unknown := slices.ContainsFunc(s.given(c), func(v *types.Var) bool {
			return namedOf(v.Type()) == named || !s.canPlain(v.Type()) ||
				s.unfilled && hasElements(v.Type())
		})
		if !unknown && (best == nil || s.rank(c) < s.rank(best)) {
			best = c
		}
	}
	return best
}

// given returns the parameters of a constructor that get arguments: variadic ones may be elements.
func (s *scene) given(c *callable) []*types.Var {
	if s.unfilled && c.spread {
		return c.params[:len(c.params)-1]
	}
	return c.params
}

// hasElements reports whether a value of a type may be what a new collection holds.
func hasElements(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Slice, *types.Map, *types.Array, *types.Chan:
		return true
	}
	return false
}

// canPlain reports whether plain makes an argument of a type.
func (s *scene) canPlain(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Signature:
		return len(s.p.e.functions(t, u)) > 0
	case *types.Interface:
		known := []string{"io.Reader", "io.Writer", "context.Context"}
		return slices.Contains(known, types.TypeString(t, nil))
	}
	return s.p.e.derivable(t, 0) && len(s.p.parts(t, 0)) <= 4
}

// plain returns an argument of a constructor.
func (s *scene) plain(c *callable, v *types.Var, name string) string {
	switch u := v.Type().Underlying().(type) {
	case *types.Signature:
		return s.p.e.functions(v.Type(), u)[0]
	case *types.Interface:
		return s.standIn(c, v.Type(), name)
	}
	tag := s.p.limits(c, v, true)
	if capacities.MatchString(v.Name()) && tag == "range=-10..100" {
		tag = "range=1..20" // what is not positive is the mistake of a caller
	}
	return s.field(name, v.Type(), tag, c)
}

// capacities matches the names of parameters that must be positive.
var capacities = regexp.MustCompile(`(?i)^(n|m|k|cap|capacity|size|max|min|limit|count|length|len|` +
	`bits|degree|order|width|height|max\w+|num\w+)$`)

// rank prefers constructors that parse if a value is to be parsed, or those that do not fail. Of
// those that can fail, it prefers few parameters, of the others many, which make more values.
func (s *scene) rank(c *callable) int {
	parses := strings.HasPrefix(c.base, "Parse") || len(c.params) == 1 && c.fails != ""
	params := len(c.params)
	if c.fails == "" && !s.parsed {
		params = -params
	}
	reads := slices.ContainsFunc(c.params, func(v *types.Var) bool {
		return types.IsInterface(v.Type()) || isFunc(v.Type())
	})
	return 2000*boolInt(reads) + 1000*boolInt(s.parsed && !parses || !s.parsed && c.fails != "") +
		10*params + len(c.base)/4
}

func isFunc(t types.Type) bool {
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

// adds matches the names of methods that put something into their receiver.
var adds = regexp.MustCompile(
	`^(Add|Insert|Put|Set|Push|PushBack|Append|Enqueue|Store|Write|WriteString)$`)

// fill puts values into a new one, if its type has a method for that.
func (s *scene) fill(local string, named *types.Named, name string) {
	unknown := func(v *types.Var) bool { return isIndex(v) || !s.p.e.derivable(v.Type(), 0) }
	i := slices.IndexFunc(s.p.api, func(c *callable) bool {
		return c.of(named) && adds.MatchString(c.base) && isPointer(c.params[0].Type()) &&
			!c.mayPanic() && c.acts == "" && 1 < len(c.params) && len(c.params) <= 3 &&
			!slices.ContainsFunc(c.params[1:], unknown)
	})
	if i < 0 || s.unfilled {
		return
	}
	c := s.p.api[i]
	element := elementOf(c)
	values := s.field(name+"Items", types.NewSlice(element), "len=0..6", nil)
	item, args := s.names.local("item"), []string{local}
	if _, isStruct := element.(*types.Struct); isStruct {
		for _, v := range c.params[1:] {
			args = append(args, item+"."+fieldName(v))
		}
	} else {
		args = append(args, item)
	}
	loop := fmt.Sprintf("for _, %s := range %s {\n%s\n}", item, values, c.text(args...))
	s.setup = append(s.setup, step{code: loop})
	s.calls = append(s.calls, c)
}

// of reports whether a call is a method of a type.
func (c *callable) of(named *types.Named) bool {
	return c.method && types.Identical(namedOf(c.params[0].Type()), named)
}

// elementOf returns the type of what a method adds: of its argument, or a struct of its arguments.
func elementOf(c *callable) types.Type {
	if len(c.params) == 2 && !c.spread {
		return c.params[1].Type()
	}
	var fields []*types.Var
	var tags []string
	for _, v := range c.params[1:] {
		fields = append(fields, types.NewField(0, nil, fieldName(v), v.Type(), false))
		tags = append(tags, keyTag(v))
	}
	return types.NewStruct(fields, tags)
}

// keyTag is the tag of what is put into a value, so that calls find it again.
func keyTag(v *types.Var) string {
	if isPlainString(v.Type()) {
		return `bigen:"match=[ab]{0,3}"`
	}
	if tag := fewTag(v.Type()); tag != "" {
		return `bigen:"` + tag + `"`
	}
	return ""
}

// fewTag lets bigen make few values of a type, so that some are the same.
func fewTag(t types.Type) string {
	b, ok := t.Underlying().(*types.Basic)
	switch {
	case !ok:
		return ""
	case b.Info()&types.IsInteger != 0:
		return "range=0..9"
	case b.Kind() == types.String:
		return "match=[ab]{0,3}"
	}
	return ""
}

func fieldName(v *types.Var) string {
	name := v.Name()
	if name == "" || name == "_" {
		name, _ = wordsOf(v.Type())
	}
	return strings.ToUpper(name[:1]) + name[1:]
}
