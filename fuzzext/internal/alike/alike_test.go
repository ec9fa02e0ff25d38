package alike

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/require"
)

func TestMessageKey(t *testing.T) {
	tests := []struct {
		format string
		args   []any
		want   string
	}{
		{"got %d, want %v", []any{5, []int{1}}, "got …, want …"},
		{"%s is lost", []any{"Smith"}, "… is lost"},
		{"decode: %v", []any{errors.New("line 7: bad \"x\"")}, "decode: line …: bad …"},
		{"\n%s", []any{"\tError Trace:\tx.go:1\n\tError:      \tShould be true\n"}, "Should be true"},
		{"", []any{"lost", 5, "Smith"}, "lost …"},
		{"", []any{errors.New("odd")}, "odd"},
		{"%d", []any{7}, "…"},
	}
	for _, test := range tests {
		key, _ := MessageKey(test.format, test.args)
		require.Equal(t, test.want, key, "%q %v", test.format, test.args)
	}
}

func TestWithoutEchoes(t *testing.T) {
	type value struct {
		Name  string
		Any   any
		Runes []rune
	}
	tests := []struct {
		said  string
		value value
		want  string
	}{
		{"unknown name Bob: see help", value{Name: "Bob"}, "unknown name …: see help"},
		{"unknown name BOB, Bobby", value{Name: "Bob"}, "unknown name …, Bobby"},
		{"x\ny: bad", value{Any: []byte("x\ny")}, "…: bad"},
		{"bad token }{", value{Runes: []rune("}{")}, "bad token …"},
		{"a: }, not }}", value{Name: "}"}, "a: …, not }}"},
		{"escape \\x00 of two words", value{Any: map[string]bool{"\x00": true, "two, three": true}}, "escape … of … words"},
		{"sum 6f6b differs", value{Any: &[]string{"ok"}}, "sum … differs"},
		{"isn't", value{Name: "not"}, "isn't"},
		{"nothing", value{Name: " "}, "nothing"},
	}
	for _, test := range tests {
		require.Equal(t, test.want, withoutEchoes(test.said, stringsOf(test.value)), "%+v", test.value)
	}
	cycle := &value{}
	cycle.Any = cycle
	require.Empty(t, stringsOf(cycle))
}

func TestWordsOf(t *testing.T) {
	for _, said := range []string{"unknown name: see", "unknown name …: see", "unknown name (…): see", "unknown name a: see", "unknown name  : see"} {
		require.Equal(t, "unknown name see", wordsOf(said))
	}
}

func TestWordings(t *testing.T) {
	s := Wordings{}
	for i := range 2 * maxWorded {
		key := fmt.Sprintf("x.go:1: no name w%d of them here", i)
		require.Equal(t, i == maxWorded, s.Add("x.go:1", s.Key("x.go:1", key)) != nil, i)
		require.Nil(t, s.Add("x.go:1", fmt.Sprintf("x.go:1: %s", strings.Repeat("more ", i%3+1)+"words than that"+strings.Repeat(" less", 9*(i%3)))))
		require.Nil(t, s.Add("x.go:1", "class named"))
	}
	require.Equal(t, "x.go:1: no name … of them here", s.Key("x.go:1", "x.go:1: no name at all of them here"))
	require.Equal(t, "x.go:2: no name w1 of them here", s.Key("x.go:2", "x.go:2: no name w1 of them here"))
	require.Equal(t, "x.go:1: too many", s.Key("x.go:1", "x.go:1: too many"))
	require.Equal(t, "class named", s.Key("x.go:1", "class named"))
}

