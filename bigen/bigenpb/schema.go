package bigenpb

import (
	"fmt"
	"math"
	"strconv"

	"github.com/espalier-go/espalier/bigen"
	"golang.org/x/exp/slices"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Parts of schemas hold messages as protoreflect.Message, enums as protoreflect.EnumNumber, and
// other values as protoreflect does.

// builder makes the schema of a message.
type builder struct {
	with    map[protoreflect.FullName]bigen.Gen[any]
	fields  []*fieldGen
	anyOf   []protoreflect.MessageType
	root    protoreflect.FullName
	schemas map[protoreflect.MessageDescriptor]*bigen.Schema
}

func newSchema(t protoreflect.MessageType, opts []Option) *bigen.Schema {
	b := &builder{
		root:    t.Descriptor().FullName(),
		with:    map[protoreflect.FullName]bigen.Gen[any]{},
		schemas: map[protoreflect.MessageDescriptor]*bigen.Schema{},
	}
	for _, o := range opts {
		o(b)
	}
	s := b.derive(t)
	for _, g := range b.fields {
		if !g.used {
			panic(
				fmt.Sprintf("bigenpb.Field(%q): the %s and the messages in it have no such "+
					"field: give its name in the .proto file, or its full name if it is not a "+
					"field of the %[2]s itself", g.name, b.root))
		}
	}
	return s
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

// message returns the schema of the messages of a type that are in another.
func (b *builder) message(t protoreflect.MessageType) *bigen.Schema {
	d := t.Descriptor()
	if g, ok := b.with[d.FullName()]; ok {
		return &bigen.Schema{Name: string(d.FullName()), Gen: g}
	}
	if s := b.schemas[d]; s != nil {
		return s
	}
	return b.derive(t)
}

// derive returns the schema that the descriptor of a message describes.
func (b *builder) derive(t protoreflect.MessageType) *bigen.Schema {
	d := t.Descriptor()
	s := &bigen.Schema{Name: string(d.FullName())}
	b.schemas[d] = s
	m := &message{typ: t}
	s.Join, s.Split = m.join, m.split
	switch d.FullName() {
	case "google.protobuf.Any":
		if len(b.anyOf) > 0 {
			b.any(s, t)
		}
		m.empty = true
		return s
	case "google.protobuf.Duration":
		s.Gen = duration(t)
		return s
	}
	empty, oneofs := t.New(), oneofsOf(d)
	for i := range d.Fields().Len() {
		f := d.Fields().Get(i)
		if i := slices.IndexFunc(oneofs,
			func(o oneof) bool { return slices.Contains(o.fields, f) }); i >= 0 {
			if o := oneofs[i]; o.fields[0] == f {
				m.parts = append(m.parts, part{oneof: o.fields})
				s.All = append(s.All, b.oneof(o, empty))
			}
			continue
		}
		r := rulesOf(f)
		required := f.Cardinality() == protoreflect.Required ||
			r.required() && (f.HasPresence() || b.given(f) == nil)
		m.parts = append(m.parts, part{field: f, required: required})
		s.All = append(s.All, bigen.SchemaPart{
			Name: string(f.Name()), ID: number(f),
			Schema:   b.field(f, empty, r, required && !f.HasPresence()),
			Optional: f.HasPresence() && !required,
		})
	}
	return s
}

func number(f protoreflect.FieldDescriptor) string { return strconv.Itoa(int(f.Number())) }

// oneof is a group of fields. Only one may be set.
type oneof struct {
	name     string
	fields   []protoreflect.FieldDescriptor
	required bool
}

// oneofsOf returns the oneofs of a message, including those that rules of the message declare.
func oneofsOf(d protoreflect.MessageDescriptor) (all []oneof) {
	for i := range d.Oneofs().Len() {
		o := d.Oneofs().Get(i)
		if o.IsSynthetic() {
			continue
		}
		options := optionsOf(o)
		one := oneof{name: string(o.Name()), required: options.on(protocGenValidate) ||
			options.sub(protovalidate).on(1) || o.FullName() == "google.protobuf.Value.kind"}
		for i := range o.Fields().Len() {
			one.fields = append(one.fields, o.Fields().Get(i))
		}
		all = append(all, one)
	}
	for _, v := range optionsOf(d).sub(protovalidate).fields[4] {
		r := readRules([]byte(v.bytes), false)
		one := oneof{name: "oneof", required: r.on(2)}
		for _, name := range r.fields[1] {
			f := d.Fields().ByName(protoreflect.Name(name.bytes))
			if f != nil &&
				!slices.ContainsFunc(all, func(o oneof) bool { return slices.Contains(o.fields, f) }) {
				one.fields = append(one.fields, f)
			}
		}
		slices.SortFunc(one.fields, func(f, g protoreflect.FieldDescriptor) int {
			return f.Index() - g.Index()
		})
		all = append(all, one)
	}
	return all
}

// oneof returns the part for one of several fields, or for none. Trees identify it by the
// smallest number of the fields.
func (b *builder) oneof(o oneof, empty protoreflect.Message) bigen.SchemaPart {
	s := &bigen.Schema{Name: string(empty.Descriptor().FullName()) + "." + o.name}
	must := slices.IndexFunc(o.fields, func(f protoreflect.FieldDescriptor) bool {
		r := rulesOf(f)
		return !r.old && r.required() // in protoc-gen-validate, if the oneof has this field
	})
	if !o.required && must < 0 {
		s.Either = append(s.Either, bigen.SchemaPart{
			Name:   "none",
			Schema: &bigen.Schema{Gen: bigen.Just[any](nil)},
		})
	}
	least := o.fields[0]
	for i, f := range o.fields {
		if f.Number() < least.Number() {
			least = f
		}
		if must >= 0 && i != must {
			continue
		}
		s.Either = append(s.Either, bigen.SchemaPart{Name: number(f), Schema: &bigen.Schema{
			Name: string(f.FullName()),
			All: []bigen.SchemaPart{{Name: string(f.Name()), ID: number(f),
				Schema: b.field(f, empty, rulesOf(f), !f.HasPresence())}},
			Join: func(parts []any) any { return choice{f, parts[0]} },
			Split: func(v any) ([]any, error) {
				switch v, ok := v.(choice); {
				case !ok:
					return nil, fmt.Errorf("the oneof %s has no field", o.name)
				case v.field != f:
					return nil, fmt.Errorf("the oneof %s has the field %s", o.name, v.field.Name())
				default:
					return []any{v.value}, nil
				}
			},
		}})
	}
	return bigen.SchemaPart{Name: o.name, ID: "oneof " + number(least), Schema: s}
}

// choice is the field of a oneof, with its value.
type choice struct {
	field protoreflect.FieldDescriptor
	value any
}

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
	single :=
		func(v protoreflect.Value, f protoreflect.FieldDescriptor, r rules, required bool) *bigen.Schema {
			switch {
			case given != nil:
				return &bigen.Schema{Name: s.Name, Gen: given.parts(f)}
			case f.Message() != nil:
				return b.part(f, v.Message().Type(), r)
			}
			return ruledScalar(f, r, required)
		}
	var zero any
	own := r.sub(repeatedRules)
	if f.IsMap() {
		own = r.sub(mapRules)
	}
	if s.Min, s.Max = int(own.last(1).bits), int(own.last(2).bits); required {
		s.Min = max(s.Min, 1)
	}
	switch {
	case f.IsMap():
		zero, s.Key = map[any]any{}, ruledScalar(f.MapKey(), own.sub(4), false)
		enough(s.Key, s.Min, "min_pairs")
		s.Elem = single(empty.NewField(f).Map().NewValue(), f.MapValue(), own.sub(5), false)
	case f.IsList():
		zero, s.Elem = []any{}, single(empty.NewField(f).List().NewElement(), f, own.sub(4), false)
		if own.on(3) && f.Message() == nil {
			enough(s.Elem, s.Min, "unique and min_items")
			s = &bigen.Schema{Name: s.Name, Gen: distinct(s)}
		}
	default:
		s, zero = single(empty.NewField(f), f, r, required), f.Default().Interface()
	}
	if r.ignoresZero() && given == nil && zero != nil && !required && (r.old || !f.HasPresence()) {
		s = &bigen.Schema{Name: s.Name, Either: []bigen.SchemaPart{
			{Name: "zero", Schema: &bigen.Schema{Gen: bigen.Just(zero)}},
			{Name: "ruled", Schema: s},
		}}
	}
	return s
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
	case d.ParentFile().Path() == "google/protobuf/wrappers.proto":
		m := &message{typ: t, parts: []part{{field: d.Fields().Get(0)}}}
		return &bigen.Schema{
			Name: string(d.FullName()), Join: m.join, Split: m.split,
			All: []bigen.SchemaPart{{Name: "value", ID: "1",
				Schema: ruledScalar(d.Fields().Get(0), r, false)}},
		}
	}
	return b.message(t)
}

