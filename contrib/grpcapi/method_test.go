package grpcapi

import (
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/espalier-go/espalier/bigen/bigenpb"
	"github.com/espalier-go/espalier/fuzzext"
)

// The text of a message is that message, and has no space that it does not need.
func TestFormat(t *testing.T) {
	t.Parallel()
	fuzzext.Check(t, bigenpb.Message[*structpb.Struct](), func(t *fuzzext.T, m *structpb.Struct) {
		text := format(m)
		var back structpb.Struct
		require.NoError(t, unmarshal(text, &back), text)
		require.True(t, proto.Equal(m, &back), text)
		require.Equal(t, text, format(&back))
	})
	m, err := structpb.NewStruct(map[string]any{"a  b": "c: { \"d\" }"})
	require.NoError(t, err)
	require.Equal(t, `fields:{key:"a  b" value:{string_value:"c: { \"d\" }"}}`, format(m))
}

func TestWords(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][2]string{
		"CreatePet": {"Create", "pet"}, "ListPets": {"List", "pet"}, "Feed": {"Feed", ""},
		"GetUserStory": {"Get", "userstory"}, "": {"", ""}, "X": {"X", ""},
	} {
		verb, noun := words(name)
		require.Equal(t, want, [2]string{verb, noun}, name)
	}
}