// A pattern is in all values that have what it needs, wherever a recursive part stands.
func TestPattern(t *testing.T) {
	type list struct {
		Kind  string
		Size  int
		Text  string
		Parts []*list
	}
	gen := bigen.Recursive(bigen.New(func(c *bigen.C, l *list) {
		bigen.At(c, &l.Kind, bigen.OneOf("a", "b"))
		bigen.At(c, &l.Size, bigen.IntRange(-9, 9))
		bigen.At(c, &l.Text, bigen.String(9))
	}), func(self bigen.Gen[*list]) bigen.Gen[*list] {
		return bigen.New(func(c *bigen.C, l *list) {
			bigen.At(c, &l.Kind, bigen.Just("list"))
			bigen.At(c, &l.Parts, bigen.SliceOf(self, 0, 4))
		})
	}, 10)
	of := func(l *list) choices.Tree {
		tree, err := bigen.Choices(gen, l)
		require.NoError(t, err)
		return tree
	}
	around := func(parts ...*list) *list { return &list{Kind: "list", Parts: parts} }
	leaf := func(n int, s string) *list { return &list{Kind: "a", Size: n, Text: s} }
	needed := leaf(0, "") // its text
	f := new(Fields)
	f.Note(of(around(around(leaf(0, "")))))
	tests := []struct {
		minimal *list
		free    bool // integers
		value   *list
		want    bool
	}{
		{leaf(5, ""), false, leaf(5, "x"), true},
		{leaf(5, ""), false, leaf(6, ""), false},
		{leaf(5, ""), true, leaf(6, ""), true},
		{leaf(5, ""), true, leaf(-6, ""), false},
		{leaf(5, ""), false, around(leaf(1, ""), around(leaf(5, ""))), true},
		{leaf(0, `aa"`), false, leaf(0, `xyz".`), true},
		{leaf(0, `aa"`), false, leaf(0, `x"yz.`), false},
		{leaf(0, `"`), false, leaf(0, `\`), false},
		{needed, false, leaf(0, ""), true},
		{needed, false, leaf(0, "a"), false},
		{around(leaf(0, ""), leaf(0, "")), false, around(leaf(1, "")), false},
		{around(leaf(0, ""), leaf(0, "")), false, around(around(leaf(1, ""), leaf(2, ""), leaf(3, ""))), true},
		{around(leaf(0, ""), leaf(0, "")), false, around(around(leaf(1, "")), around(leaf(1, ""))), true},
		{around(around(leaf(0, ""), leaf(0, ""))), false, around(leaf(1, ""), leaf(2, "")), false},
	}
	for i, test := range tests {
		p := &Pattern{Tree: of(test.minimal), Families: f}
		for i := range p.Tree {
			switch c := &p.Tree[i]; {
			case c.IsSimplest() && !(test.minimal == needed && c.Kind == choices.Text):
				p.Needs = append(p.Needs, Nothing)
			case test.free && c.Kind == choices.Int:
				p.Needs = append(p.Needs, NotSimplest)
			default:
				p.Needs = append(p.Needs, Itself)
			}
		}
		value := of(test.value)
		require.Equal(t, test.want, p.In(value), "%d: %v in %v", i, p.Tree, value)
		for n := range uint64(10) { // what is left out is what the pattern needs
			if _, made, err := bigen.Run(gen, choices.Replay(p.Without(value, n), nil)); err == nil && test.want {
				require.NotEqual(t, value, made, "%d", i)
			}
		}
	}
}

// A user's own pick of the tags of a slice may be recursive; that of a slice never is.
func TestOwnTagsOfSlices(t *testing.T) {
	type node struct{ Next *node }
	var own bigen.Gen[*node]
	own = bigen.Pick(bigen.Tag("stop", bigen.Nil[node]()), bigen.Tag("more", bigen.New(func(c *bigen.C, n *node) {
		bigen.At(c, &n.Next, bigen.Lazy(func() bigen.Gen[*node] { return own }))
	})))
	recursive := func(tree choices.Tree, err error) bool {
		require.NoError(t, err)
		f := new(Fields)
		f.Note(tree)
		return len(f.recursive) > 0
	}
	require.True(t, recursive(bigen.Choices(own, &node{&node{}})))
	nested := bigen.SliceOf(bigen.SliceOf(bigen.Bool(), 0, 3), 0, 3)
	require.False(t, recursive(bigen.Choices(nested, [][]bool{{true}, {false, true}})))
}
