package classes

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/varied"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/espalier-go/espalier/mutate"
	"github.com/stretchr/testify/require"
	"golang.org/x/exp/slices"
)

// A part is a list of parts, or a leaf.
type part struct {
	Kind  string
	Size  int
	Text  string
	Parts []*part
}

var genPart = bigen.Recursive(bigen.New(func(c *bigen.C, p *part) {
	bigen.At(c, &p.Kind, bigen.OneOf("a", "b"))
	bigen.At(c, &p.Size, bigen.IntRange(-999, 999))
	bigen.At(c, &p.Text, bigen.String(9))
}), func(self bigen.Gen[*part]) bigen.Gen[*part] {
	return bigen.New(func(c *bigen.C, p *part) {
		bigen.At(c, &p.Kind, bigen.Just("list"))
		bigen.At(c, &p.Parts, bigen.SliceOf(self, 0, 4))
	})
}, 10)

// any calls f for a part and those in it, and reports whether one is true.
func (p *part) any(f func(p *part) bool) bool {
	return f(p) || slices.ContainsFunc(p.Parts, func(p *part) bool { return p.any(f) })
}

// A property says why it fails, in the same place each time, or "".
type property func(p *part) string

// host runs a property.
type host struct {
	prop property
	runs int
}

func (h *host) Gen() bigen.Gen[any] { return bigen.Any(genPart) }

func (h *host) RunOn(v any, t choices.Tree) *Result {
	h.runs++
	said := h.prop(v.(*part))
	return &Result{
		Failed: said != "",
		Place:  "x.go:1",
		Key:    "x.go:1: " + said,
		Whole:  strings.HasPrefix(said, "panic") || strings.HasPrefix(said, "class"),
		Named:  strings.HasPrefix(said, "class"),
	}
}

func (h *host) Minimize(
	t choices.Tree, first *Result, same func(*Result) bool, allowed func(choices.Tree) bool,
) Minimal {
	m := Minimal{Tree: t, Run: first}
	var made choices.Tree
	m.Tree, _, _ = mutate.Minimize(t, func(edited choices.Tree) (v any, _ choices.Tree, err error) {
		v, made, err = bigen.Run(h.Gen(), choices.Replay(edited, nil))
		if err == nil && !allowed(made) {
			err = fmt.Errorf("known")
		}
		return v, made, err
	}, func(v any) bool {
		run := h.RunOn(v, made)
		if !run.Failed || !same(run) {
			return false
		}
		m.Run = run
		return true
	}, 1000)
	return m
}

// entries returns the minimal values of the classes of failures of random values.
func entries(t *testing.T, prop property, known *Known, n int) (values []string) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		v, tree, err := bigen.Run(known.Gen(), varied.Source(r, i))
		require.NoError(t, err)
		run := known.RunOn(v, tree)
		if !run.Failed {
			continue
		}
		if class, m := known.Classify(tree, run); m != nil {
			require.Nil(t, class)
			known.Add(m, false)
		}
	}
	for _, c := range known.List {
		if c.of != nil {
			continue
		}
		v, _, err := bigen.Run(genPart, choices.Replay(c.Tree, nil))
		require.NoError(t, err)
		values = append(values, v.String())
	}
	slices.Sort(values)
	return values
}

func (p *part) String() string {
	if p.Kind != "list" {
		return fmt.Sprintf("%s%d%q", p.Kind, p.Size, p.Text)
	}
	var parts []string
	for _, q := range p.Parts {
		parts = append(parts, q.String())
	}
	return "[" + strings.Join(parts, " ") + "]"
}

