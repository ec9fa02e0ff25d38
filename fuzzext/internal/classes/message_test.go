package classes

import (
	"errors"
	"testing"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/stretchr/testify/require"
)

func TestMessage(t *testing.T) {
	tests := []struct {
		format string
		args   []any
		want   string
		echoes bool
	}{
		{"got %d, want %v", []any{5, []int{1}}, "got …, want …", false},
		{"%s is lost", []any{"Smith"}, "… is lost", false},
		{"decode: %v", []any{errors.New("line 7: bad \"x\"")}, "decode: line …: bad …", true},
		{"\n%s", []any{"\tError Trace:\tx.go:1\n\tError:      \tShould be true\n"},
			"Should be true", true},
		{"", []any{"lost", 5, "Smith"}, "lost …", true},
		{"", []any{errors.New("odd")}, "odd", true},
		{"%d", []any{7}, "…", false},
		{"%T at %-8p is lost, %[1]p", []any{5, &struct{}{}}, "… at … is lost, …", false},
		{"", []any{"  []string{\n- \t\"a\",\n  }\n"}, "", true},
	}
	for _, test := range tests {
		said, echoes := Message(test.format, test.args)
		require.Equal(t, test.want, engine.Plain(said), "%q %v", test.format, test.args)
		require.Equal(t, test.echoes, echoes, "%q %v", test.format, test.args)
	}
}

func TestTexts(t *testing.T) {
	tree := choices.Tree{{Tag: "list", Size: 3}, {Kind: choices.Int, N: 1, Size: 1},
		{Kind: choices.Text, Tag: "a b", Size: 1}}
	require.Equal(t, []string{"list", "a b"}, Texts(tree))
}
