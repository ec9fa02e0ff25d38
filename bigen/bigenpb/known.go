package bigenpb

import (
	"bytes"
	"fmt"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/espalier-go/espalier/bigen"
)

// known returns the generator of a field of a well-known type whose values must be valid.
func known(field protoreflect.FullName) (g bigen.Gen[any], ok bool) {
	switch field {
	case "google.protobuf.Timestamp.seconds": // of the years 1 to 9999
		return bigen.Any(bigen.IntRange[int64](-62_135_596_800, 253_402_300_799)), true
	case "google.protobuf.Timestamp.nanos":
		return bigen.Any(bigen.IntRange[int32](0, 1e9-1)), true
	case "google.protobuf.Value.number_value":
		return bigen.Any(bigen.Float[float64](bigen.NoNaN, bigen.NoInf)), true
	case "google.protobuf.FieldMask.paths":
		return bigen.Any(bigen.Pick(
			bigen.Tag("short", bigen.Matching(`[a-z]+(_[a-z]+)?(\.[a-z]+)?`)),
			bigen.Tag("long",
				bigen.Matching(
					`[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*(\.[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*)*`)).Weight(0.05),
		)), true
	}
	return g, false
}

// span is a Duration, or a Timestamp.
type span struct {
	Seconds int64
	Nanos   int32
}

// duration makes a google.protobuf.Duration, whose parts have the same sign.
func duration(t protoreflect.MessageType) bigen.Gen[any] {
	const most = 315_576_000_000 // 10,000 years
	return spans(t, bigen.Struct(func(c *bigen.C, s *span) {
		bigen.At(c, &s.Seconds, bigen.IntRange[int64](-most, most))
		var lo, hi int32 = -(1e9 - 1), 1e9 - 1
		if s.Seconds > 0 {
			lo = 0
		} else if s.Seconds < 0 {
			hi = 0
		}
		bigen.At(c, &s.Nanos, bigen.IntRange(lo, hi))
	}))
}

// spans makes the messages of a type that have the parts that g makes.
func spans(t protoreflect.MessageType, g bigen.Gen[span]) bigen.Gen[any] {
	seconds, nanos := t.Descriptor().Fields().ByName("seconds"),
		t.Descriptor().Fields().ByName("nanos")
	m := &message{typ: t, parts: []part{{field: seconds}, {field: nanos}}}
	return bigen.Iso(g, func(s span) any { return m.join([]any{s.Seconds, s.Nanos}) },
		func(v any) (s span, ok bool) {
			parts, err := m.split(v)
			if err != nil {
				return s, false
			}
			return span{parts[0].(int64), parts[1].(int32)}, true
		})
}

// any makes s the schema of a google.protobuf.Any that holds one of some messages.
func (b *builder) any(s *bigen.Schema, t protoreflect.MessageType) {
	fields := t.Descriptor().Fields()
	outer := &message{
		typ:   t,
		parts: []part{{field: fields.ByName("type_url")}, {field: fields.ByName("value")}},
	}
	for _, held := range b.anyOf {
		name := string(held.Descriptor().FullName())
		s.Either = append(s.Either, bigen.SchemaPart{Name: name, Schema: &bigen.Schema{
			Name: "an Any of " + name,
			All:  []bigen.SchemaPart{{Name: "value", Schema: b.message(held)}},
			Join: func(parts []any) any {
				return outer.join([]any{anyPrefix + name, marshal(parts[0].(protoreflect.Message))})
			},
			Split: func(v any) ([]any, error) {
				parts, err := outer.split(v)
				if err != nil {
					return nil, err
				}
				if url := parts[0].(string); url != anyPrefix+name {
					return nil, fmt.Errorf("the Any has the type %q", url)
				}
				m := held.New()
				if err := proto.Unmarshal(parts[1].([]byte), m.Interface()); err != nil {
					return nil, fmt.Errorf("the bytes in the Any are not a %s: %v", name, err)
				}
				if !bytes.Equal(marshal(m), parts[1].([]byte)) {
					return nil, fmt.Errorf("deterministic marshaling makes other bytes than the Any has")
				}
				return []any{m}, nil
			},
		}})
	}
}

const anyPrefix = "type.googleapis.com/"

// marshal returns the bytes of a message that the generator makes: always the same.
func marshal(m protoreflect.Message) []byte {
	b, err := proto.MarshalOptions{Deterministic: true, AllowPartial: true}.Marshal(m.Interface())
	if err != nil {
		panic(fmt.Sprintf("bigenpb: the generator makes a %s that cannot be marshaled: %v",
			m.Descriptor().FullName(), err))
	}
	return b
}