func TestKnown(t *testing.T) {
	values, others := long.Count(1000, 2000), long.Count(100, 500)
	is := func(f func(p *part) bool) func(p *part) string {
		return func(p *part) string {
			if p.any(f) {
				return "wrong"
			}
			return ""
		}
	}
	negative := func(p *part) bool { return p.Size < 0 }
	large := func(p *part) bool { return p.Size > 99 }
	quote := func(p *part) bool { return strings.Contains(p.Text, `"`) }
	foreign := func(p *part) bool {
		return strings.ContainsFunc(p.Text, func(r rune) bool { return r > 127 })
	}
	long := func(p *part) bool { return len(p.Parts) > 2 }
	nested := func(p *part) bool {
		return slices.ContainsFunc(p.Parts, func(p *part) bool { return len(p.Parts) > 0 })
	}
	odd := func(p *part) bool { return p.Size%2 != 0 }
	tests := []struct {
		name string
		prop property
		want []string
	}{
		{"one bug", is(negative), []string{`a-1""`}},
		{"a part", is(func(p *part) bool { return p.Kind == "b" }), []string{`b0""`}},
		{"an integer in two", is(odd), []string{`a1""`}},
		{"several bugs",
			is(func(p *part) bool {
				return negative(p) || large(p) || quote(p) || foreign(p) || long(p) || nested(p)
			}),
			[]string{`[[a0""]]`, `[a0"" a0"" a0""]`, `a-1""`, `a0"\""`, `a0"\u0080"`, `a100""`}},
		{"many runes", is(func(p *part) bool { return strings.ContainsAny(p.Text, "!#%&;") }),
			[]string{`a0"!"`}},
		{"some runes",
			is(func(p *part) bool {
				return quote(p) || strings.Contains(p.Text, `\`) || strings.Contains(p.Text, "%")
			}), []string{`a0"%"`, `a0"\""`, `a0"\\"`}},
		{"one text, several messages", func(p *part) string {
			switch {
			case p.Kind == "a" && quote(p):
				return "a differs"
			case quote(p):
				return "b differs"
			case p.Kind == "b" && negative(p):
				return "b differs"
			}
			return ""
		}, []string{`a0"\""`, `b-1""`}}, // b0"\"", too, would do
		{"an echo", func(p *part) string {
			if p.Kind == "b" {
				return Unechoed("no "+p.Text+" here", choices.Tree{{Kind: choices.Text, Tag: p.Text, Size: 1}})
			}
			return ""
		}, []string{`b0""`}},
		{"messages", func(p *part) string {
			switch {
			case negative(p):
				return "negative"
			case large(p):
				return "large"
			}
			return ""
		}, []string{`a-1""`, `a100""`}},
		{"too many messages", func(p *part) string {
			if large(p) {
				return fmt.Sprintf("message %d", p.Size)
			}
			return ""
		}, nil},
		{"two integers that share a sum", func(p *part) string {
			if len(p.Parts) == 2 && p.Parts[0].Size > 0 && p.Parts[1].Size > 0 &&
				p.Parts[0].Size+p.Parts[1].Size > 400 {
				return "wrong"
			}
			return ""
		}, nil},
		{"two texts that share a length", func(p *part) string {
			if len(p.Parts) == 2 &&
				utf8.RuneCountInString(p.Parts[0].Text)*utf8.RuneCountInString(p.Parts[1].Text) > 6 {
				return "wrong"
			}
			return ""
		}, nil},
		{"all values", func(p *part) string { return "wrong" }, []string{`a0""`}},
		{"named", func(p *part) string {
			switch {
			case len(p.Parts) > 0 && p.any(negative):
				return "class list"
			case negative(p):
				return "class leaf"
			}
			return ""
		}, []string{`[a-1""]`, `a-1""`}},
		{"a panic", func(p *part) string {
			if negative(p) || large(p) {
				return "panic in f"
			}
			return ""
		}, nil},
	}
	for _, test := range tests {
		known := NewKnown(&host{prop: test.prop}, 1)
		got := entries(t, test.prop, known, values)
		if test.want == nil {
			require.Len(t, got, 1, test.name)
		} else {
			require.Equal(t, test.want, got, test.name)
		}

		// Another process learns what is known, and finds nothing else.
		other := NewKnown(&host{prop: test.prop}, 2)
		for _, c := range known.List {
			if c.of == nil {
				other.Learn(c.Name, c.Data())
			}
		}
		require.Equal(t, got, entries(t, test.prop, other, others), test.name)
	}
}

// A value is not a variation of a known one if it fails like that only because an element goes that
// decides. If any element will do there, it is one.
func TestElementThatDecides(t *testing.T) {
	require.Len(t, listClasses(t, func(p *part) bool { return strings.HasSuffix(p.Text, `"`) }), 2)
	require.Len(t, listClasses(t, func(p *part) bool { return true }), 1)
}

// listClasses returns the classes of lists that are empty, or have one element that fails.
func listClasses(t *testing.T, fails func(p *part) bool) []*Class {
	t.Helper()
	k := NewKnown(&host{prop: func(p *part) string {
		if p.Kind == "list" && (len(p.Parts) == 0 || len(p.Parts) == 1 && fails(p.Parts[0])) {
			return "wrong"
		}
		return ""
	}}, 1)
	list := func(parts ...*part) *part { return &part{Kind: "list", Parts: parts} }
	for _, p := range []*part{list(list()), list(), list(&part{Kind: "a", Text: `"`})} {
		tree, err := bigen.Choices(genPart, p)
		require.NoError(t, err)
		k.note(tree)
		if run := k.run(tree); run.Failed {
			if _, m := k.Classify(tree, run); m != nil {
				k.Add(m, false)
			}
		}
	}
	return k.List
}

// What another process tells may be anything.
func TestLearnGarbage(t *testing.T) {
	k := NewKnown(&host{}, 1)
	for _, data := range []string{"", "{", "[]", `{"Name": "other"}`, `{"Name": "x", "Needs": 1}`,
		`{"Name": "x"}`} {
		k.Learn("x", []byte(data))
	}
	require.Empty(t, k.List)
	k.Learn("x", []byte(`{"Name": "x", "Key": "x", "Needs": [[{"Of": 99, "Kind": 77}]]}`))
	require.Len(t, k.List, 1)
	require.Nil(t, k.Find("x", choices.Tree{{Kind: choices.Int, Size: 1}}))
}

// A value meets needs that it has, wherever a recursive part stands.
func TestNeeds(t *testing.T) {
	of := func(p *part) choices.Tree {
		tree, err := bigen.Choices(genPart, p)
		require.NoError(t, err)
		return tree
	}
	around := func(parts ...*part) *part { return &part{Kind: "list", Parts: parts} }
	leaf := func(n int, s string) *part { return &part{Kind: "a", Size: n, Text: s} }
	k := NewKnown(&host{}, 1)
	k.note(of(around(around(leaf(0, "")))))
	tests := []struct {
		minimal *part
		fails   func(p *part) bool // its values do, with another answer
		value   *part
		want    bool
	}{
		{leaf(5, ""), func(p *part) bool { return p.Size == 5 }, leaf(5, "x"), true},
		{leaf(5, ""), func(p *part) bool { return p.Size == 5 }, leaf(6, ""), false},
		{leaf(5, ""), func(p *part) bool { return p.Size >= 5 }, leaf(6, ""), true},
		{leaf(5, ""), func(p *part) bool { return p.Size >= 5 }, leaf(4, ""), false},
		{leaf(5, ""), func(p *part) bool { return p.Size >= 5 }, leaf(-6, ""), false},
		{leaf(5, ""), func(p *part) bool { return p.Size == 5 },
			around(leaf(1, ""), around(leaf(5, ""))), true},
		{leaf(0, `"`), func(p *part) bool { return strings.Contains(p.Text, `"`) },
			leaf(0, `xyz".`), true},
		{leaf(0, `"`), func(p *part) bool { return strings.Contains(p.Text, `"`) }, leaf(0, `\`), false},
		{leaf(0, "É"), func(p *part) bool { return strings.ToLower(p.Text) != p.Text },
			leaf(0, "xA"), true},
		{leaf(0, ""), func(p *part) bool { return p.Text == "" }, leaf(0, ""), true},
		{leaf(0, ""), func(p *part) bool { return p.Text == "" }, leaf(0, "a"), false},
		{around(leaf(0, ""), leaf(0, "")), func(p *part) bool { return len(p.Parts) > 1 },
			around(leaf(1, "")), false},
		{around(leaf(0, ""), leaf(0, "")), func(p *part) bool { return len(p.Parts) > 1 },
			around(around(leaf(1, ""), leaf(2, ""), leaf(3, ""))), true},
	}
	r := rand.New(rand.NewPCG(1, 1))
	for i, test := range tests {
		tree := of(test.minimal)
		needs := k.needsOf(tree, func(i int, change func(*choices.Choice)) bool {
			edited := slices.Clone(tree)
			change(&edited[i])
			v, err := bigen.Value(genPart, choices.Replay(edited, nil))
			return err == nil && !v.any(test.fails)
		})
		value := of(test.value)
		met := k.met(needs, value)
		require.Equal(t, test.want, met != nil, "%d: %v in %v", i, needs, value)
		if met != nil { // what is needed can be taken away
			v, err := bigen.Value(genPart,
				choices.Replay(broken(needs, met, value, r), rand.New(rand.NewPCG(uint64(i), 1))))
			require.NoError(t, err)
			require.NotEqual(t, test.value, v, "%d", i)
		}
	}
}

// A user's own pick of the tags of a slice may be recursive; a slice's pick never is.
func TestOwnTagsOfSlices(t *testing.T) {
	type node struct{ Next *node }
	var own bigen.Gen[*node]
	own = bigen.Pick(bigen.Tag("stop", bigen.Nil[node]()),
		bigen.Tag("more", bigen.New(func(c *bigen.C, n *node) {
			bigen.At(c, &n.Next, bigen.Lazy(func() bigen.Gen[*node] { return own }))
		})))
	recursive := func(tree choices.Tree, err error) bool {
		require.NoError(t, err)
		k := NewKnown(nil, 1)
		k.note(tree)
		return len(k.recursive) > 0
	}
	require.True(t, recursive(bigen.Choices(own, &node{&node{}})))
	nested := bigen.SliceOf(bigen.SliceOf(bigen.Bool(), 0, 3), 0, 3)
	require.False(t, recursive(bigen.Choices(nested, [][]bool{{true}, {false, true}})))
}

func TestNearly(t *testing.T) {
	leaf := func(n int, s string) choices.Tree {
		tree, err := bigen.Choices(genPart, &part{Kind: "a", Size: n, Text: s})
		require.NoError(t, err)
		return tree
	}
	k := NewKnown(&host{}, 1)
	for _, test := range []struct {
		a, b choices.Tree
		want bool
	}{
		{leaf(5, ""), leaf(-6, ""), true},
		{leaf(5, ""), leaf(7, ""), false},
		{leaf(500, "x"), leaf(505, "x"), true},
		{leaf(500, "x"), leaf(506, "x"), false},
		{leaf(500, "x"), leaf(500, "y"), false},
		{leaf(5, "-"), leaf(5, ""), false},
	} {
		require.Equal(t, test.want, k.nearly(test.a, test.b), "%v %v", test.a, test.b)
		require.Equal(t, test.want, k.nearly(test.b, test.a), "%v %v", test.a, test.b)
	}
}

// What needs many things is not told from others that do. Elements do not count: a long list needs
// many.
func TestIntricate(t *testing.T) {
	picks := make([]Need, maxNeeds)
	require.False(t, intricate(picks))
	require.True(t, intricate(append(picks, Need{})))
	require.False(t, intricate(append(picks, Need{Element: true})))
}

// A name of the property overrides that a part of the value fails under another name.
func TestNamedOverrides(t *testing.T) {
	h := &host{prop: func(p *part) string {
		switch {
		case p.Size < 0:
			return "class leaf"
		case p.any(func(p *part) bool { return p.Size < 0 }):
			return "class list"
		}
		return ""
	}}
	k := NewKnown(h, 1)
	leaf := &part{Kind: "a", Size: -1}
	for i, p := range []*part{leaf, {Kind: "list", Parts: []*part{leaf}}} {
		tree, err := bigen.Choices(genPart, p)
		require.NoError(t, err)
		class, m := k.Classify(tree, h.RunOn(p, tree))
		require.Nil(t, class, "%d", i)
		k.Add(m, false)
	}
	require.Len(t, k.List, 2)
}

// Two values that need many things are of one class, however they look.
func TestIntricateAreAlike(t *testing.T) {
	leaf := func(n int) *part { return &part{Kind: "b", Size: n} }
	list := func(parts ...*part) *part { return &part{Kind: "list", Parts: parts} }
	values := []*part{
		list(list(leaf(100), leaf(200), leaf(300)), list(leaf(400), leaf(500), leaf(600))),
		list(leaf(700), list(leaf(-100), leaf(-200), leaf(-300), list(leaf(-400), leaf(-500)))),
	}
	h := &host{prop: func(p *part) string {
		if s := p.String(); s == values[0].String() || s == values[1].String() {
			return "wrong"
		}
		return ""
	}}
	k := NewKnown(h, 1)
	for i, p := range values {
		tree, err := bigen.Choices(genPart, p)
		require.NoError(t, err)
		class, m := k.Classify(tree, h.RunOn(p, tree))
		require.Equal(t, i == 0, m != nil)
		if m != nil {
			k.Add(m, false)
		} else {
			require.Equal(t, k.List[0], class)
		}
	}
}

// Messages of a place that do not count any more count for no class that another process tells of.
func TestLearnUnited(t *testing.T) {
	tell := NewKnown(&host{prop: func(p *part) string { return "wrong" }}, 1)
	tree, err := bigen.Choices(genPart, &part{Kind: "a"})
	require.NoError(t, err)
	hear := NewKnown(tell.Host, 1)
	for i := range engine.MaxMessages + 3 {
		c := tell.Add(&Minimal{
			Tree: tree,
			Run:  &Result{Failed: true, Place: "x.go:1", Key: fmt.Sprintf("x.go:1: %c", 'a'+i)},
		}, false)
		hear.Learn(c.Name,
			[]byte(strings.Replace(string(c.Data()), `"Needs":[null]`, `"Needs":[[{"Field":1}]]`, 1)))
	}
	for _, c := range hear.List {
		require.Equal(t, "x.go:1", c.Key)
		require.Equal(t, [][]Need{nil}, c.Needs, "they are found again")
	}
	require.NotEmpty(t, hear.List)
}
