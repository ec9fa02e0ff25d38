package bigenpb

import (
	"fmt"
	"math"
	"strconv"

	"github.com/espalier-go/espalier/bigen"
	"golang.org/x/exp/slices"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Parts of schemas hold messages as protoreflect.Message, enums as protoreflect.EnumNumber, and
// other values as protoreflect does.

// builder makes the schema of a message.
type builder struct {
	with    map[protoreflect.FullName]bigen.Gen[any]
	fields  []*fieldGen
	anyOf   []protoreflect.MessageType
	judge   *judged
	root    protoreflect.FullName
	schemas map[messageKey]*derived

	unjudged protoreflect.FieldDescriptor // whose values need not pass what the judge says of the field
}

// derived is what the descriptor of a message describes.
type derived struct {
	*bigen.Schema
	of *message // joins and splits the parts of the schema
}

// messageKey is what the schema of a message depends on.
type messageKey struct {
	desc protoreflect.MessageDescriptor
	free bool // from rules
}

// newBuilder returns a builder that has made the schema of a type, and those of the messages in it.
func newBuilder(t protoreflect.MessageType, opts []Option) (*builder, *bigen.Schema) {
	b := &builder{
		root:    t.Descriptor().FullName(),
		with:    map[protoreflect.FullName]bigen.Gen[any]{},
		schemas: map[messageKey]*derived{},
	}
	for _, o := range opts {
		o(b)
	}
	s := b.derive(t, false)
	for _, g := range b.fields {
		if !g.used {
			panic(
				fmt.Sprintf("bigenpb.Field(%q): the %s and the messages in it have no such "+
					"field: give its name in the .proto file, or its full name if it is not a "+
					"field of the %[2]s itself", g.name, b.root))
		}
	}
	return b, s
}

// given returns the generator that an option gives for a field, or nil.
func (b *builder) given(f protoreflect.FieldDescriptor) (given *fieldGen) {
	for _, g := range b.fields {
		if name := string(f.FullName()); g.name == name || string(b.root)+"."+g.name == name {
			given, g.used = g, true
		}
	}
	return given
}

// message returns the schema of the messages of a type that are in another. They keep the rules of
// their type unless they are free from them.
func (b *builder) message(t protoreflect.MessageType, free bool) *bigen.Schema {
	d := t.Descriptor()
	if g, ok := b.with[d.FullName()]; ok {
		return &bigen.Schema{Name: string(d.FullName()), Gen: g}
	}
	if s := b.schemas[messageKey{d, free}]; s != nil {
		return s.Schema
	}
	return b.derive(t, free)
}

// derive returns the schema that the descriptor of a message describes.
func (b *builder) derive(t protoreflect.MessageType, free bool) *bigen.Schema {
	d := t.Descriptor()
	s := &bigen.Schema{Name: string(d.FullName())}
	m := &message{typ: t}
	b.schemas[messageKey{d, free}] = &derived{s, m}
	s.Join, s.Split = m.join, m.split
	switch d.FullName() {
	case "google.protobuf.Any":
		b.any(s, t, rules{})
		return s
	case "google.protobuf.Duration":
		s.Gen = duration(t)
		return s
	}
	empty, oneofs := t.New(), oneofsOf(d, free)
	for i := range d.Fields().Len() {
		f := d.Fields().Get(i)
		if i := slices.IndexFunc(oneofs,
			func(o *oneof) bool { return slices.Contains(o.fields, f) }); i >= 0 {
			if o := oneofs[i]; o.fields[0] == f {
				m.parts = append(m.parts, part{oneof: o})
				s.All = append(s.All, b.oneof(o, empty, free, nil))
			}
			continue
		}
		r := rulesOf(f, free)
		required := f.Cardinality() == protoreflect.Required ||
			r.required() && (f.HasPresence() || b.given(f) == nil)
		m.parts = append(m.parts, part{field: f, required: required})
		s.All = append(s.All, bigen.SchemaPart{
			Name: string(f.Name()), ID: number(f),
			Schema:   b.field(f, empty, r, required && !f.HasPresence()),
			Optional: f.HasPresence() && !required,
		})
	}
	if !free {
		b.judgeMessage(s, d)
	}
	return s
}

func number(f protoreflect.FieldDescriptor) string { return strconv.Itoa(int(f.Number())) }

// field returns the schema of the values of a field; empty is an empty message. The values keep
// rules and, if the field is required, are not zero.
func (b *builder) field(
	f protoreflect.FieldDescriptor, empty protoreflect.Message, r rules, required bool,
) *bigen.Schema {
	defer remedy(f)
	s := &bigen.Schema{Name: string(f.FullName())}
	given := b.given(f)
	if given != nil && given.whole(f) {
		s.Gen = given.parts(f)
		return s
	}
	single := func(
		v protoreflect.Value, f protoreflect.FieldDescriptor, r rules, required bool,
	) *bigen.Schema {
		if given != nil {
			return &bigen.Schema{Name: s.Name, Gen: given.parts(f)}
		}
		return b.single(v, f, r, required)
	}
	// An element that is zero need not keep rules that ignore it.
	element := func(v protoreflect.Value, f protoreflect.FieldDescriptor, own rules) *bigen.Schema {
		own.free = own.free || r.free
		elem := single(v, f, own, false)
		if f.Message() == nil && given == nil && own.ignoresZero() {
			elem = orZero(elem, v.Interface())
		}
		return elem
	}
	var zero any
	own := r.sub(repeatedRules)
	if f.IsMap() {
		own = r.sub(mapRules)
	}
	if s.Min, s.Max = int(own.last(1).bits), int(own.last(2).bits); required {
		s.Min = max(s.Min, 1)
	}
	switch items := own.sub(4).unlessFree(); {
	case f.IsMap():
		key, entries := f.MapKey(), empty.NewField(f).Map()
		zero, s.Key = map[any]any{}, ruledScalar(key, items, false)
		if items.ignoresZero() {
			s.Key = orZero(s.Key, key.Default().Interface())
		}
		enough(s.Key, s.Min, "min_pairs")
		values := own.sub(5).unlessFree()
		s.Elem = element(entries.NewValue(), f.MapValue(), values)
		s.Key = b.judgePart(s.Key, f, empty, items, "keys",
			func(k any) any { return map[any]any{k: entries.NewValue().Interface()} })
		if given == nil {
			s.Elem = b.judgePart(s.Elem, f, empty, values, "values",
				func(v any) any { return map[any]any{key.Default().Interface(): v} })
		}
	case f.IsList():
		zero, s.Elem = []any{}, element(empty.NewField(f).List().NewElement(), f, items)
		unique := own.on(3) && f.Message() == nil
		if unique {
			enough(s.Elem, s.Min, "unique and min_items")
		}
		if given == nil {
			s.Elem = b.judgePart(s.Elem, f, empty, items, "items", func(v any) any { return []any{v} })
		}
		if unique {
			s = &bigen.Schema{Name: s.Name, Gen: distinct(s)}
		}
	default:
		s, zero = single(empty.NewField(f), f, r, required), f.Default().Interface()
	}
	if r.ignoresZero() && given == nil && zero != nil && !required && (r.old || !f.HasPresence()) {
		s = orZero(s, zero)
	}
	if given == nil {
		s = b.judgeField(s, f, empty, r)
	}
	return s
}

// single returns the schema of the values of a field that is not repeated, or of the elements of one.
// An example of them says which messages they are.
func (b *builder) single(
	example protoreflect.Value, f protoreflect.FieldDescriptor, r rules, required bool,
) *bigen.Schema {
	if f.Message() != nil {
		return b.part(f, example.Message().Type(), r)
	}
	return ruledScalar(f, r, required)
}

// orZero makes a zero value, or one of a schema.
func orZero(s *bigen.Schema, zero any) *bigen.Schema {
	return &bigen.Schema{Name: s.Name, Either: []bigen.SchemaPart{
		{Name: "zero", Schema: &bigen.Schema{Gen: bigen.Just(zero)}},
		{Name: "ruled", Schema: s},
	}}
}

// enough panics if a schema has fewer values than a rule wants to be distinct.
func enough(s *bigen.Schema, n int, rule string) {
	distinct := map[any]bool{}
	for _, v := range bigen.Enumerate(bigen.ForSchema(s)) {
		if b, ok := v.([]byte); ok {
			v = string(b)
		}
		if distinct[v] = true; len(distinct) >= min(n, mostCounted) {
			return
		}
	}
	if len(distinct) < n {
		panic(fmt.Sprintf("%s: %d distinct values, but only %d are allowed", rule, n, len(distinct)))
	}
}

// mostCounted bounds the values that enough counts.
const mostCounted = 300

// distinct makes the lists of a schema, with distinct elements.
func distinct(s *bigen.Schema) bigen.Gen[any] {
	most := s.Max
	if most == 0 {
		most = math.MaxInt32
	}
	return bigen.Any(bigen.DistinctBy(bigen.ForSchema(s.Elem), func(v any) any {
		if b, ok := v.([]byte); ok {
			return string(b)
		}
		return v
	}, s.Min, most))
}

// part returns the schema of the messages of a field, which keep the rules of the field.
func (b *builder) part(
	f protoreflect.FieldDescriptor, t protoreflect.MessageType, r rules,
) *bigen.Schema {
	d := t.Descriptor()
	_, given := b.with[d.FullName()]
	switch {
	case given:
	case r.has(durationRules), r.has(timestampRules):
		return &bigen.Schema{Name: string(f.FullName()), Gen: ruledSpan(f, t, r)}
	case d.FullName() == "google.protobuf.Any" && r.has(anyRules):
		s := &bigen.Schema{Name: string(f.FullName())}
		b.any(s, t, r.sub(anyRules))
		return s
	case r.has(maskRules):
		return ruledMask(f, t, r.sub(maskRules))
	case d.ParentFile().Path() == "google/protobuf/wrappers.proto":
		m := &message{typ: t, parts: []part{{field: d.Fields().Get(0)}}}
		return &bigen.Schema{
			Name: string(d.FullName()), Join: m.join, Split: m.split,
			All: []bigen.SchemaPart{{Name: "value", ID: "1",
				Schema: ruledScalar(d.Fields().Get(0), r, false)}},
		}
	}
	return b.message(t, r.free)
}
