package bigenpb_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigenpb"
	"github.com/espalier-go/espalier/bigen/bigentest"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

var (
	two   = described(proto2, "M")
	three = described(proto3, "M")
	ed    = described(editions, "M")

	anyOf = bigenpb.AnyOf((*structpb.Struct)(nil), (*durationpb.Duration)(nil))
)

// Messages of each syntax obey the laws of generators, and survive each encoding.
func TestLaws(t *testing.T) {
	t.Run("Value", laws(bigenpb.Message[*structpb.Value]()))
	t.Run("File", laws(bigenpb.Message[*descriptorpb.FileDescriptorProto]()))
	t.Run("proto2", laws(bigenpb.Dynamic(two)))
	t.Run("proto3", laws(bigenpb.Dynamic(three, anyOf)))
	t.Run("editions", laws(bigenpb.Dynamic(ed)))
}

func laws[M proto.Message](g bigen.Gen[M]) func(t *testing.T) {
	return func(t *testing.T) {
		runs := bigentest.Runs(long.Count(5, 100))
		if long.Enabled() {
			bigentest.Laws(t, g, runs)
		}
		bigentest.Sound(t, g, func(m M) bool {
			b, err := proto.Marshal(m)
			j, err2 := protojson.Marshal(m)
			text, err3 := prototext.Marshal(m)
			require.NoError(t, err)
			require.NoError(t, err2)
			require.NoError(t, err3)
			for i, unmarshal := range []func(proto.Message) error{
				func(w proto.Message) error { return proto.Unmarshal(b, w) },
				func(w proto.Message) error { return protojson.Unmarshal(j, w) },
				func(w proto.Message) error { return prototext.Unmarshal(text, w) },
			} {
				w := m.ProtoReflect().New().Interface()
				require.NoError(t, unmarshal(w))
				require.True(t, proto.Equal(m, w), "%d: %v\n%v", i, m, w)
			}
			require.NoError(t, bigen.Check(g, m))
			return true
		}, runs)
	}
}

// Values are neither mostly empty nor huge.
func TestSizes(t *testing.T) {
	g, total := bigenpb.Dynamic(three), 0
	for seed := range uint64(200) {
		c, err := bigen.Choices(g, bigen.Sample(g, rng(seed)))
		require.NoError(t, err)
		total += len(c)
	}
	require.True(t, 20*200 < total && total < 200*200, "%d choices in 200 values", total)
}

// Backward, a generator says what it does not make.
func TestNotProduced(t *testing.T) {
	m2 := func(text string) proto.Message { return parse(two, text) }
	m3 := func(text string) proto.Message { return parse(three, text) }
	unknown := m3("")
	unknown.ProtoReflect().SetUnknown(protoreflect.RawFields{0x98, 0x06, 1})
	latin1 := m2("must: 1 color: RED")
	latin1.ProtoReflect().Set(two.Fields().ByName("text"), protoreflect.ValueOfString("\xe9"))
	extended := m2("must: 1 color: RED")
	extended.ProtoReflect().
		Set(dynamicpb.NewExtensionType(two.ParentFile().Extensions().Get(0)).TypeDescriptor(),
			protoreflect.ValueOfInt32(1))
	for _, c := range []struct {
		m    proto.Message
		want string
	}{
		{m2("color: RED"), "at /: the required field must is not set"},
		{latin1, `at /text: "\xe9" is not valid UTF-8`},
		{extended, "at /: it has the extension two.extra: the generator sets no extensions"},
		{m2("must: 1 color: RED next: {must: 1}"), "at /next: the required field color is not set"},
		{m3("any: {type_url: 'a'}"), "at /any: the google.protobuf.Any is not empty: list what " +
			"it may hold by bigenpb.AnyOf"},
		{m3("when: {} when: {nanos: -1}"), "at /when/1/nanos: -1 not in [0,999999999]"},
		{m3("self: {mask: {paths: 'a.B'}}"),
			"at /which/10/self/mask/paths/0: none of the alternatives short, long makes it: at position 2"},
		{m3("by_name: {key: 'k' value: {value: {}}}"),
			`at /by_name/["k"]/value: the oneof kind has no field`},
		{unknown, `at /: it has unknown fields, which the generator does not set: "\x98\x06\x01"`},
	} {
		d := c.m.ProtoReflect().Descriptor()
		err := bigen.Check(bigenpb.Dynamic(d), c.m.(*dynamicpb.Message))
		require.ErrorIs(t, err, bigen.ErrNotProduced)
		require.ErrorContains(t, err, c.want)
	}
	held, err := anypb.New(wrapperspb.Bool(true))
	require.NoError(t, err)
	require.ErrorContains(t, bigen.Check(bigenpb.Message[*anypb.Any](anyOf), held),
		`the Any has the type "type.googleapis.com/google.protobuf.BoolValue"`)
	require.ErrorContains(t, bigen.Check(bigenpb.Message[*anypb.Any](anyOf), nil), "not produced")
}