// scalar makes the values of a field that has no message. They keep rules.
func scalar(f protoreflect.FieldDescriptor, r rules) ruled {
	if g, ok := known(f.FullName()); ok {
		return ruled{gen: g}
	}
	switch f.Kind() {
	case protoreflect.BoolKind:
		if r.has(1) {
			return ruled{gen: bigen.Any(bigen.Just(r.on(1)))}
		}
		return ruled{gen: bigen.Any(bigen.Bool())}
	case protoreflect.EnumKind:
		return ruled{gen: bigen.Any(enum(f, r))}
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return integers(f, r, math.MinInt32, math.MaxInt32, bigen.Int[int32]())
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return integers(f, r, 0, math.MaxUint32, bigen.Int[uint32]())
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return integers(f, r, math.MinInt64, math.MaxInt64, bigen.Int[int64]())
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return integers(f, r, 0, math.MaxUint64, bigen.Int[uint64]())
	case protoreflect.FloatKind:
		of := func(v ruleValue) float32 { return math.Float32frombits(uint32(v.bits)) }
		return floats(r, of, math.Nextafter32, math.MaxFloat32, bigen.Float[float32]())
	case protoreflect.DoubleKind:
		of := func(v ruleValue) float64 { return math.Float64frombits(v.bits) }
		return floats(r, of, math.Nextafter, math.MaxFloat64, bigen.Float[float64]())
	case protoreflect.StringKind, protoreflect.BytesKind:
		return texts(r, f.Kind() == protoreflect.BytesKind)
	}
	panic(fmt.Sprintf("bigenpb: the field %s is of an unknown kind: %v", f.FullName(), f.Kind()))
}

