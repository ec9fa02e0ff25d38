package bigen

import (
	"reflect"
	"strings"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/literal"
	"golang.org/x/exp/slices"
)

// node returns the node of t, for a place where k holds and over is given for
// parts of it.
func (d *derivation) node(t reflect.Type, k constraint, over []fieldGen) *typeNode {
	n := newNode(t)
	if k.empty() && len(over) == 0 {
		if n := d.nodes[t]; n != nil {
			return n
		}
		d.nodes[t] = n
		d.all = append(d.all, n)
		if t.Name() == "" && t.Kind() != reflect.Interface {
			defer func(known int) {
				if len(d.misuses) > known { // to be told of in each place
					delete(d.nodes, t)
				}
			}(len(d.misuses))
		}
		if with := d.with[t]; with != nil {
			with(d, n)
			return n
		}
		if g, ok := allLeaves.get(newLeaves).known[t]; ok {
			n.give(g)
			return n
		}
	} else {
		d.all = append(d.all, n)
	}
	if len(over) > 0 && t.Kind() != reflect.Struct {
		d.fail(
			"bigen.Field of a part of it, which is not a field of its own: give bigen.Field "+
				"the whole %v",
			t,
		)
	}
	switch t.Kind() {
	case reflect.Struct:
		k.end(d, t)
		d.structure(n, over)
	case reflect.Array:
		d.array(n, k)
	case reflect.Slice:
		d.slice(n, k)
	case reflect.Map:
		d.mapping(n, k)
	case reflect.Pointer:
		d.pointer(n, k)
	case reflect.Interface:
		d.iface(n, k)
	case reflect.Chan, reflect.Func, reflect.UnsafePointer:
		d.fail(
			"a %v has no generator: give it one by bigen.With or bigen.Field, or leave the "+
				"field zero by the tag `bigen:\"-\"`",
			t,
		)
	default:
		n.plainByte = t.Kind() == reflect.Uint8 && k.empty()
		n.give(d.leaf(t, k))
	}
	return n
}

func (d *derivation) structure(n *typeNode, over []fieldGen) {
	t := n.typ
	if literal.IsMessage(t) {
		d.fail(
			"*%v is a protobuf message, whose fields the type does not tell: give it a "+
				"generator by bigen.With(bigenpb.Message[*%v]()), of package "+
				"github.com/espalier-go/espalier/bigen/bigenpb, without the tag nonnil, since "+
				"it makes no nil",
			t, t,
		)
	}
	over = append(slices.Clone(over), d.fields[t]...)
	g := &fieldsOp{typ: t}
	n.op = g
	for i := range t.NumField() {
		f := t.Field(i)
		tag, ok := f.Tag.Lookup("bigen")
		kid := d.in(f.Name, func() *typeNode {
			if !ok && strings.Contains(string(f.Tag), "bigen:") {
				d.note(
					"the struct tag `%s` is not of Go's form: write `bigen:\"nonnil\"`, with "+
						"quotes and no space before them",
					f.Tag,
				)
			}
			whole, parts := within(over, f)
			switch {
			case whole != nil:
				kid := newNode(f.Type)
				kid.give(whole.gen)
				d.all = append(d.all, kid)
				return kid
			case tag == "-" || f.Name == "_" || !f.IsExported() && f.Type.Size() == 0:
				return nil
			case !f.IsExported() && !d.open[t] && !(f.Anonymous && f.Type.Kind() == reflect.Struct):
				d.fail(
					"the field is not exported: give %v a generator by bigen.With or "+
						"bigen.Construct, or leave the field zero by the tag `bigen:\"-\"`; "+
						"bigen.Unexported[%v]() fills such fields of the type",
					t, t,
				)
			}
			return d.node(f.Type, d.parseTag(tag), parts)
		})
		part := fieldOf{newField(f.Type, f.Offset, f.Name), kid}
		if kid != nil {
			g.fields = append(g.fields, part)
			n.kids = append(n.kids, kid)
		} else if f.Type.Size() > 0 {
			g.zero = append(g.zero, part)
		}
	}
}

// within returns the generator that is given for f, or the generators for parts of it.
func within(over []fieldGen, f reflect.StructField) (whole *fieldGen, parts []fieldGen) {
	for i, o := range over {
		switch {
		case o.offset == f.Offset && o.typ == f.Type:
			return &over[i], nil
		case f.Offset <= o.offset && o.offset < f.Offset+f.Type.Size():
			o.offset -= f.Offset
			parts = append(parts, o)
		}
	}
	return nil, parts
}

func (d *derivation) array(n *typeNode, k constraint) {
	n.count = n.typ.Len()
	if n.count == 0 {
		k.end(d, n.typ)
		n.op = zeroOp{}
		return
	}
	elem := d.elem(n.typ, k)
	n.kids, n.op = []*typeNode{elem}, &arrayOp{elem: &elem.typed, len: n.count}
}

// elem returns the node of the elements of t, which has the constraint k.
func (d *derivation) elem(t reflect.Type, k constraint) *typeNode {
	return d.in("[]", func() *typeNode { return d.node(t.Elem(), k.inner(d, t), nil) })
}

// lengthAlts are the alternatives of the node of a slice or map. See weigh for their weights.
var lengthAlts = elementAlts(1)

