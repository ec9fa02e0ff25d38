package bigen

import (
	"fmt"
	"math"
	"reflect"
	"unsafe"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/remade"
)

// A Schema says what parts values consist of, where no Go type does: messages of a format, say,
// whose schema is read when the program runs. [ForSchema] makes a generator of it. Values and
// parts have type any. A Schema sets one of four things, by which its values are made:
//
//   - Gen: a generator
//   - All: a value for each of several parts. Join makes one value of them, and Split returns
//     the parts of a value, in the same order. Without the two, the value is a []any.
//   - Either: one of several alternatives. A value that has become too large ends with the first
//     one that does not contain the schema. Backward, the first one that makes the value counts.
//   - Elem: a []any of Min to Max such elements or, with Key, a map[any]any of so many entries. An
//     empty one is not nil. Max 0 means no limit.
//
// Schemas may refer to each other in any way. Join and Split must not change their arguments, and
// must undo each other. Split returns an error for a value that Join does not make.
//
// With Test, only values that pass it are made, as by [Satisfying]: it returns what is wrong with a
// value.
type Schema struct {
	Name string // in messages
	Gen  Gen[any]

	All   []SchemaPart
	Join  func(parts []any) any
	Split func(v any) ([]any, error)

	Either []SchemaPart

	Elem, Key *Schema
	Min, Max  int

	Test func(v any) error
}

// A SchemaPart is a part or an alternative of a [Schema].
type SchemaPart struct {
	Name string // in messages
	ID   string // by which trees and corpora know it; Name, if it is empty
	*Schema
	Optional bool // of All: the part may be nil, which stands for none
}

func (p *SchemaPart) id() string {
	if p.ID != "" {
		return p.ID
	}
	return p.Name
}

// ForSchema makes the values of a schema. It computes from it how often values grow, so that they
// have the sizes of values of [For]. The schema must not change afterward. ForSchema panics if a
// schema sets none of what makes values, or if no value is finite.
func ForSchema(root *Schema) Gen[any] {
	d := newDerivation(fmt.Sprintf("bigen.ForSchema(%s)", root.Name))
	remade.Note(d.what)
	s := schemas{d, map[*Schema]*typeNode{}}
	n := d.try(func() *typeNode { return s.node(root) })
	d.finish(n)
	for _, n := range d.all {
		if either, ok := n.op.(*eitherOp); ok {
			either.order()
		}
	}
	return Gen[any]{u: untyped{op: derivedOp{n}}}
}

var anyType = reflect.TypeFor[any]()

// schemas derives the nodes of schemas.
type schemas struct {
	*derivation
	nodes map[*Schema]*typeNode
}

func (d schemas) newNode(s *Schema, t reflect.Type) *typeNode {
	n := newNode(t)
	n.name = s.Name
	d.all = append(d.all, n)
	return n
}

func (d schemas) node(s *Schema) *typeNode {
	if n := d.nodes[s]; n != nil {
		return n
	}
	n := d.newNode(s, anyType)
	d.nodes[s] = n
	if s.Test == nil {
		d.make(n, s)
		return n
	}
	all := d.newNode(s, anyType)
	d.make(all, s)
	n.kids, n.op = []*typeNode{all}, &filterOp[any]{
		gen: Gen[any]{u: all.untyped}, ok: func(v any) bool { return s.Test(v) == nil }, why: s.Test,
	}
	return n
}

// make makes n the node of the values of a schema, whether or not they pass its test.
func (d schemas) make(n *typeNode, s *Schema) {
	switch {
	case untypedOf(&s.Gen).op != nil:
		n.give(*untypedOf(&s.Gen))
	case s.Elem != nil:
		elements := d.elements(s)
		notNil := d.newNode(s, elements.typ)
		notNil.kids, notNil.op = []*typeNode{elements}, &emptyOp{elements, false}
		n.kids, n.op = []*typeNode{notNil}, &anyOp{notNil.typed}
	case len(s.Either) > 0:
		n.form, n.op = oneOf, &eitherOp{node: n}
		for i := range s.Either {
			p := &s.Either[i]
			n.alts = append(n.alts, NewAlt(p.id(), 1))
			n.kids = append(n.kids, d.part(p))
		}
	case s.All != nil || s.Join != nil:
		op := &allOp{join: s.Join, split: s.Split}
		n.op = op
		for i := range s.All {
			p := &s.All[i]
			kid := d.part(p)
			f := newField(anyType, uintptr(i)*anyType.Size(), p.id())
			f.name = p.Name
			op.fields = append(op.fields, fieldOf{f, kid})
			n.kids = append(n.kids, kid)
		}
	default:
		d.fail("the schema says nothing of its values: set Gen, All, Either or Elem")
	}
}

