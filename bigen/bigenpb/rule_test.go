package bigenpb_test

import (
	"fmt"
	"math"
	"net/mail"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigenpb"
	"github.com/espalier-go/espalier/bigen/bigentest"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// Fields of messages of rules, as bytes.
func ruleNumber(number protowire.Number, bits uint64) string {
	return string(protowire.AppendVarint(protowire.AppendTag(nil, number, protowire.VarintType), bits))
}

func ruleFloat(number protowire.Number, f float32) string {
	return string(protowire.AppendFixed32(protowire.AppendTag(nil, number, protowire.Fixed32Type),
		math.Float32bits(f)))
}

func ruleText(number protowire.Number, parts ...string) string {
	return string(protowire.AppendString(protowire.AppendTag(nil, number, protowire.BytesType),
		strings.Join(parts, "")))
}

func ruleDouble(number protowire.Number, f float64) string {
	return string(protowire.AppendFixed64(protowire.AppendTag(nil, number, protowire.Fixed64Type),
		math.Float64bits(f)))
}

const on, off = 1, 0

// withRules returns the message M of a field v. The bytes are FieldRules.
func withRules(extension protowire.Number, rules, field string) protoreflect.MessageDescriptor {
	return withOptions(field, func(m *descriptorpb.DescriptorProto) {
		for _, f := range m.Field {
			if f.GetName() == "v" {
				f.Options = &descriptorpb.FieldOptions{}
				f.Options.ProtoReflect().SetUnknown([]byte(ruleText(extension, rules)))
			}
		}
	})
}

func withOptions(
	body string, edit func(*descriptorpb.DescriptorProto),
) protoreflect.MessageDescriptor {
	p := &descriptorpb.FileDescriptorProto{}
	if err := prototext.Unmarshal([]byte(`name: "ruled.proto" package: "ruled" syntax: "proto3"
		dependency: "google/protobuf/duration.proto" dependency: "google/protobuf/timestamp.proto" dependency: "google/protobuf/wrappers.proto"
		dependency: "google/protobuf/any.proto" dependency: "google/protobuf/field_mask.proto"
		enum_type { name: "Size" value { name: "NONE" number: 0 } value { name: "SMALL" number: 1 } value { name: "LARGE" number: 2 } }
		message_type { name: "M" `+body+`
			nested_type { name: "VEntry" options { map_entry: true }
				field { name: "key" number: 1 type: TYPE_STRING label: LABEL_OPTIONAL }
				field { name: "value" number: 2 type: TYPE_INT32 label: LABEL_OPTIONAL } } }`), p); err != nil {
		panic(err)
	}
	edit(p.MessageType[0])
	d, err := protodesc.NewFile(p, protoregistry.GlobalFiles)
	if err != nil {
		panic(err)
	}
	return d.Messages().ByName("M")
}

func typed(typ string) string {
	return `field { name: "v" number: 1 label: LABEL_OPTIONAL type: ` + typ + ` }`
}

// optional is a field that has presence.
func optional(typ string) string {
	return `field { name: "v" number: 1 label: LABEL_OPTIONAL proto3_optional: true oneof_index: 0 type: ` + typ +
		` } oneof_decl { name: "_v" }`
}

func listed(typ string) string { return strings.Replace(typed(typ), "OPTIONAL", "REPEATED", 1) }

const (
	validate    = 1159
	oldValidate = 1071

	aDuration = `TYPE_MESSAGE type_name: ".google.protobuf.Duration"`
	aTime     = `TYPE_MESSAGE type_name: ".google.protobuf.Timestamp"`
	anAny     = `TYPE_MESSAGE type_name: ".google.protobuf.Any"`
	aMask     = `TYPE_MESSAGE type_name: ".google.protobuf.FieldMask"`
	aWrapper  = `TYPE_MESSAGE type_name: ".google.protobuf.StringValue"`
	aSize     = `TYPE_ENUM type_name: ".ruled.Size"`
)

// Values keep the rules of options. Backward, values that break one are refused.
func TestRules(t *testing.T) {
	matches := func(expr string) func(protoreflect.Value) bool {
		re := regexp.MustCompile(expr)
		return func(v protoreflect.Value) bool { return re.MatchString(v.String()) }
	}
	nanoseconds := func(v protoreflect.Value) int64 {
		m := v.Message()
		return m.Get(m.Descriptor().Fields().ByNumber(1)).Int()*1e9 +
			m.Get(m.Descriptor().Fields().ByNumber(2)).Int()
	}
	sint := func(n int64) uint64 { return protowire.EncodeZigZag(n) }
	minus := func(n int64) uint64 { return uint64(-n) }
	for _, c := range []struct {
		name, field, rules, good, bad, want string
		keeps                               func(v protoreflect.Value) bool
	}{
		{"int32", typed("TYPE_INT32"),
			ruleText(3, ruleNumber(4, 3), ruleNumber(2, 10), ruleNumber(7, 5)), "v: 9", "v: 5",
			"at /v: the value breaks the rule not_in",
			func(v protoreflect.Value) bool { return 3 < v.Int() && v.Int() < 10 && v.Int() != 5 }},
		{"sint64 outside", typed("TYPE_SINT64"),
			ruleText(8, ruleNumber(4, sint(10)), ruleNumber(3, sint(-3))), "v: -3", "v: 10",
			"at /v: none of the alternatives below, above makes it",
			func(v protoreflect.Value) bool { return v.Int() <= -3 || v.Int() > 10 }},
		{"int64", typed("TYPE_INT64"), ruleText(4, ruleNumber(6, minus(1)), ruleNumber(6, 7)),
			"v: -1", "v: 0", "none of the alternatives -1, 7",
			func(v protoreflect.Value) bool { return v.Int() == -1 || v.Int() == 7 }},
		{"uint64", typed("TYPE_UINT64"), ruleText(6, ruleNumber(5, 1<<63)),
			"v: 9223372036854775808", "v: 9", "9 not in [9223372036854775808",
			func(v protoreflect.Value) bool { return v.Uint() >= 1<<63 }},
		{"float", typed("TYPE_FLOAT"), ruleText(1, ruleFloat(4, 0.5), ruleFloat(3, 1)), "v: 1",
			"v: 0.5", "at /v: ", func(v protoreflect.Value) bool {
				return 0.5 < v.Float() && v.Float() <= 1
			}},
		{"finite", typed("TYPE_DOUBLE"), ruleText(2, ruleNumber(8, on)), "v: -9", "v: inf",
			"at /v: ", func(v protoreflect.Value) bool {
				return !math.IsInf(v.Float(), 0) && v.Float() == v.Float()
			}},
		{"bool", typed("TYPE_BOOL"), ruleText(13, ruleNumber(1, on)), "v: true", "v: false",
			"at /v: ", protoreflect.Value.Bool},
		{"lengths", typed("TYPE_STRING"),
			ruleText(14, ruleNumber(2, 2), ruleNumber(3, 4), ruleText(23, "a")), "v: 'ééé'",
			"v: 'x'", "at /v: the value breaks the rule min_len: 2",
			func(v protoreflect.Value) bool {
				n := len([]rune(v.String()))
				return 2 <= n && n <= 4 && !strings.Contains(v.String(), "a")
			}},
		{"bytes of strings", typed("TYPE_STRING"),
			ruleText(14, ruleNumber(4, 12), ruleNumber(5, 20)), "v: 'éééééé'", "v: 'éééééa'",
			"min_bytes: 12", func(v protoreflect.Value) bool {
				return 12 <= len(v.String()) && len(v.String()) <= 20
			}},
		{"length", typed("TYPE_STRING"), ruleText(14, ruleNumber(19, 3)), "v: 'ééé'", "v: 'éé'",
			"len: 3", func(v protoreflect.Value) bool { return len([]rune(v.String())) == 3 }},
		{"affixes", typed("TYPE_STRING"),
			ruleText(14, ruleText(7, "a."), ruleText(9, "-"), ruleText(8, "z")), "v: 'a.\\n-z'",
			"v: 'ab-z'", `prefix: "a."`, matches(`(?s)^a\..*-.*z$`)},
		{"pattern", typed("TYPE_STRING"), ruleText(14, ruleText(6, "^[a-z]+x|y"), ruleNumber(3, 9)),
			"v: 'azx9'", "v: 'x9'", "pattern: ^[a-z]+x|y", matches("^[a-z]+x|y")},
		{"not_in", typed("TYPE_STRING"), ruleText(14, ruleText(6, "^[ab]$"), ruleText(11, "a")),
			"v: 'b'", "v: 'a'", `not_in: "a"`, matches("^b$")},
		{"in", typed("TYPE_STRING"), ruleText(14, ruleText(10, "ab"), ruleText(10, "c")), "v: 'ab'",
			"v: 'b'", "none of the alternatives", matches("^(ab|c)$")},
		{"email", typed("TYPE_STRING"), ruleText(14, ruleNumber(12, on)), "v: 'a.b+c@example.com'",
			"v: 'a@@b'", "at /v: ", func(v protoreflect.Value) bool {
				a, err := mail.ParseAddress(v.String())
				return err == nil && a.Address == v.String()
			}},
		{"hostname", typed("TYPE_STRING"), ruleText(14, ruleNumber(13, on)), "v: '1a.example'",
			"v: 'a..b'", "at /v: ", matches(`^[\w-]+(\.[\w-]+)*\.?$`)}, // the dot is the root
		{"ip", typed("TYPE_STRING"), ruleText(14, ruleNumber(14, on)), "v: '::1'", "v: 'a'",
			"at /v: ", func(v protoreflect.Value) bool {
				_, err := netip.ParseAddr(v.String())
				return err == nil
			}},
		{"ipv4", typed("TYPE_STRING"), ruleText(14, ruleNumber(15, on)), "v: '1.2.3.4'", "v: '::1'",
			"at /v: ", matches(`^\d+\.\d+\.\d+\.\d+$`)},
		{"uri", typed("TYPE_STRING"), ruleText(14, ruleNumber(17, on)),
			"v: 'https://a.b:8/c?d=e#f'", "v: '/a'", "at /v: ",
			func(v protoreflect.Value) bool {
				u, err := url.Parse(v.String())
				return err == nil && u.IsAbs()
			}},
		{"address", typed("TYPE_STRING"), ruleText(14, ruleNumber(21, on)), "v: 'a.b'", "v: ':'",
			"at /v: ", matches(`^[\w.:-]+$`)},
		{"uuid", typed("TYPE_STRING"), ruleText(14, ruleNumber(22, on)),
			"v: '01234567-89ab-cdef-0123-456789abcdef'", "v: '0'", "at /v: ",
			matches(`^[\da-fA-F]{8}(-[\da-fA-F]{4}){3}-[\da-fA-F]{12}$`)},
		{"header", typed("TYPE_STRING"), ruleText(14, ruleNumber(24, 2), ruleNumber(25, off)),
			"v: 'a\\tb'", "v: 'a\\nb'", "at /v: ", matches(`^[^\x00\n\r]+$`)},
		{"prefix", typed("TYPE_STRING"), ruleText(14, ruleNumber(30, on)), "v: '10.0.0.0/8'",
			"v: '10.0.0.1/8'", "at /v: ", matches(`^\d+\.\d+\.\d+\.\d+/\d+$`)},
		{"bytes", typed("TYPE_BYTES"),
			ruleText(15, ruleNumber(2, 2), ruleNumber(3, 4), ruleText(9, "ab")), `v: '\xff\x00'`,
			`v: '\xff'`, "min_bytes: 2", func(v protoreflect.Value) bool {
				return 2 <= len(v.Bytes()) && len(v.Bytes()) <= 4
			}},
		{"many bytes", typed("TYPE_BYTES"), ruleText(15, ruleNumber(2, 900)),
			"v: '" + strings.Repeat("a", 900) + "'", "v: 'a'", "min_bytes: 900",
			func(v protoreflect.Value) bool { return len(v.Bytes()) >= 900 }},
		{"long affixes", typed("TYPE_STRING"), ruleText(14, ruleNumber(2, 900), ruleText(7, "a")),
			"v: '" + strings.Repeat("a", 901) + "'", "v: 'a'", "min_len: 900",
			func(v protoreflect.Value) bool { return len(v.String()) >= 900 }},
		{"address of bytes", typed("TYPE_BYTES"), ruleText(15, ruleNumber(11, on)),
			`v: '\xff\x00\x00\x01'`, `v: 'abc'`, "len_bytes: 4",
			func(v protoreflect.Value) bool { return len(v.Bytes()) == 4 }},
		{"any address of bytes", typed("TYPE_BYTES"), ruleText(15, ruleNumber(10, on)),
			`v: '0123456789abcdef'`, `v: 'abcde'`, "at /v",
			func(v protoreflect.Value) bool { return len(v.Bytes()) == 4 || len(v.Bytes()) == 16 }},
		{"enum", typed(aSize), ruleText(16, ruleNumber(2, on), ruleNumber(4, 1)), "v: LARGE",
			"v: 7", "at /v", func(v protoreflect.Value) bool { return v.Enum() == 0 || v.Enum() == 2 }},
		{"open enum", typed(aSize), ruleText(16, ruleNumber(4, 1)), "v: 9", "v: SMALL", "at /v",
			func(v protoreflect.Value) bool { return v.Enum() != 1 }},
		{"list", listed("TYPE_STRING"),
			ruleText(18, ruleNumber(1, 2), ruleNumber(2, 3),
				ruleText(4, ruleText(14, ruleNumber(3, 2)))), "v: 'a' v: 'a'", "v: 'a'", "at /v",
			func(v protoreflect.Value) bool {
				return 2 <= v.List().Len() && v.List().Len() <= 3 && len([]rune(v.List().Get(1).String())) <= 2
			}},
		{"unique", listed("TYPE_BYTES"),
			ruleText(18, ruleNumber(1, 2), ruleNumber(3, on),
				ruleText(4, ruleText(15, ruleNumber(13, 1)))), "v: 'a' v: 'b'", "v: 'a' v: 'a'",
			"at /v/1: has the key of element 0", func(v protoreflect.Value) bool {
				return v.List().Len() >= 2 && string(v.List().Get(0).Bytes()) != string(v.List().Get(1).Bytes())
			}},
		{"map", listed(`TYPE_MESSAGE type_name: ".ruled.M.VEntry"`),
			ruleText(19, ruleNumber(1, 1), ruleText(4, ruleText(14, ruleText(10, "k"))),
				ruleText(5, ruleText(3, ruleNumber(4, 0)))), "v: {key: 'k' value: 7}",
			"v: {key: 'k'}", "at /v", func(v protoreflect.Value) bool {
				return v.Map().Len() == 1 && v.Map().Get(protoreflect.ValueOfString("k").MapKey()).Int() > 0
			}},
		{"duration", typed(aDuration),
			ruleText(21, ruleText(5, ruleNumber(1, minus(2)), ruleNumber(2, minus(5))),
				ruleText(4, ruleNumber(1, 1)), ruleText(8)), "v: {nanos: -7}",
			"v: {seconds: -2 nanos: -5}", "at /v", func(v protoreflect.Value) bool {
				return nanoseconds(v) > -2_000_000_005 && nanoseconds(v) <= 1e9 && nanoseconds(v) != 0
			}},
		{"timestamp", typed(aTime), ruleText(22, ruleText(3, ruleNumber(1, 0))),
			"v: {seconds: -1 nanos: 5}", "v: {seconds: 1}", "at /v",
			func(v protoreflect.Value) bool { return nanoseconds(v) < 0 }},
		{"now", typed(aTime), ruleText(22, ruleNumber(7, on), ruleText(6, ruleNumber(1, 9))),
			"v: {seconds: 10}", "v: {}", "at /v",
			func(v protoreflect.Value) bool { return nanoseconds(v) >= 9e9 }},
		{"far duration", typed(aDuration), ruleText(21, ruleText(3, ruleNumber(1, 1<<50))),
			"v: {seconds: 1}", "v: {seconds: 1 nanos: -1}", "at /v",
			func(v protoreflect.Value) bool { return true }},
		{"wrapper", typed(aWrapper), ruleText(14, ruleNumber(2, 3)), "v: {value: 'abc'}", "v: {}",
			"at /v/value: the value breaks the rule min_len: 3", func(v protoreflect.Value) bool {
				return len([]rune(v.Message().Get(v.Message().Descriptor().Fields().Get(0)).String())) >= 3
			}},
		{"required", typed("TYPE_STRING"), ruleNumber(25, on), "v: 'a'", "",
			"at /: the required field v is not set",
			func(v protoreflect.Value) bool { return v.String() != "" }},
		{"required bytes", typed("TYPE_BYTES"), ruleNumber(25, on), "v: 'a'", "",
			"at /: the required field v is not set",
			func(v protoreflect.Value) bool { return len(v.Bytes()) > 0 }},
		{"required message", typed(aDuration), ruleNumber(25, on), "v: {}", "",
			"the required field v is not set", protoreflect.Value.IsValid},
		{"required list", listed("TYPE_INT32"), ruleNumber(25, on), "v: 0", "",
			"the required field v is not set",
			func(v protoreflect.Value) bool { return v.List().Len() > 0 }},
		{"ignored if zero", typed("TYPE_BYTES"),
			ruleNumber(27, 1) + ruleText(15, ruleNumber(13, 3)), "", "v: 'a'", "at /v",
			func(v protoreflect.Value) bool { return len(v.Bytes()) == 0 || len(v.Bytes()) == 3 }},
		{"ignored list", listed("TYPE_STRING"), ruleNumber(27, 1) + ruleText(18, ruleNumber(1, 3)),
			"", "v: 'a'", "at /v", func(v protoreflect.Value) bool {
				return v.List().Len() == 0 || v.List().Len() > 2
			}},
		{"set if zero is ignored", optional("TYPE_INT32"),
			ruleNumber(27, 1) + ruleText(3, ruleNumber(4, 10)), "v: 11", "v: 0", "at /v",
			func(v protoreflect.Value) bool { return v.Int() > 10 }},
		{"in the range", typed("TYPE_INT32"),
			ruleText(3, ruleNumber(6, 1), ruleNumber(6, 7), ruleNumber(4, 5)), "v: 7", "v: 1", "at /v",
			func(v protoreflect.Value) bool { return v.Int() == 7 }},
		{"above the greatest", typed("TYPE_DOUBLE"), ruleText(2, ruleDouble(4, math.MaxFloat64)),
			"v: inf", "v: 9", "at /v", func(v protoreflect.Value) bool { return math.IsInf(v.Float(), 1) }},
		{"infinity", typed("TYPE_DOUBLE"), ruleText(2, ruleDouble(5, 3)), "v: inf", "v: -inf", "at /v",
			func(v protoreflect.Value) bool { return v.Float() >= 3 }},
		{"const of an open enum", typed(aSize), ruleText(16, ruleNumber(1, 9)), "v: 9", "v: SMALL",
			"at /v", func(v protoreflect.Value) bool { return v.Enum() == 9 }},
		{"prefix of bytes", typed("TYPE_BYTES"),
			ruleText(15, ruleText(5, "\xff\xfe"), ruleText(6, "\x80"), ruleNumber(3, 4)),
			`v: '\xff\xfe\x00\x80'`, `v: '\xff\xfe'`, "at /v", func(v protoreflect.Value) bool {
				return strings.HasPrefix(string(v.Bytes()), "\xff\xfe") && len(v.Bytes()) <= 4
			}},
		{"affixes and lengths", typed("TYPE_STRING"),
			ruleText(14, ruleText(7, "ab"), ruleText(8, "bc"), ruleNumber(2, 5), ruleNumber(3, 6)),
			"v: 'abxxbc'", "v: 'abc'", "min_len: 5", matches("^ab.{1,2}bc$")},
		{"affixes that overlap", typed("TYPE_STRING"),
			ruleText(14, ruleText(7, "ab"), ruleText(8, "bc"), ruleNumber(3, 3)), "v: 'abc'", "v: 'abbc'",
			"max_len: 3", matches("^abc$")},
		{"affixes, contents and lengths", typed("TYPE_STRING"),
			ruleText(14, ruleText(7, "a"), ruleText(8, "z"), ruleText(9, "-"), ruleNumber(19, 5)),
			"v: 'ab-cz'", "v: 'a-z'", "len: 5", matches(`(?s)^a.*-.*z$`)},
		{"anchored alternatives", typed("TYPE_STRING"), ruleText(14, ruleText(6, "^a|b$"), ruleNumber(3, 9)),
			"v: 'xb'", "v: 'xa'", "pattern", matches("^a|b$")},
		{"pattern and lengths", typed("TYPE_STRING"),
			ruleText(14, ruleText(6, "^[a-z]+$"), ruleNumber(2, 40), ruleNumber(3, 41)),
			"v: '" + strings.Repeat("a", 40) + "'", "v: 'a'", "min_len: 40", matches("^[a-z]{40,41}$")},
		{"pattern and affixes", typed("TYPE_STRING"),
			ruleText(14, ruleText(6, "^[a-z-]+$"), ruleText(7, "ab"), ruleText(8, "yz"), ruleText(9, "--"),
				ruleText(23, "q"), ruleNumber(19, 8)), "v: 'abc--xyz'", "v: 'abq--xyz'", "not_contains",
			matches("^ab.*--.*yz$")},
		{"hostname with a suffix", typed("TYPE_STRING"),
			ruleText(14, ruleNumber(13, on), ruleText(8, ".example.com")), "v: 'a-b.c.example.com'",
			"v: 'example.com'", "suffix", matches(`^[\w-]+(\.[\w-]+)*\.example\.com$`)},
		{"uri with a prefix", typed("TYPE_STRING"),
			ruleText(14, ruleNumber(17, on), ruleText(7, "https://example.com/")),
			"v: 'https://example.com/a?b=c'", "v: 'https://example.org/'", "prefix",
			matches(`^https://example\.com/`)},
		{"the next second", typed(aTime), ruleText(22, ruleText(5, ruleNumber(1, 5), ruleNumber(2, 999_999_999)),
			ruleText(4, ruleNumber(1, 6))), "v: {seconds: 6}", "v: {seconds: 5 nanos: 999999999}", "at /v",
			func(v protoreflect.Value) bool { return nanoseconds(v) == 6e9 }},
		{"far timestamp", typed(aTime), ruleText(22, ruleText(5, ruleNumber(1, 253_402_300_000))),
			"v: {seconds: 253402300799 nanos: 999999999}", "v: {seconds: 253402299999}", "at /v",
			func(v protoreflect.Value) bool {
				m := v.Message()
				return m.Get(m.Descriptor().Fields().ByNumber(1)).Int() >= 253_402_300_000
			}},
		{"early timestamp", typed(aTime), ruleText(22, ruleText(3, ruleNumber(1, minus(62_135_596_799)))),
			"v: {seconds: -62135596800 nanos: 5}", "v: {}", "at /v",
			func(v protoreflect.Value) bool {
				m := v.Message()
				return m.Get(m.Descriptor().Fields().ByNumber(1)).Int() == -62_135_596_800
			}},
		{"long durations", typed(aDuration), ruleText(21, ruleText(5, ruleNumber(1, 315_000_000_000))),
			"v: {seconds: 315576000000 nanos: 1}", "v: {seconds: 314999999999}", "at /v",
			func(v protoreflect.Value) bool {
				m := v.Message()
				return m.Get(m.Descriptor().Fields().ByNumber(1)).Int() >= 315_000_000_000
			}},
		{"elements that ignore zero", listed("TYPE_INT32"),
			ruleText(18, ruleNumber(2, 1), ruleText(4, ruleNumber(27, 1), ruleText(3, ruleNumber(4, 9)))),
			"v: 0", "v: 9", "at /v/0: ", func(v protoreflect.Value) bool {
				return v.List().Len() == 0 || v.List().Get(0).Int() == 0 || v.List().Get(0).Int() > 9
			}},
		{"elements without rules", listed("TYPE_INT32"), ruleText(18, ruleNumber(2, 1),
			ruleText(4, ruleNumber(27, 3), ruleText(3, ruleNumber(4, 9)))), "v: -1", "v: [1, 2]", "at /v",
			func(v protoreflect.Value) bool { return v.List().Len() < 2 }},
		{"keys that ignore zero", listed(`TYPE_MESSAGE type_name: ".ruled.M.VEntry"`),
			ruleText(19, ruleText(4, ruleNumber(27, 1), ruleText(14, ruleText(1, "k")))),
			"v: {key: '' value: 7} v: {key: 'k'}", "v: {key: 'l'}", "at /v", func(v protoreflect.Value) bool {
				return v.Map().Len() <= 2
			}},
		{"not a UUID", typed("TYPE_BYTES"), ruleText(15, ruleNumber(15, off), ruleNumber(3, 9)), "v: 'a'",
			"v: '0123456789'", "max_bytes: 9", func(v protoreflect.Value) bool { return len(v.Bytes()) < 10 }},
		{"loose header name", typed("TYPE_STRING"), ruleText(14, ruleNumber(24, 1), ruleNumber(25, off)),
			"v: 'a/b c'", "v: ''", "at /v", matches(`^[^\x00\n\r]+$`)},
		{"loose header value", typed("TYPE_STRING"), ruleText(14, ruleNumber(24, 2), ruleNumber(25, off)),
			"v: '\\x01'", "v: ''", "at /v", matches(`^[^\x00\n\r]+$`)},
		{"ipv6", typed("TYPE_STRING"), ruleText(14, ruleNumber(16, on)),
			"v: '2001:0DB8::0:0:192.0.2.1'", "v: '1::2::3'", "at /v", func(v protoreflect.Value) bool {
				a, err := netip.ParseAddr(v.String())
				return err == nil && a.Is6()
			}},
		{"host_and_port", typed("TYPE_STRING"), ruleText(14, ruleNumber(32, on)), "v: 'a.b.:65535'",
			"v: 'a.1:65535'", "at /v", matches(`:\d+$`)},
		{"no port", typed("TYPE_STRING"), ruleText(14, ruleNumber(32, on)), "v: '[::1]:0'", "v: 'a'",
			"at /v", matches(`:\d+$`)},
		{"any of a list", typed(anAny), ruleText(20, ruleText(2, "example.com/google.protobuf.Duration"),
			ruleText(2, "example.com/none.Such")),
			"v: {type_url: 'example.com/google.protobuf.Duration' value: '\\x08\\x05'}", "v: {}", "at /v",
			func(v protoreflect.Value) bool {
				url := v.Message().Get(v.Message().Descriptor().Fields().ByName("type_url")).String()
				return url == "example.com/google.protobuf.Duration" || url == "example.com/none.Such"
			}},
		{"mask of a list", typed(aMask), ruleText(28, ruleText(2, "a"), ruleText(2, "b.c"), ruleText(3, "a.x")),
			"v: {paths: 'a.b' paths: 'b.c'}", "v: {paths: 'a.x.y'}", `the value breaks the rule not_in: ["a.x"]`,
			func(v protoreflect.Value) bool {
				paths := v.Message().Get(v.Message().Descriptor().Fields().ByName("paths")).List()
				for i := range paths.Len() {
					p := paths.Get(i).String() + "."
					if !strings.HasPrefix(p, "a.") && !strings.HasPrefix(p, "b.c.") || strings.HasPrefix(p, "a.x.") {
						return false
					}
				}
				return true
			}},
		{"one mask", typed(aMask), ruleText(28, ruleText(1, ruleText(1, "a"))), "v: {paths: 'a'}",
			"v: {paths: 'b'}", "at /v/paths", func(v protoreflect.Value) bool {
				return v.Message().Get(v.Message().Descriptor().Fields().ByName("paths")).List().Len() == 1
			}},
		{"past", typed(aTime), ruleText(22, ruleNumber(7, on)), "v: {seconds: 1}",
			"v: {seconds: 99999999999}", "at /v", func(v protoreflect.Value) bool {
				return nanoseconds(v)/1e9 < time.Now().Unix()
			}},
		{"the next hours", typed(aTime), ruleText(22, ruleNumber(8, on), ruleText(9, ruleNumber(1, 7200))),
			fmt.Sprintf("v: {seconds: %d}", time.Now().Unix()+3600),
			fmt.Sprintf("v: {seconds: %d}", time.Now().Unix()-3600), "at /v",
			func(v protoreflect.Value) bool {
				ahead := nanoseconds(v)/1e9 - time.Now().Unix()
				return 0 < ahead && ahead < 7200
			}},
		{"required map", listed(`TYPE_MESSAGE type_name: ".ruled.M.VEntry"`), ruleNumber(25, on),
			"v: {}", "", "the required field v is not set",
			func(v protoreflect.Value) bool { return v.Map().Len() > 0 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			keepsRules(t, withRules(validate, c.rules, c.field), c.good, c.bad, c.want, c.keeps)
		})
	}
}

func keepsRules(
	t *testing.T, d protoreflect.MessageDescriptor, good, bad, want string,
	keeps func(v protoreflect.Value) bool,
) {
	g := bigenpb.Dynamic(d)
	bigentest.Value(t, g, parse(d, good))
	require.ErrorContains(t, bigen.Check(g, parse(d, bad)), want)
	runs := bigentest.Runs(long.Count(5, 200))
	if long.Enabled() {
		bigentest.Laws(t, g, runs)
	}
	bigentest.Sound(t, g, func(m *dynamicpb.Message) bool {
		require.NoError(t, bigen.Check(g, m))
		f := d.Fields().ByName("v")
		return f.HasPresence() && !m.Has(f) || keeps(m.Get(f))
	}, runs)
}

// protoc-gen-validate has other fields for what is required, and where zero values are valid.
func TestOldRules(t *testing.T) {
	short := func(v protoreflect.Value) bool { return len(v.String()) == 0 || len(v.String()) == 3 }
	emptyOr3 := ruleText(14, ruleNumber(20, 3), ruleNumber(26, on))
	keepsRules(t, withRules(oldValidate, emptyOr3, typed("TYPE_STRING")), "", "v: 'a'", "at /v", short)
	keepsRules(t,
		withRules(oldValidate, ruleText(3, ruleNumber(4, 3), ruleNumber(8, on)),
			typed("TYPE_INT32")), "v: 4", "v: 3", "at /v", func(v protoreflect.Value) bool {
			return v.Int() == 0 || v.Int() > 3
		})
	for _, required := range []string{ruleText(17, ruleNumber(2, on)),
		ruleText(21, ruleNumber(1, on))} {
		keepsRules(t, withRules(oldValidate, required, typed(aDuration)), "v: {}", "",
			"the required field v is not set", protoreflect.Value.IsValid)
	}
	disabled := withOptions(typed("TYPE_STRING"), func(m *descriptorpb.DescriptorProto) {
		m.Field[0].Options, m.Options = &descriptorpb.FieldOptions{}, &descriptorpb.MessageOptions{}
		m.Field[0].Options.ProtoReflect().SetUnknown([]byte(ruleText(oldValidate, emptyOr3)))
		m.Options.ProtoReflect().SetUnknown([]byte(ruleNumber(oldValidate, on)))
	})
	bigentest.Value(t, bigenpb.Dynamic(disabled), parse(disabled, "v: 'a'"))
	ignored := withRules(validate, ruleNumber(27, 3)+emptyOr3, typed("TYPE_STRING"))
	bigentest.Value(t, bigenpb.Dynamic(ignored), parse(ignored, "v: 'a'"))
}

// A oneof may be required, and rules of a message turn fields into one.
func TestRulesOfOneofs(t *testing.T) {
	const fields = `field { name: "v" number: 1 type: TYPE_STRING label: LABEL_OPTIONAL } field { name: "w" number: 2 type: TYPE_INT32 label: LABEL_REPEATED }
		field { name: "a" number: 3 type: TYPE_BOOL label: LABEL_OPTIONAL oneof_index: 0 } field { name: "b" number: 4 type: TYPE_BOOL label: LABEL_OPTIONAL oneof_index: 0 }
		oneof_decl { name: "one" }`
	for extension, required := range map[protowire.Number]string{
		validate:    ruleText(validate, ruleNumber(1, on)),
		oldValidate: ruleNumber(oldValidate, on),
	} {
		d := withOptions(fields, func(m *descriptorpb.DescriptorProto) {
			m.OneofDecl[0].Options, m.Options = &descriptorpb.OneofOptions{}, &descriptorpb.MessageOptions{}
			m.OneofDecl[0].Options.ProtoReflect().SetUnknown([]byte(required))
			m.Options.ProtoReflect().
				SetUnknown(
					[]byte(
						ruleText(validate,
							ruleText(4, ruleText(1, "w"), ruleText(1, "v"), ruleNumber(2, on)),
							ruleText(4, ruleText(1, "w"), ruleText(1, "none")))))
		})
		g := bigenpb.Dynamic(d)
		bigentest.Sound(t, g, func(m *dynamicpb.Message) bool {
			require.NoError(t, bigen.Check(g, m), "%d", extension)
			return m.WhichOneof(d.Oneofs().Get(0)) != nil &&
				m.Has(d.Fields().ByName("v")) != m.Has(d.Fields().ByName("w"))
		}, bigentest.Runs(20))
		bigentest.Value(t, g, parse(d, "w: [0, 1] a: false"))
		require.ErrorContains(t, bigen.Check(g, parse(d, "w: 1 v: 'x' a: true")),
			"the fields v and w exclude each other")
		require.ErrorContains(t, bigen.Check(g, parse(d, "a: true")), "the oneof oneof has no field")
		require.ErrorContains(t, bigen.Check(g, parse(d, "w: 1")), "the oneof one has no field")
	}
}

// Oneofs of rules may share fields. What they allow together is made, and if it is nothing, that is
// an error.
func TestOneofsThatShare(t *testing.T) {
	const fields = `field { name: "a" number: 1 type: TYPE_BOOL label: LABEL_OPTIONAL }
		field { name: "b" number: 2 type: TYPE_BOOL label: LABEL_OPTIONAL } field { name: "c" number: 3 type: TYPE_BOOL label: LABEL_OPTIONAL }`
	shared := func(oneofs ...string) protoreflect.MessageDescriptor {
		return withOptions(fields, func(m *descriptorpb.DescriptorProto) {
			m.Options = &descriptorpb.MessageOptions{}
			m.Options.ProtoReflect().SetUnknown([]byte(ruleText(validate, oneofs...)))
		})
	}
	one := func(required uint64, names ...string) string {
		text := ruleNumber(2, required)
		for _, name := range names {
			text += ruleText(1, name)
		}
		return ruleText(4, text)
	}
	d := shared(one(on, "a", "b"), one(on, "b", "c"))
	g := bigenpb.Dynamic(d)
	seen := map[string]bool{}
	bigentest.Sound(t, g, func(m *dynamicpb.Message) bool {
		has := func(name protoreflect.Name) bool { return m.Has(d.Fields().ByName(name)) }
		seen[fmt.Sprint(has("a"), has("b"), has("c"))] = true
		return has("a") != has("b") && has("b") != has("c")
	}, bigentest.Runs(50))
	require.Len(t, seen, 2)
	bigentest.Value(t, g, parse(d, "a: true c: true"))
	bigentest.Value(t, g, parse(d, "b: true"))
	require.ErrorContains(t, bigen.Check(g, parse(d, "a: true")), "the oneof oneof has no field")
	require.ErrorContains(t, bigen.Check(g, parse(d, "a: true b: true")),
		"the fields a and b exclude each other")
	require.PanicsWithValue(t, "bigenpb: the rules of the oneof oneof of ruled.M exclude each other, "+
		"whichever of its fields are set: give the message a generator by bigenpb.With", func() {
		bigenpb.Dynamic(shared(one(on, "a", "b"), one(on, "b", "c"), one(on, "a", "c")))
	})
}

// A message whose field ignores rules need not keep its own.
func TestIgnoredMessage(t *testing.T) {
	p := `field { name: "v" number: 1 type: TYPE_MESSAGE type_name: ".ruled.M" label: LABEL_OPTIONAL }
		field { name: "n" number: 2 type: TYPE_INT32 label: LABEL_OPTIONAL }`
	for _, ignore := range []struct {
		extension protowire.Number
		rules     string
	}{{validate, ruleNumber(27, 3)}, {oldValidate, ruleText(17, ruleNumber(1, on))}} {
		d := withOptions(p, func(m *descriptorpb.DescriptorProto) {
			for i, rules := range []string{ignore.rules, ruleText(3, ruleNumber(4, 5))} {
				m.Field[i].Options = &descriptorpb.FieldOptions{}
				m.Field[i].Options.ProtoReflect().SetUnknown([]byte(ruleText(ignore.extension, rules)))
			}
		})
		g := bigenpb.Dynamic(d)
		bigentest.Value(t, g, parse(d, "n: 6 v: {n: 5 v: {n: 4}}"))
		require.ErrorContains(t, bigen.Check(g, parse(d, "n: 5")), "at /n")
	}
}

// A field of a oneof that is required excludes the others.
func TestRequiredInOneof(t *testing.T) {
	const fields = `field { name: "v" number: 1 type: TYPE_STRING label: LABEL_OPTIONAL oneof_index: 0 }
		field { name: "a" number: 2 type: TYPE_BOOL label: LABEL_OPTIONAL oneof_index: 0 } oneof_decl { name: "one" }`
	d := withRules(validate, ruleNumber(25, on), fields)
	bigentest.Sound(t, bigenpb.Dynamic(d),
		func(m *dynamicpb.Message) bool { return m.Has(d.Fields().ByName("v")) }, bigentest.Runs(20))
	bigentest.Value(t, bigenpb.Dynamic(d), parse(d, "v: ''"))
	require.ErrorContains(t, bigen.Check(bigenpb.Dynamic(d), parse(d, "a: true")),
		"the oneof one has the field a")
	old := withRules(oldValidate, ruleText(17, ruleNumber(2, on)), fields)
	bigentest.Value(t, bigenpb.Dynamic(old), parse(old, "a: true"))
}

// Given generators have precedence over rules. If random values do not keep rules, the error says
// which generator to give.
func TestRulesAndOptions(t *testing.T) {
	impossible := ruleText(14, ruleText(6, "^a+$"), ruleNumber(4, 9999))
	for _, field := range []string{typed("TYPE_STRING"), typed(aWrapper)} {
		func() {
			defer func() {
				require.Contains(t, fmt.Sprint(recover()),
					`bigenpb: the rules of the field ruled.M.v: none of many random values keeps them: the value breaks the rule min_bytes: 9999: give it a generator by bigenpb.Field("ruled.M.v", gen)`)
			}()
			bigenpb.Dynamic(withRules(validate, impossible, field))
		}()
	}
	d := withRules(validate, impossible, typed("TYPE_STRING"))
	bigentest.Value(t, bigenpb.Dynamic(d, bigenpb.Field("v", bigen.OneOf("b", "c"))),
		parse(d, "v: 'c'"))
	d = withRules(validate, ruleNumber(25, on), typed("TYPE_STRING"))
	bigentest.Value(t, bigenpb.Dynamic(d, bigenpb.Field("v", bigen.Just(""))), parse(d, ""))
	d = withRules(validate, ruleText(21, ruleText(5)), typed(aDuration))
	bigentest.Sound(t, bigenpb.Dynamic(d, bigenpb.With(bigen.Just(durationpb.New(-1)))),
		func(m *dynamicpb.Message) bool {
			return !m.Has(d.Fields().Get(0)) || strings.Contains(m.String(), "-1")
		}, bigentest.Runs(5))
}

// Rules that exclude each other are an error, not values that break one of them, nor a search
// without end.
func TestRulesThatExclude(t *testing.T) {
	for name, c := range map[string]struct{ field, rules, want string }{
		"in and gt": {typed("TYPE_INT32"), ruleText(3, ruleNumber(6, 1), ruleNumber(4, 5)),
			"no listed value keeps all of them"},
		"gt and lt": {typed("TYPE_INT32"), ruleText(3, ruleNumber(4, 5), ruleNumber(2, 6)),
			"no value is in the range"},
		"gt the greatest": {typed("TYPE_UINT32"), ruleText(5, ruleNumber(4, math.MaxUint32)),
			"no value is in the range"},
		"finite above the greatest": {typed("TYPE_DOUBLE"),
			ruleText(2, ruleDouble(4, math.MaxFloat64), ruleNumber(8, on)), "no value is in the range"},
		"any.in and not_in": {typed(anAny), ruleText(20, ruleText(2, "a/b"), ruleText(3, "a/b")),
			"no type that the Any may hold"},
		"const and not_in of a mask": {typed(aMask), ruleText(28, ruleText(1, ruleText(1, "a")), ruleText(3, "a")),
			`const has the path "a"`},
		"within and far": {typed(aTime), ruleText(22, ruleText(9, ruleNumber(1, 60)), ruleText(3, ruleNumber(1, 1))),
			"no value is in the range"},
		"const and in of an enum": {typed(aSize), ruleText(16, ruleNumber(1, 1), ruleNumber(3, 2)),
			"no value of the enum keeps all of them"},
		"unique": {listed("TYPE_BOOL"), ruleText(18, ruleNumber(1, 3), ruleNumber(3, on)),
			"unique and min_items: 3 distinct values, but only 2 are allowed"},
		"min_pairs": {listed(`TYPE_MESSAGE type_name: ".ruled.M.VEntry"`),
			ruleText(19, ruleNumber(1, 2), ruleText(4, ruleText(14, ruleText(1, "k")))),
			"min_pairs: 2 distinct values, but only 1 are allowed"},
		"pattern and prefix": {typed("TYPE_STRING"), ruleText(14, ruleText(6, "^[a-z]+$"), ruleText(7, "A")),
			"no text keeps all of them"},
		"prefix and max_len": {typed("TYPE_STRING"), ruleText(14, ruleText(7, "abc"), ruleNumber(3, 2)),
			"none of many random values keeps them"},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				p := fmt.Sprint(recover())
				require.Contains(t, p, "bigenpb: the rules of the field ruled.M.v: ")
				require.Contains(t, p, c.want)
				require.Contains(t, p, `give it a generator by bigenpb.Field("ruled.M.v", gen)`)
			}()
			bigenpb.Dynamic(withRules(validate, c.rules, c.field))
		})
	}
}