// An Any may hold a message of one of the types, even one that the tests have marshaled.
func TestAnyOf(t *testing.T) {
	held, err := anypb.New(durationpb.New(90e9))
	require.NoError(t, err)
	c, err := bigen.Choices(bigenpb.Message[*anypb.Any](anyOf), held)
	require.NoError(t, err)
	require.Equal(t, "google.protobuf.Duration(90, 0)", c.String())
}

// A corpus survives a field that is renamed or moved.
func TestRenamed(t *testing.T) {
	b, err := bigen.Encode(bigenpb.Dynamic(ed),
		parse(ed, "implicit: 'x' required: 7 group: {required: 1}"))
	require.NoError(t, err)
	renamed := described(`name: "ed.proto" syntax: "proto2" message_type { name: "M"
		field { name: "children" number: 4 type: TYPE_MESSAGE type_name: ".M" label: LABEL_REPEATED }
		field { name: "new" number: 9 type: TYPE_BOOL label: LABEL_REPEATED }
		field { name: "count" number: 3 type: TYPE_UINT32 label: LABEL_REQUIRED } }`, "M")
	m, err := bigen.Decode(bigenpb.Dynamic(renamed, bigenpb.Field("new", bigen.Just([]bool(nil)))), b)
	require.NoError(t, err)
	require.True(t, proto.Equal(parse(renamed, "count: 7 children: {count: 1}"), m), "%v", m)
}

// Options give fields and messages generators of their own.
func TestOptions(t *testing.T) {
	at := timestamppb.New(timestamppb.Now().AsTime().Truncate(1e9))
	g := bigenpb.Dynamic(three,
		bigenpb.Field("n", bigen.IntRange[int64](1, 9)),
		bigenpb.Field("three.M.text", bigen.Matching("[a-z]+")),
		bigenpb.Field("d", bigen.SliceOf(bigen.FloatRange(0.0, 1), 1, 3)),
		bigenpb.Field("sizes", bigen.Just[protoreflect.EnumNumber](7)),
		bigenpb.Field("opt", bigen.Just[uint64](5)),
		bigenpb.Field("by_name", bigen.Just(map[string]*dynamicpb.Message(nil))),
		bigenpb.Field("value",
			bigenpb.Message[*structpb.Value](
				bigenpb.Field("google.protobuf.Value.string_value", bigen.Just("s")))),
		bigenpb.With(bigen.Just(at)),
	)
	bigentest.Sound(t, g, func(m *dynamicpb.Message) bool {
		get := func(name protoreflect.Name) protoreflect.Value {
			return m.Get(three.Fields().ByName(name))
		}
		for i := range get("when").List().Len() {
			require.Equal(t, at.Seconds, get("when").List().Get(i).Message().
				Interface().(*timestamppb.Timestamp).Seconds)
		}
		for i := range get("sizes").List().Len() {
			require.Equal(t, protoreflect.EnumNumber(7), get("sizes").List().Get(i).Enum())
		}
		require.NoError(t, bigen.Check(g, m))
		n, text, d := get("n").Int(), get("text").String(), get("d").List()
		return 1 <= n && n <= 9 && text != "" && 1 <= d.Len() && d.Get(0).Float() <= 1 &&
			get("by_name").Map().Len() == 0
	}, bigentest.Runs(20))
	require.ErrorContains(t, bigen.Check(g, parse(three, "n: 10")), "at /n: 10 not in [1,9]")
}

