package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/anypb"
)

// field returns a field of a message, whose content is the parts.
func field(number protowire.Number, parts ...string) string {
	tag := protowire.AppendTag(nil, number, protowire.BytesType)
	return string(protowire.AppendString(tag, strings.Join(parts, "")))
}

// varint returns a field of a message that is a number.
func varint(number protowire.Number, v uint64) string {
	return string(protowire.AppendVarint(protowire.AppendTag(nil, number, protowire.VarintType), v))
}

// tests returns a ResultSet with a message of int32 that must be above 3, and one whose rules
// exclude each other.
func tests(t *testing.T, cases ...string) []byte {
	t.Helper()
	p := &descriptorpb.FileDescriptorSet{}
	require.NoError(t, prototext.Unmarshal([]byte(`file {
		name: "a.proto" package: "a" syntax: "proto3"
		message_type { name: "Above" field { name: "v" number: 1 type: TYPE_INT32 label: LABEL_OPTIONAL } }
		message_type { name: "None" field { name: "v" number: 1 type: TYPE_INT32 label: LABEL_OPTIONAL } } }`), p))
	for i, rules := range []string{varint(4, 3), varint(4, 3) + varint(1, 2)} {
		o := &descriptorpb.FieldOptions{}
		o.ProtoReflect().SetUnknown([]byte(field(1159, field(3, rules))))
		p.File[0].MessageType[i].Field[0].Options = o
	}
	set, err := proto.Marshal(p)
	require.NoError(t, err)
	return []byte(field(3, field(1, "standard/int32"), strings.Join(cases, ""), field(5, string(set))))
}

// test returns a test with an instance of a message, and what a validator must say of it.
func test(t *testing.T, name, message string, v uint64, want string) string {
	t.Helper()
	value := &anypb.Any{TypeUrl: "type.googleapis.com/a." + message, Value: []byte(varint(1, v))}
	input, err := proto.Marshal(value)
	require.NoError(t, err)
	return field(4, field(1, name), field(3, want), field(5, string(input)))
}

var (
	isValid   = varint(1, 1)
	isInvalid = field(2)
	isBroken  = field(3)
)

// What the tests have is read and measured, and what differs from them is a failure.
func TestReport(t *testing.T) {
	all := options{only: regexp.MustCompile(""), values: 50}
	for name, c := range map[string]struct {
		cases []string
		row   string
		lines []string
		fails bool
	}{
		"as the tests say": {
			[]string{test(t, "yes", "Above", 4, isValid), test(t, "no", "Above", 3, isInvalid)},
			"standard\t1\t0\t1\t0\t0\t1 / 1\t1 / 1\t50\t0\t0\t", nil, false},
		"not as the tests say": {
			[]string{test(t, "yes", "Above", 3, isValid), test(t, "no", "Above", 4, isInvalid)},
			"standard\t1\t0\t1\t0\t0\t0 / 1\t0 / 1\t50\t0\t0\t",
			[]string{"FAIL\ta.Above\tstandard/int32/yes\tvalid, and the generator does not make it",
				"FAIL\ta.Above\tstandard/int32/no\tinvalid, and the generator makes it"}, true},
		"unsatisfiable": {[]string{test(t, "no", "None", 2, isInvalid)},
			"standard\t1\t0\t0\t1\t0\t0 / 0\t1 / 1\t0\t0\t0\t",
			[]string{"note\ta.None\t\trefused, and the tests have no valid instance"}, false},
		"refused": {[]string{test(t, "yes", "None", 2, isValid)},
			"standard\t1\t0\t0\t0\t1\t0 / 1\t0 / 0\t0\t0\t0\t",
			[]string{"FAIL\ta.None\t\trefused though satisfiable"}, true},
		"rules in error": {[]string{test(t, "rules", "None", 2, isBroken)},
			"standard\t1\t1\t0\t0\t0\t0 / 0\t0 / 0\t0\t0\t0\t", nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			messages, err := read(tests(t, c.cases...))
			require.NoError(t, err)
			var out strings.Builder
			err = report(&out, messages, all)
			require.Equal(t, c.fails, err != nil, out.String())
			require.Contains(t, out.String(), header+"\n"+c.row)
			for _, line := range c.lines {
				require.Contains(t, out.String(), line)
			}
		})
	}
}

// Values of violations are invalid, and what has none is noted.
func TestBroken(t *testing.T) {
	messages, err := read(tests(t, test(t, "yes", "Above", 4, isValid), test(t, "no", "Above", 3, isInvalid),
		test(t, "yes", "None", 2, isValid), test(t, "no", "None", 3, isInvalid)))
	require.NoError(t, err)
	var out strings.Builder
	require.NoError(t, report(&out, messages, options{only: regexp.MustCompile(""), values: 50, broken: true}))
	require.Contains(t, out.String(), brokenHeader+"\nstandard\t2\t1\t1\t50\t0\t50\n")
	require.Contains(t, out.String(), "note\ta.None\t\tit has no violation: bigenpb: the rules of the field")
}

// Each message is in one half.
func TestHalves(t *testing.T) {
	messages, err := read(tests(t, test(t, "yes", "Above", 4, isValid),
		test(t, "no", "None", 3, isInvalid)))
	require.NoError(t, err)
	for _, m := range messages {
		var out strings.Builder
		for _, half := range []string{"dev", "unseen"} {
			o := options{only: regexp.MustCompile(""), half: half}
			require.NoError(t, report(&out, []*message{m}, o))
		}
		require.Equal(t, 1, strings.Count(out.String(), "\nstandard\t"), out.String())
	}
}

// What cannot be measured is an error that says so.
func TestErrors(t *testing.T) {
	for args, want := range map[string]string{
		"x":               `there is no argument "x"`,
		"-half third":     "say dev or unseen",
		"-only (":         "missing closing )",
		"-dir /nowhere/x": "-dir must have a checkout bufbuild/protovalidate of " + commit,
	} {
		require.ErrorContains(t, run(t.Context(), strings.Fields(args), &strings.Builder{}), want)
	}
	for _, text := range []string{"", "\xff", field(3, "\xff"), field(3, field(5, "\xff"))} {
		_, err := read([]byte(text))
		require.Error(t, err)
	}
}