// Saying why a deep message is not made takes work in proportion to its depth: what alternatives say
// of it is not written unless somebody reads it.
func TestWhyNotDeep(t *testing.T) {
	d := withRules(validate, ruleText(3, ruleNumber(4, 0)), `
		field { name: "v" number: 1 type: TYPE_INT32 label: LABEL_OPTIONAL oneof_index: 0 }
		field { name: "a" number: 2 type: TYPE_MESSAGE type_name: ".ruled.M" label: LABEL_OPTIONAL oneof_index: 0 }
		field { name: "b" number: 3 type: TYPE_MESSAGE type_name: ".ruled.M" label: LABEL_OPTIONAL oneof_index: 0 }
		oneof_decl { name: "one" }`)
	g := bigenpb.Dynamic(d)
	cost := func(depth int) float64 {
		m := parse(d, strings.Repeat("a: { ", depth)+"v: -1"+strings.Repeat("}", depth))
		return testing.AllocsPerRun(5, func() {
			require.ErrorContains(t, bigen.Check(g, m), "v: -1 not in [1,2147483647]")
		})
	}
	require.Less(t, cost(40), 20_000.) // writing each part as a literal makes 700,000 allocations
}

// A program that links the library of rules knows its extension.
func TestKnownExtension(t *testing.T) {
	p := &descriptorpb.FileDescriptorProto{}
	require.NoError(t, prototext.Unmarshal([]byte(`name: "rules.proto" syntax: "proto2" dependency: "google/protobuf/descriptor.proto"
		extension { name: "field" number: 1159 extendee: ".google.protobuf.FieldOptions" type: TYPE_MESSAGE type_name: ".FieldRules" label: LABEL_OPTIONAL }
		message_type { name: "FieldRules" field { name: "required" number: 25 type: TYPE_BOOL label: LABEL_OPTIONAL } }`), p))
	file, err := protodesc.NewFile(p, protoregistry.GlobalFiles)
	require.NoError(t, err)
	extension := dynamicpb.NewExtensionType(file.Extensions().Get(0))
	d := withOptions(typed("TYPE_STRING"), func(m *descriptorpb.DescriptorProto) {
		m.Field[0].Options = &descriptorpb.FieldOptions{}
		proto.SetExtension(m.Field[0].Options, extension, parse(file.Messages().Get(0), "required: true"))
	})
	require.ErrorContains(t, bigen.Check(bigenpb.Dynamic(d), parse(d, "")),
		"the required field v is not set")
}
