package bigenpb_test

import (
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/espalier-go/espalier/internal/literal"
	"github.com/stretchr/testify/require"
)

// opaque is a message whose fields are hidden, as in the opaque API.
type opaque struct {
	*wrapperspb.StringValue
	xxx_hidden_Name string
}

// Reports print messages as Go code, without caches.
func TestText(t *testing.T) {
	v := structpb.NewStringValue("a")
	_, err := proto.Marshal(v)
	require.NoError(t, err)
	require.Equal(t, `&structpb.Value{Kind: &structpb.Value_StringValue{StringValue: "a"}}`,
		literal.Of(v, ""))
	require.Equal(t, `&structpb.Struct{}`, literal.Of(&structpb.Struct{}, ""))
	require.Equal(t, `bigenpb.MustParse[*bigenpb_test.opaque]("value: \"a  \\\" b\"")`,
		literal.Of(&opaque{wrapperspb.String(`a  " b`), ""}, ""))
	text, all := literal.Within(1000, parse(two, `must: 1 g: {f: 2} text: "'"`), "")
	require.Equal(t, `nil /* a two.M: must: 1 text: "'" G: { f: 2 } */`, text)
	require.False(t, all)
}

// Messages are compared by their contents, and differ in a place of their text.
func TestDifferences(t *testing.T) {
	v := structpb.NewNumberValue(1)
	_, err := proto.Marshal(v)
	require.NoError(t, err)
	places, _ := literal.Differences(v, structpb.NewNumberValue(1), 5)
	require.Empty(t, places)
	places, _ = literal.Differences(v, structpb.NewNumberValue(2), 5)
	require.Equal(t, []literal.Path{{".Kind", ".NumberValue"}}, places)
	a, b := parse(three, "text: 'a' n: 1"), parse(three, "text: 'a' n: 1")
	places, _ = literal.Differences(a, b, 5)
	require.Empty(t, places)
	places, _ = literal.Differences(a, parse(three, "text: 'b' n: 1"), 5)
	require.Len(t, places, 1)

	u := structpb.NewNumberValue(1)
	u.ProtoReflect().SetUnknown([]byte{0x78, 1})
	places, _ = literal.Differences(v, u, 5)
	require.Equal(t, []literal.Path{{".unknownFields"}}, places)
}
