package apigen

import (
	"go/types"
	"regexp"
	"slices"
)

// A role is what a method of a collection does.
type role int

const (
	adding role = iota
	getting
	holding
	removing
	counting
	clearing
	popping
	peeking
	peekingLast
)

// roleNames are the names of methods that have a role.
var roleNames = map[role]*regexp.Regexp{
	adding:   regexp.MustCompile(`^(Add|Insert|Put|Set|Store|Push|PushBack|Enqueue|Append)$`),
	getting:  regexp.MustCompile(`^(Get|Find|Lookup|Load|Value)$`),
	holding:  regexp.MustCompile(`^(Has|Contains|Exists?|Member|IsMember|In|Include[sd]?|HasKey|Test)$`),
	removing: regexp.MustCompile(`^(Remove|Delete|Del|Unset|Discard|Erase)$`),
	counting: regexp.MustCompile(`^(Len|Size|Count|Cardinality|Length)$`),
	clearing: regexp.MustCompile(`^(Clear|Reset|RemoveAll|Init|Empty)$`),
	popping:  regexp.MustCompile(`^(Pop|PopFront|PopBack|Dequeue|Remove|Shift|Poll)$`),
	peeking:  regexp.MustCompile(`^(Peek|Front|Top|Head|First)$`),

	peekingLast: regexp.MustCompile(`^(Back|Last)$`),
}

// A collection is a type whose methods have roles.
type collection struct {
	p          *Properties
	named      *types.Named
	roles      map[role]*callable
	key, value types.Type // value is nil for a set or a list
	least      int        // length of a key that is a text, or the least key
}

// models finds types that behave like a map, a set, a stack or a queue, and writes sequences of
// calls beside one of these.
func (p *Properties) models() {
	var seen []*types.Named
	for _, c := range p.api {
		if !c.method {
			continue
		}
		named := namedOf(c.params[0].Type())
		if slices.ContainsFunc(seen, func(n *types.Named) bool { return types.Identical(n, named) }) {
			continue
		}
		seen = append(seen, named)
		k := &collection{p: p, named: named, roles: map[role]*callable{}}
		for _, c := range p.api {
			if c.of(named) && c.acts == "" && !c.mayPanic() {
				k.assign(c)
			}
		}
		k.model()
	}
}

// assign gives a method the roles that its name and its types suggest.
func (k *collection) assign(c *callable) {
	is := func(r role, params int) bool {
		return k.roles[r] == nil && roleNames[r].MatchString(c.base) && len(c.params) == params+1
	}
	argument := func() bool {
		return hasEqual(c.params[1].Type()) && k.p.e.derivable(c.params[1].Type(), 0)
	}
	single := func(t string) bool {
		return len(c.results) == 1 && c.fails == "" && types.TypeString(c.results[0], nil) == t
	}
	switch {
	case is(adding, 2) && argument() && k.canHold(c.params[2].Type()):
		k.roles[adding] = c
	case is(adding, 1) && !c.spread && argument():
		k.roles[adding] = c
	case is(getting, 1) && argument() && len(c.results) == 1 && k.canHold(c.results[0]):
		k.roles[getting] = c
	case is(holding, 1) && argument() && single("bool"):
		k.roles[holding] = c
	case k.roles[holding] == nil && roleNames[getting].MatchString(c.base) && len(c.params) == 2 &&
		argument() && c.fails == "ok":
		k.roles[holding] = c
	case is(removing, 1) && argument():
		k.roles[removing] = c
	case is(counting, 0) && single("int"):
		k.roles[counting] = c
	case is(popping, 0) && len(c.results) == 1:
		k.roles[popping] = c
	case is(peeking, 0) && len(c.results) == 1:
		k.roles[peeking] = c
	case is(peekingLast, 0) && len(c.results) == 1:
		k.roles[peekingLast] = c
	case is(clearing, 0) && len(c.results) == 0:
		k.roles[clearing] = c
	}
}

// canHold reports whether there are values of a type that == compares: for any, texts.
func (k *collection) canHold(t types.Type) bool {
	return isAny(t) || hasEqual(t) && k.p.e.derivable(t, 0)
}

// hasEqual reports whether == compares values of a type in Go, and not by address.
func hasEqual(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Basic, *types.Struct, *types.Array:
		return types.Comparable(t)
	}
	return false
}

// model adds the properties of the collection, if its methods suggest one: guesses, of which the
// first that holds stays.
func (k *collection) model() {
	add := k.roles[adding]
	if add == nil {
		return
	}
	k.key = add.params[1].Type()
	if len(add.params) == 3 {
		k.value = add.params[2].Type()
	}
	same := func(r role, i int) bool {
		c := k.roles[r]
		return c != nil && types.Identical(c.params[i].Type(), k.key)
	}
	for _, r := range []role{getting, holding, removing} {
		if !same(r, 1) {
			delete(k.roles, r)
		}
	}
	if c := k.roles[getting]; c != nil && (k.value == nil || !types.Identical(c.results[0], k.value)) {
		delete(k.roles, getting)
	}
	for _, r := range []role{popping, peeking, peekingLast} {
		if c := k.roles[r]; c != nil && !types.Identical(c.results[0], k.key) {
			delete(k.roles, r)
		}
	}
	switch {
	case k.value != nil && (k.roles[getting] != nil || k.roles[holding] != nil):
		k.both("a map")
	case k.value == nil && k.roles[holding] != nil:
		k.both("a set")
	case k.value == nil && k.roles[popping] != nil:
		for _, like := range []string{"a stack", "a queue", "a sorted queue"} {
			k.write(like, k.asList(like))
		}
	}
}

// both adds two guesses: with any keys, and without one that is empty or 0, which callers may not
// want.
func (k *collection) both(like string) {
	for k.least = range 2 {
		k.write(like, k.asMap())
	}
}
