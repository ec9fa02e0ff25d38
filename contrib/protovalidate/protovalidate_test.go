package protovalidate_test

import (
	"fmt"
	"testing"

	"buf.build/gen/go/bufbuild/protovalidate/protocolbuffers/go/buf/validate"
	buf "buf.build/go/protovalidate"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigenpb"
	"github.com/espalier-go/espalier/bigen/bigentest"
	"github.com/espalier-go/espalier/contrib/protovalidate"
)

// ruled returns a message with rules: FieldRules of the fields begin, end, list and map, in text, and
// MessageRules.
func ruled(t *testing.T, message string, fields map[string]string) protoreflect.MessageDescriptor {
	t.Helper()
	p := &descriptorpb.FileDescriptorProto{}
	require.NoError(t, prototext.Unmarshal([]byte(`name: "booking.proto" package: "test" syntax: "proto3"
		message_type { name: "Booking"
			field { name: "begin" number: 1 type: TYPE_INT32 label: LABEL_OPTIONAL }
			field { name: "end" number: 2 type: TYPE_INT32 label: LABEL_OPTIONAL }
			field { name: "list" number: 3 type: TYPE_INT32 label: LABEL_REPEATED }
			field { name: "map" number: 4 type: TYPE_MESSAGE type_name: ".test.Booking.MapEntry" label: LABEL_REPEATED }
			field { name: "next" number: 5 type: TYPE_MESSAGE type_name: ".test.Booking" label: LABEL_OPTIONAL }
			nested_type { name: "MapEntry" options { map_entry: true }
				field { name: "key" number: 1 type: TYPE_INT32 label: LABEL_OPTIONAL }
				field { name: "value" number: 2 type: TYPE_INT32 label: LABEL_OPTIONAL } } }`), p))
	m := p.MessageType[0]
	rules := &validate.MessageRules{}
	require.NoError(t, prototext.Unmarshal([]byte(message), rules))
	m.Options = &descriptorpb.MessageOptions{}
	proto.SetExtension(m.Options, validate.E_Message, rules)
	for _, f := range m.Field {
		rules := &validate.FieldRules{}
		require.NoError(t, prototext.Unmarshal([]byte(fields[f.GetName()]), rules))
		f.Options = &descriptorpb.FieldOptions{}
		proto.SetExtension(f.Options, validate.E_Field, rules)
	}
	file, err := protodesc.NewFile(p, nil)
	require.NoError(t, err)
	return file.Messages().Get(0)
}

func parse(t *testing.T, d protoreflect.MessageDescriptor, text string) *dynamicpb.Message {
	t.Helper()
	m := dynamicpb.NewMessage(d)
	require.NoError(t, prototext.Unmarshal([]byte(text), m))
	return m
}

const even = `cel { id: "even" message: "it is odd" expression: "this % 2 == 0" }`

// Messages keep rules in CEL of messages, fields, items, keys and values, at any depth. Backward,
// invalid ones are refused, and the reason is the rule's.
func TestRules(t *testing.T) {
	order := `cel { id: "order" message: "it begins and has no end" expression: "this.begin == 0 || this.end != 0" }`
	few := `cel_expression: "this.size() < 4"`
	d := ruled(t, order, map[string]string{
		"begin": even, "list": few + ` repeated { items { ` + even + ` } }`,
		"map": few + ` map { keys { ` + even + ` } values { ` + even + ` } }`,
	})
	g := bigenpb.Dynamic(d, protovalidate.Rules(nil))
	lists, maps, nested := 0, 0, 0
	bigentest.Laws(t, g, bigentest.Runs(5))
	bigentest.Sound(t, g, func(m *dynamicpb.Message) bool {
		fields := d.Fields()
		lists += m.Get(fields.ByName("list")).List().Len()
		maps += m.Get(fields.ByName("map")).Map().Len()
		if m.Has(fields.ByName("next")) {
			nested++
		}
		return buf.Validate(m) == nil
	}, bigentest.Runs(50))
	for _, made := range []int{lists, maps, nested} {
		require.Greater(t, made, 0)
	}
	const good = "begin: 2 end: 3 list: [4, 6] map: {key: 8 value: -2}"
	bigentest.Value(t, g, parse(t, d, good+" next: {"+good+"}"))
	for bad, why := range map[string]string{
		"begin: 2":                "it begins and has no end",
		"begin: 1 end: 3":         "begin: it is odd",
		"list: [0, 1]":            "list[1]: it is odd",
		"list: [0, 0, 0, 0]":      `"this.size() < 4" returned false`,
		"map: {key: 1}":           "map[1]: it is odd",
		"map: {value: 1}":         "map[0]: it is odd",
		"next: {begin: 1 end: 1}": "begin: it is odd",
	} {
		require.ErrorContains(t, bigen.Check(g, parse(t, d, bad)), why, bad)
	}
}

// Given generators have precedence over rules of fields, not over those of messages.
func TestGiven(t *testing.T) {
	d := ruled(t, `cel_expression: "this.end == 0"`, map[string]string{"begin": even})
	g := bigenpb.Dynamic(d, protovalidate.Rules(nil), bigenpb.Field("begin", bigen.Just[int32](3)),
		bigenpb.Field("end", bigen.OneOf[int32](0, 1)))
	bigentest.Value(t, g, parse(t, d, "begin: 3"))
	require.ErrorContains(t, bigen.Check(g, parse(t, d, "begin: 3 end: 1")), "this.end == 0")
}

// If hardly any value is valid, or rules do not compile, the panic says where and why.
func TestRejected(t *testing.T) {
	for name, c := range map[string]struct {
		message string
		fields  map[string]string
		want    []string
	}{
		"field": {"", map[string]string{"end": even,
			"begin": `cel { id: "one" message: "it is not 123456" expression: "this == 123456" }`},
			[]string{"of the field test.Booking.begin", "begin: it is not 123456", "bigenpb.Field"}},
		"items": {"", map[string]string{"list": `repeated { min_items: 1 items { cel_expression: "false" } }`},
			[]string{"of the items of the field test.Booking.list", `"false" returned false`}},
		"message": {`cel_expression: "this.begin == this.end + 123456"`, nil,
			[]string{"of the message test.Booking", "returned false", "bigenpb.With"}},
		"no expression": {"", map[string]string{"begin": `cel_expression: "this.none"`},
			[]string{"of the field test.Booking.begin", "compil"}},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				p := fmt.Sprint(recover())
				require.Contains(t, p, "bigenpb: none of 20 random values of test.Booking passes")
				for _, want := range c.want {
					require.Contains(t, p, want)
				}
			}()
			bigenpb.Dynamic(ruled(t, c.message, c.fields), protovalidate.Rules(nil))
		})
	}
}
