package bigenpb

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/espalier-go/espalier/bigen"
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
			panic(fmt.Sprintf("bigenpb.Field(%q): the %s and the messages in it have no such field: give its name in the .proto file, or its full name if it is not a field of the %[2]s itself", g.name, b.root))
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

// derive returns the schema that the descriptor of a message tells.
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
	empty := t.New()
	for i := range d.Fields().Len() {
		f := d.Fields().Get(i)
		if o := f.ContainingOneof(); o != nil && !o.IsSynthetic() {
			if o.Fields().Get(0) == f {
				m.parts = append(m.parts, part{oneof: o})
				s.All = append(s.All, b.oneof(o, empty))
			}
			continue
		}
		m.parts = append(m.parts, part{field: f})
		s.All = append(s.All, bigen.SchemaPart{
			Name: string(f.Name()), ID: number(f), Schema: b.field(f, empty),
			Optional: f.HasPresence() && f.Cardinality() != protoreflect.Required,
		})
	}
	return s
}

func number(f protoreflect.FieldDescriptor) string { return strconv.Itoa(int(f.Number())) }

// oneof returns the part of one field of several, or none. Trees know it by its least number.
func (b *builder) oneof(o protoreflect.OneofDescriptor, empty protoreflect.Message) bigen.SchemaPart {
	s := &bigen.Schema{Name: string(o.FullName())}
	if o.FullName() != "google.protobuf.Value.kind" {
		s.Either = append(s.Either, bigen.SchemaPart{Name: "none", Schema: &bigen.Schema{Gen: bigen.Just[any](nil)}})
	}
	least := o.Fields().Get(0)
	for i := range o.Fields().Len() {
		f := o.Fields().Get(i)
		if f.Number() < least.Number() {
			least = f
		}
		s.Either = append(s.Either, bigen.SchemaPart{Name: number(f), Schema: &bigen.Schema{
			Name: string(f.FullName()),
			All:  []bigen.SchemaPart{{Name: string(f.Name()), ID: number(f), Schema: b.field(f, empty)}},
			Join: func(parts []any) any { return choice{f, parts[0]} },
			Split: func(v any) ([]any, error) {
				switch v, ok := v.(choice); {
				case !ok:
					return nil, fmt.Errorf("the oneof %s has no field", o.Name())
				case v.field != f:
					return nil, fmt.Errorf("the oneof %s has the field %s", o.Name(), v.field.Name())
				default:
					return []any{v.value}, nil
				}
			},
		}})
	}
	return bigen.SchemaPart{Name: string(o.Name()), ID: "oneof " + number(least), Schema: s}
}

// choice is the field of a oneof, with its value.
type choice struct {
	field protoreflect.FieldDescriptor
	value any
}

// field returns the schema of the values of a field of a message, which is empty.
func (b *builder) field(f protoreflect.FieldDescriptor, empty protoreflect.Message) *bigen.Schema {
	s := &bigen.Schema{Name: string(f.FullName())}
	given := b.given(f)
	if given != nil && given.whole(f) {
		s.Gen = given.parts(f)
		return s
	}
	single := func(v protoreflect.Value, f protoreflect.FieldDescriptor) *bigen.Schema {
		switch {
		case given != nil:
			return &bigen.Schema{Name: s.Name, Gen: given.parts(f)}
		case f.Message() != nil:
			return b.message(v.Message().Type())
		}
		return &bigen.Schema{Name: s.Name, Gen: scalar(f)}
	}
	switch {
	case f.IsMap():
		s.Key = &bigen.Schema{Gen: scalar(f.MapKey())}
		s.Elem = single(empty.NewField(f).Map().NewValue(), f.MapValue())
	case f.IsList():
		s.Elem = single(empty.NewField(f).List().NewElement(), f)
	default:
		return single(empty.NewField(f), f)
	}
	return s
}

// scalar makes the values of a field that has no message.
func scalar(f protoreflect.FieldDescriptor) bigen.Gen[any] {
	if g, ok := known(f.FullName()); ok {
		return g
	}
	switch f.Kind() {
	case protoreflect.BoolKind:
		return bigen.Any(bigen.Bool())
	case protoreflect.EnumKind:
		return bigen.Any(enum(f))
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return bigen.Any(bigen.Int[int32]())
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return bigen.Any(bigen.Int[uint32]())
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return bigen.Any(bigen.Int[int64]())
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return bigen.Any(bigen.Int[uint64]())
	case protoreflect.FloatKind:
		return bigen.Any(bigen.Float[float32]())
	case protoreflect.DoubleKind:
		return bigen.Any(bigen.Float[float64]())
	case protoreflect.StringKind:
		return bigen.Any(bigen.String(math.MaxInt32))
	case protoreflect.BytesKind:
		return bigen.Any(bigen.For[[]byte]())
	}
	panic(fmt.Sprintf("bigenpb: the field %s is of an unknown kind: %v", f.FullName(), f.Kind()))
}

// enum makes the values of an enum, the default first. Of several names of a number, the first
// counts.
func enum(f protoreflect.FieldDescriptor) bigen.Gen[protoreflect.EnumNumber] {
	values := f.Enum().Values()
	var numbers []protoreflect.EnumNumber
	var alts []bigen.Alt[protoreflect.EnumNumber]
	add := func(v protoreflect.EnumValueDescriptor) {
		if !slices.Contains(numbers, v.Number()) {
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
	if !f.Enum().IsClosed() && f.Enum().FullName() != "google.protobuf.NullValue" {
		other := bigen.As[protoreflect.EnumNumber](bigen.Int[int32]())
		alts = append(alts, bigen.Tag("other", other).Weight(float64(len(alts))/16))
	}
	return bigen.Pick(alts...)
}
