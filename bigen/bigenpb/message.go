// Package bigenpb derives generators of protobuf messages from their descriptors.
//
//	gen := bigenpb.Message[*endpointv3.ClusterLoadAssignment](
//		bigenpb.Field("cluster_name", bigen.Matching("[a-z]{1,20}")))
//
// Such a generator runs both ways, like any other of package bigen. For a Go struct that
// has a message, pass it to [bigen.For] as the option bigen.With(gen).
//
// Values keep the validation rules in the options of fields, oneofs and messages, of protovalidate
// (buf.validate) and protoc-gen-validate (validate.rules): const, in, not_in, bounds and lengths,
// patterns, formats such as email and uuid, rules of elements and entries, of Durations, Timestamps
// and wrappers, of type URLs and field masks, what is required, what is ignored, and what a zero
// value need not keep. Rules about the present time hold from when the generator is made until ten
// minutes later. CEL expressions and predefined rules are not read: such values are made as if there
// were no rules. The module contrib/protovalidate reads them.
//
// It is a package of its own, so that other tests do not link protobuf.
package bigenpb

import (
	"fmt"
	"reflect"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/espalier-go/espalier/bigen"
)

// Message makes messages of any generated type, from their descriptor, whatever their syntax or
// edition:
//
//   - A field with presence may be absent. A required field is present.
//   - Numbers, texts and bytes take any value; texts are valid UTF-8. An enum takes its values
//     and, if it is open, sometimes another number.
//   - A oneof has one of its fields, or none.
//   - Values keep the validation rules in options. A [Field] has precedence. Bounded floats are
//     finite. Addresses in texts are written as String of netip does, and headers are strict.
//     Durations with rules have at most 285 years, and Timestamps are at most as far from 1970.
//   - Messages may be recursive. Values have the same sizes as with [bigen.For].
//   - The well-known types Timestamp, Duration, Value and FieldMask are valid. An Any is empty,
//     unless [AnyOf] lists what it may hold, or the rule any.in does.
//   - Extensions and unknown fields are never set.
//
// Backward, it reads any such message, and says which part it does not make. It reads messages of
// any size.
//
// Choices are addressed by the numbers of fields, and a field of a oneof has its number as the
// tag. So trees and corpora survive a new, renamed or moved field. Enum values have their names
// as tags.
//
// Message panics if M is an interface, if an option does not fit, if it finds no value that keeps
// the rules of a field, or if a message contains itself in a required field. Call it once, in a
// variable: deriving a generator takes longer than running it.
func Message[M proto.Message](opts ...Option) bigen.Gen[M] {
	return typed[M](typeOf[M]("Message"), opts)
}

// typeOf returns the message type of M. It panics, in the name of a function, if M does not
// determine the type.
func typeOf[M proto.Message](function string) protoreflect.MessageType {
	var zero M
	switch any(zero).(type) {
	case nil, *dynamicpb.Message:
		panic(
			fmt.Sprintf("bigenpb.%s[%v]: the type does not tell the fields of the message: give "+
				"a generated type, or use bigenpb.Dynamic", function, reflect.TypeFor[M]()))
	}
	return zero.ProtoReflect().Type()
}

// Dynamic makes the messages of a descriptor that is known when the program runs. See [Message].
func Dynamic(d protoreflect.MessageDescriptor, opts ...Option) bigen.Gen[*dynamicpb.Message] {
	return typed[*dynamicpb.Message](dynamicpb.NewMessageType(d), opts)
}

func typed[M proto.Message](t protoreflect.MessageType, opts []Option) bigen.Gen[M] {
	b, schema := newBuilder(t, opts)
	gen := bigen.ForSchema(schema)
	if b.judge != nil {
		b.judge.examine(gen, t.Descriptor().FullName())
	}
	return messages[M](gen)
}

// messages makes the messages that values of a schema hold.
func messages[M proto.Message](gen bigen.Gen[any]) bigen.Gen[M] {
	return bigen.Iso(gen, fromPart[M], func(m M) (any, bool) {
		if reflect.ValueOf(m).IsNil() {
			return nil, false
		}
		return m.ProtoReflect(), true
	})
}

// fromPart returns the message that a value of a schema holds.
func fromPart[M proto.Message](v any) M { return v.(protoreflect.Message).Interface().(M) }

// An Option changes how [Message] makes parts of messages.
type Option func(*builder)

// With makes every M that is in the message by g.
func With[M proto.Message](g bigen.Gen[M]) Option {
	name := typeOf[M]("With").Descriptor().FullName()
	return func(b *builder) {
		b.with[name] = bigen.Iso(g, func(m M) any { return m.ProtoReflect() },
			func(v any) (m M, ok bool) {
				r, ok := v.(protoreflect.Message)
				if ok {
					m, ok = r.Interface().(M)
				}
				return m, ok
			})
	}
}

// Field makes one field by g. The name is the name of a field of the message itself, or the full
// name of a field of any message in it, such as envoy.config.endpoint.v3.Endpoint.hostname. V is
// the field's type in Go, without a pointer. If the field is repeated, g makes all elements, a
// []V, or each of them, a V; if it is a map, its values. A field that has a generator and
// presence may still be absent. Empty slices and maps are nil. If a field has several
// generators, the last counts.
//
// [Message] panics if there is no such field, or if it has another type.
func Field[V any](name string, g bigen.Gen[V]) Option {
	return func(b *builder) { b.fields = append(b.fields, newFieldGen(name, g)) }
}

// AnyOf makes each google.protobuf.Any hold one of the messages of these types, by the generator
// of its type. Only the types of the arguments count. An Any may be absent like any other
// message. Deterministic marshaling makes the bytes in an Any; other bytes are not read
// backward.
func AnyOf(types ...proto.Message) Option {
	return func(b *builder) {
		for _, m := range types {
			b.anyOf = append(b.anyOf, m.ProtoReflect().Type())
		}
	}
}