// enum makes the values of an enum, the default first. If a number has several names, the
// first counts. The values keep rules.
func enum(f protoreflect.FieldDescriptor, r rules) bigen.Gen[protoreflect.EnumNumber] {
	has := func(rule protowire.Number, n protoreflect.EnumNumber) bool {
		return slices.ContainsFunc(r.fields[rule], func(v ruleValue) bool {
			return protoreflect.EnumNumber(v.bits) == n
		})
	}
	listed := r.has(1) || r.has(3)
	values := f.Enum().Values()
	var numbers []protoreflect.EnumNumber
	var alts []bigen.Alt[protoreflect.EnumNumber]
	add := func(v protoreflect.EnumValueDescriptor) {
		if n := v.Number(); !slices.Contains(numbers, n) && (!r.has(1) || has(1, n)) &&
			(!r.has(3) || has(3, n)) && !has(4, n) {
			numbers = append(numbers, v.Number())
			alts = append(alts, bigen.Tag(string(v.Name()), bigen.Just(v.Number())))
		}
	}
	if v := f.DefaultEnumValue(); v != nil {
		add(v)
	}
	for i := range values.Len() {
		add(values.Get(i))
	}
	if open := !f.Enum().IsClosed() && !r.on(2); open {
		for _, v := range append(slices.Clone(r.fields[1]), r.fields[3]...) { // numbers without a name
			n := protoreflect.EnumNumber(v.bits)
			if !slices.Contains(numbers, n) && !has(4, n) && (!r.has(1) || has(1, n)) &&
				(!r.has(3) || has(3, n)) {
				numbers = append(numbers, n)
				alts = append(alts, bigen.Tag(strconv.Itoa(int(n)), bigen.Just(n)))
			}
		}
	}
	if !listed && !r.on(2) && !f.Enum().IsClosed() &&
		f.Enum().FullName() != "google.protobuf.NullValue" {
		other := bigen.As[protoreflect.EnumNumber](bigen.Int[int32]())
		if r.has(4) {
			other = bigen.SuchThat(other, func(n protoreflect.EnumNumber) bool { return !has(4, n) })
		}
		alts = append(alts, bigen.Tag("other", other).Weight(float64(len(alts))/16))
	}
	if len(alts) == 0 {
		panic("they exclude each other: no value of the enum keeps all of them")
	}
	return bigen.Pick(alts...)
}
