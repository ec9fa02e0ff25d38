package jsonschema

import (
	"strings"

	js "github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/exp/slices"
)

// A node is a schema in a scope or, without a schema, one of several literals.
type node struct {
	id     int
	schema *js.Schema
	scope  scope // empty unless it matters
	alone  bool  // the schema can be validated without what is around it
	either []lit
}

// A lit is a literal: a node holds, or does not.
type lit struct {
	*node
	not bool
}

func yes(n *node) lit { return lit{n, false} }
func no(n *node) lit  { return lit{n, true} }

// name is the same in each process, unlike the number.
func (l lit) name() string {
	var names []string
	if l.schema != nil {
		names = append(names, l.schema.Location, string(l.scope))
	}
	for _, e := range l.either {
		names = append(names, e.name())
	}
	if l.not {
		names = append(names, "not")
	}
	return strings.Join(names, "\n")
}

func (l lit) opposite() lit { return lit{l.node, !l.not} }

func (l lit) number() int {
	if l.not {
		return 2*l.id + 1
	}
	return 2 * l.id
}

// holds reports whether a value is valid. It is true if only the root can tell.
func (l lit) holds(v any) bool {
	switch {
	case l.schema == nil:
		return slices.ContainsFunc(l.either, func(e lit) bool { return e.holds(v) }) != l.not
	case !l.alone:
		return true
	}
	return (l.schema.Validate(v) == nil) != l.not
}

// known reports whether holds can tell.
func (l lit) known() bool {
	if l.schema == nil {
		return !slices.ContainsFunc(l.either, func(e lit) bool { return !e.known() })
	}
	return l.alone
}

type nodeKey struct {
	schema *js.Schema
	scope  scope
}

// node returns the node of a schema that is reached in a scope.
func (x *schemas) node(s *js.Schema, sc scope) *node {
	key := nodeKey{s, ""}
	alone := true
	if x.moving[s] {
		r := x.resourceOf(s)
		key.scope = x.enter(sc, r)
		alone = key.scope == "" || key.scope == scope(r)+"\n"
	}
	if x.nodes[key] == nil {
		x.nodes[key] = &node{id: x.newID(), schema: s, scope: key.scope, alone: alone}
	}
	return x.nodes[key]
}

// either returns the literal that one of several holds.
func (x *schemas) either(lits []lit) lit {
	if len(lits) == 1 {
		return lits[0]
	}
	key := keyOf(lits)
	if x.unions[key] == nil {
		x.unions[key] = &node{id: x.newID(), either: lits}
	}
	return yes(x.unions[key])
}

func (x *schemas) newID() int {
	x.lastID++
	return x.lastID
}

// schemaOf returns the schema that a keyword of another holds, which may be a bool, or nil.
func (x *schemas) schemaOf(v any, k *js.Schema, keyword string) *js.Schema {
	switch v := v.(type) {
	case *js.Schema:
		return v
	case bool:
		at := k.Location + "/" + keyword
		if x.bools[at] == nil {
			x.bools[at] = &js.Schema{Bool: &v, Location: at}
		}
		return x.bools[at]
	}
	return nil
}

func (l lit) place() string {
	if l.schema != nil {
		return place(l.schema)
	}
	return "one of several schemas"
}