func TestMisuse(t *testing.T) {
	for want, f := range map[string]func(){
		`bigenpb.Field("nn"): the three.M and the messages in it have no such field`:                                                                                                    func() { bigenpb.Dynamic(three, bigenpb.Field("nn", bigen.Int[int64]())) },
		`bigenpb.Field("three.M.n"): the generator makes a int32, but the field has a int64`:                                                                                            func() { bigenpb.Dynamic(three, bigenpb.Field("n", bigen.Int[int32]())) },
		`bigenpb.Field("three.M.kids"): the generator makes a *durationpb.Duration, but the field has a three.M`:                                                                        func() { bigenpb.Dynamic(three, bigenpb.Field("kids", bigenpb.Message[*durationpb.Duration]())) },
		"bigenpb.Message[protoreflect.ProtoMessage]: the type does not tell the fields of the message: give a generated type, or use bigenpb.Dynamic":                                   func() { bigenpb.Message[proto.Message]() },
		"bigenpb.With[*dynamicpb.Message]: the type does not tell the fields of the message":                                                                                            func() { bigenpb.With(bigenpb.Dynamic(two)) },
		"bigen.ForSchema(Endless): no value of type Endless is finite: Endless contains Endless":                                                                                        func() { bigenpb.Dynamic(endless) },
		"bigen.For[*structpb.Value]: *structpb.Value is a protobuf message, whose fields the type does not tell: give it a generator by bigen.With(bigenpb.Message[*structpb.Value]())": func() { bigen.For[*structpb.Value]() },
	} {
		t.Run(want, func(t *testing.T) {
			defer func() { require.Contains(t, recover(), want) }()
			f()
		})
	}
}

var endless = described(`name: "e.proto" syntax: "proto2" message_type { name: "Endless"
	field { name: "next" number: 1 type: TYPE_MESSAGE type_name: ".Endless" label: LABEL_REQUIRED } }`, "Endless")

// A generator of a message is an option of For. Messages are compared by their contents, not by
// caches.
func TestFor(t *testing.T) {
	type request struct {
		Name string
		Body *structpb.Value
	}
	g := bigen.For[request](bigen.With(bigenpb.Message[*structpb.Value]()))
	given := request{"a", structpb.NewNumberValue(math.Copysign(0, -1))}
	_, err := proto.Marshal(given.Body)
	require.NoError(t, err)
	bigentest.Value(t, g, given)
	require.Error(t, bigen.Check(bigen.Just(given), request{"a", structpb.NewNumberValue(0)}))
	require.NoError(t,
		bigen.Check(bigen.Just(given), request{"a", proto.Clone(given.Body).(*structpb.Value)}))
	bigentest.Sound(t, g, func(r request) bool { return r.Body != nil }, bigentest.Runs(3))
}

func parse(d protoreflect.MessageDescriptor, text string) *dynamicpb.Message {
	m := dynamicpb.NewMessage(d)
	if err := (prototext.UnmarshalOptions{AllowPartial: true}).Unmarshal([]byte(text), m); err != nil {
		panic(err)
	}
	return m
}

func rng(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// A generator that fills the fields of a message by itself would fill its caches.
func TestNewRefuses(t *testing.T) {
	g := bigen.New(func(c *bigen.C, v *wrapperspb.StringValue) {
		bigen.At(c, &v.Value, bigen.String(3))
	})
	defer func() {
		require.Contains(t, fmt.Sprint(recover()),
			"make it by bigenpb.Message[*wrapperspb.StringValue]()")
	}()
	_ = bigen.Sample(g, rand.New(rand.NewPCG(1, 2)))
}
