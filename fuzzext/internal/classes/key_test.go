package classes

import (
	"errors"
	"testing"

	"github.com/espalier-go/espalier/choices"
	"github.com/stretchr/testify/require"
)

func TestMessageKey(t *testing.T) {
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
	}
	for _, test := range tests {
		key, said := new(Keys).MessageKey(test.format, test.args)
		require.Equal(t, test.want, key, "%q %v", test.format, test.args)
		require.Equal(t, test.echoes, said != "", "%q %v", test.format, test.args)
	}
}

func TestUnechoed(t *testing.T) {
	tests := []struct{ said, text, want string }{
		{"unknown name Bob: see help", "Bob", "unknown name see help"},
		{"unknown name BOB, Bobby", "Bob", "unknown name bobby"},
		{"unknown name b: see help", "b", "unknown name see help"},
		{"bad token }{ here", "}{", "bad token here"},
		{"unknown name BOB: see bob", "BOB", "unknown name see bob"},
		{"bad token a\nb here", "a\nb", "bad token here"},
		{"two words, three", "three, two", "words"},
		{"nothing", " ", "nothing"},
	}
	for _, test := range tests {
		tree := choices.Tree{{Kind: choices.Text, Tag: test.text, Size: 1}}
		require.Equal(t, test.want, Unechoed(test.said, tree), "%+v", test)
	}
	require.Equal(t, "no is open", Unechoed("no list is open", choices.Tree{{Tag: "list", Size: 1}}))
}