func (d *derivation) slice(n *typeNode, k constraint) {
	n, k = d.collection(n, k)
	elem := d.elem(n.typ, k)
	if elem.plainByte && k.empty() {
		n.op, n.given = bytesOp{}, true
		return
	}
	n.form, n.alts, n.kids = many, lengthAlts[:], []*typeNode{elem}
	n.op = &sliceOp{
		elements: elements{alts: lengthAlts, derived: &n.leveled}, elem: &elem.typed, typ: n.typ,
	}
}

// collection takes from k what concerns the slice or map of n itself. It returns the node of
// the collection: n, or one within n that makes empty ones as nil.
func (d *derivation) collection(n *typeNode, k constraint) (*typeNode, constraint) {
	var empty emptiness
	lo, hi, k := k.takeLen()
	empty, k = k.takeEmpty(d.empties)
	if lo == 0 && (empty == orNil || empty == notNil) {
		inner := newNode(n.typ)
		d.all = append(d.all, inner)
		n.kids, n.op = []*typeNode{inner}, &emptyOp{inner, empty == orNil}
		n = inner
	}
	n.lo, n.hi = int64(lo), int64(hi)
	n.asked, k = k.takeOdds()
	return n, k
}

func (d *derivation) mapping(n *typeNode, k constraint) {
	n, k = d.collection(n, k)
	n.form, n.alts = many, lengthAlts[:]
	var keys constraint
	if k.keys != nil {
		keys, k.keys = *k.keys, nil
	}
	key := d.in("[key]", func() *typeNode {
		d.checkKey(n.typ.Key(), nil)
		return d.node(n.typ.Key(), keys, nil)
	})
	elem := d.elem(n.typ, k)
	n.kids = []*typeNode{key, elem}
	n.op = &mapOp{elements{lengthAlts, true, &n.leveled}, n.typ, &key.typed, &elem.typed, nil}
}

// checkKey panics if keys of type t differ when they are made again. It visits the
// variants of interfaces, except those in seen.
func (d *derivation) checkKey(t reflect.Type, seen []reflect.Type) {
	if _, known := allLeaves.get(newLeaves).known[t]; known || d.with[t] != nil {
		return
	}
	const remedy = "give the map, or the key, a generator by bigen.With or bigen.Field"
	switch t.Kind() {
	case reflect.Pointer, reflect.Chan, reflect.UnsafePointer:
		d.fail("the key has a %v, and such are the same only if their addresses are: "+remedy, t)
	case reflect.Array:
		d.checkKey(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			d.checkKey(t.Field(i).Type, seen)
		}
	case reflect.Interface:
		if slices.Contains(seen, t) {
			return
		}
		for _, v := range d.variants[t] {
			if v == nil {
				continue
			}
			if !v.Comparable() {
				d.fail("a %v, which is a variant of %v, cannot be a key: "+remedy, v, t)
			}
			d.checkKey(v, append(seen, t))
		}
	}
}

func (d *derivation) pointer(n *typeNode, k constraint) {
	nonnil := k.nonnil
	k.nonnil = false
	if !nonnil {
		n.asked, k = k.takeOdds()
	}
	elem := d.node(n.typ.Elem(), k.inner(d, n.typ), nil)
	n.kids = []*typeNode{elem}
	if nonnil {
		n.op = &pointerOp{&elem.typed}
		return
	}
	n.form = optional
	n.alts = []choices.Alt{NewAlt("nil", 1), NewAlt("ptr", 1)}
	n.op = &optionalOp{n}
}

func (d *derivation) iface(n *typeNode, k constraint) {
	types := d.variants[n.typ]
	if types == nil {
		d.fail(
			"the interface type %v can hold anything: list what it may hold by "+
				"bigen.Variants[%v](...), or give it a generator by bigen.With or bigen.Field",
			n.typ, n.typ,
		)
	}
	n.form = oneOf
	names := map[string]int{}
	for _, t := range types {
		names[variantTag(t, false)]++
	}
	for _, t := range types {
		if t == nil && k.nonnil {
			continue
		}
		tag := variantTag(t, false)
		if names[tag] > 1 {
			tag = variantTag(t, true)
		}
		n.alts = append(n.alts, NewAlt(tag, 1))
		n.kids = append(n.kids, d.in("("+tag+")", func() *typeNode {
			if t == nil {
				return d.nothing()
			}
			if t.Kind() == reflect.Pointer && d.with[t] == nil {
				return d.node(t, constraint{nonnil: true}, nil)
			}
			return d.node(t, constraint{}, nil)
		}))
	}
	if len(n.kids) == 0 {
		d.fail("nonnil: bigen.Variants[%v] has nothing but nil", n.typ)
	}
	k.nonnil = false
	k.end(d, n.typ)
	n.op = &variantsOp{n}
}

// variantTag returns the tag of a variant, with or without its package.
func variantTag(t reflect.Type, qualified bool) string {
	if t == nil {
		return "nil"
	}
	s, star := t, ""
	for !qualified && s.Name() == "" && s.Kind() == reflect.Pointer {
		s, star = s.Elem(), star+"*"
	}
	if !qualified && s.Name() != "" {
		return star + s.Name()
	}
	return strings.ReplaceAll(t.String(), "interface {}", "any")
}