func (d schemas) part(p *SchemaPart) *typeNode {
	return d.in(p.Name, func() *typeNode {
		if p.Schema == nil {
			d.fail("the part has no schema")
		}
		kid := d.node(p.Schema)
		if !p.Optional {
			return kid
		}
		n := d.newNode(p.Schema, anyType)
		n.form, n.kids, n.op = optional, []*typeNode{kid}, optionalPartOp{n}
		n.alts = []choices.Alt{NewAlt("nil", 1), NewAlt("ptr", 1)}
		return n
	})
}

// elements returns the node of slices or maps of elements.
func (d schemas) elements(s *Schema) *typeNode {
	n := d.newNode(s, reflect.TypeFor[[]any]())
	n.form, n.alts = many, lengthAlts[:]
	if n.lo, n.hi = int64(s.Min), int64(s.Max); n.hi == 0 {
		n.hi = math.MaxInt
	}
	if n.lo < 0 || n.hi < n.lo {
		d.fail("nothing has from %d to %d elements", n.lo, n.hi)
	}
	elem := d.in("[]", func() *typeNode { return d.node(s.Elem) })
	if s.Key == nil {
		n.kids = []*typeNode{elem}
		n.op = &sliceOp{
			elements: elements{alts: lengthAlts, derived: &n.leveled}, elem: &elem.typed,
			typ: n.typ,
		}
		return n
	}
	n.typ = reflect.TypeFor[map[any]any]()
	key := d.in("[key]", func() *typeNode { return d.node(s.Key) })
	n.kids = []*typeNode{key, elem}
	n.op = &mapOp{elements{lengthAlts, true, &n.leveled}, n.typ, &key.typed, &elem.typed, nil}
	return n
}

// allOp makes a value of parts.
type allOp struct {
	fieldsOp
	join  func([]any) any
	split func(any) ([]any, error)
}

func (g *allOp) forward(c *C, _, _ int64, p unsafe.Pointer) {
	parts := make([]any, len(g.fields))
	g.fieldsOp.forward(c, 0, 0, unsafe.Pointer(unsafe.SliceData(parts)))
	if *(*any)(p) = parts; g.join != nil {
		*(*any)(p) = g.join(parts)
	}
}

func (g *allOp) backward(c *C, _, _ int64, p unsafe.Pointer) bool {
	parts, err := g.parts(*(*any)(p))
	switch {
	case err != nil:
		return c.fail(byValue, "%v", err)
	case len(parts) != len(g.fields):
		return c.fail(byValue, "it has %d parts, not %d", len(parts), len(g.fields))
	case c.pack != nil:
		parts = *same(c.pack, unsafe.Pointer(g), (*any)(p), parts)
	}
	return g.fieldsOp.backward(c, 0, 0, unsafe.Pointer(unsafe.SliceData(parts)))
}

func (g *allOp) parts(v any) ([]any, error) {
	if g.split != nil {
		return g.split(v)
	}
	parts, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("it is a %T, not a []any", v)
	}
	return parts, nil
}

// optionalPartOp makes parts that may be nil.
type optionalPartOp struct{ node *typeNode }

func (g optionalPartOp) forward(c *C, _, _ int64, p unsafe.Pointer) {
	i, b := c.pick(g.node.offer(c))
	if *(*any)(p) = nil; i == 1 {
		g.node.makeKid(c, g.node.kids[0], p)
	}
	c.leavePick(b)
}

func (g optionalPartOp) backward(c *C, _, _ int64, p unsafe.Pointer) bool {
	if *(*any)(p) == nil {
		return c.readPick(g.node.offer(c), 0, nil)
	}
	return g.node.readKid(c, 1, g.node.kids[0], p)
}

// eitherOp makes a value by one of the kids of its node.
type eitherOp struct {
	node *typeNode
	kids []op // the kids of the node, in their final order
}

func (g *eitherOp) order() {
	for _, kid := range g.node.kids {
		g.kids = append(g.kids, &alternativeOp{g.node, kid})
	}
}

func (g *eitherOp) forward(c *C, _, _ int64, p unsafe.Pointer) {
	i, b := c.pick(g.node.offer(c))
	g.kids[i].forward(c, 0, 0, p)
	c.leavePick(b)
}

func (g *eitherOp) backward(c *C, _, _ int64, p unsafe.Pointer) bool {
	offer := func() []choices.Alt { return g.node.offer(c) }
	return backwardPick(c, g.kids, p, anyType, offer, nil)
}

type alternativeOp struct{ either, kid *typeNode }

func (g *alternativeOp) forward(c *C, _, _ int64, p unsafe.Pointer) {
	g.either.makeKid(c, g.kid, p)
}

func (g *alternativeOp) backward(c *C, _, _ int64, p unsafe.Pointer) bool {
	g.either.deeper(c, 1)
	ok := g.kid.backward(c, p)
	g.either.deeper(c, -1)
	return ok
}
