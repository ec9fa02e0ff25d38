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

// variants returns the minimal values of each class of the failures of random values.
func variants(t *testing.T, prop property, known *Known, n int) (classes [][]string) {
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
		var values []string
		for _, v := range c.Variants {
			p, _, err := bigen.Run(genPart, choices.Replay(v.Tree, nil))
			require.NoError(t, err)
			values = append(values, p.String())
		}
		classes = append(classes, values)
	}
	slices.SortFunc(classes, func(a, b []string) int { return strings.Compare(a[0], b[0]) })
	return classes
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
	runs := 0
	tests := []struct {
		name string
		prop property
		want [][]string
	}{
		{"one bug", is(negative), [][]string{{`a-1""`}}},
		{"a part", is(func(p *part) bool { return p.Kind == "b" }), [][]string{{`b0""`}}},
		{"an integer in two", is(odd), [][]string{{`a1""`, `a-1""`}}},
		{"texts", is(func(p *part) bool {
			return strings.ContainsAny(p.Text, "\"7") || foreign(p) || utf8.RuneCountInString(p.Text) > 7
		}), [][]string{{`a0"7"`, `a0"\""`, `a0"\u0080"`, `a0"aaaaaaaa"`}}},
		{"numbers", is(func(p *part) bool { return p.Size > 50 || p.Size < -20 }),
			[][]string{{`a-21""`, `a51""`}}},
		{"several bugs", is(func(p *part) bool {
			return negative(p) || quote(p) || foreign(p) || long(p) || nested(p)
		}), [][]string{{`a-1""`, `a0"\""`, `a0"\u0080"`, `[a0"" a0"" a0""]`, `[[a0""]]`}}},
		{"some runes", is(func(p *part) bool {
			return quote(p) || strings.Contains(p.Text, `\`) || strings.Contains(p.Text, "%")
		}), [][]string{{`a0"\""`, `a0"%"`, `a0"\\"`}}},
		{"a letter and a digit", is(func(p *part) bool { return strings.ContainsAny(p.Text, "x7") }),
			[][]string{{`a0"x"`, `a0"7"`}}},
		{"two in one", is(func(p *part) bool { return len(p.Parts) > 0 || negative(p) }),
			[][]string{{`a-1""`, `[a0""]`}}},
		{"several messages", func(p *part) string {
			switch {
			case p.Kind == "a" && quote(p):
				return "a differs"
			case quote(p):
				return "b differs"
			case p.Kind == "b" && negative(p):
				return "b differs"
			}
			return ""
		}, [][]string{{`a0"\""`}, {`b-1""`, `b0"\""`}}},
		{"an echo", func(p *part) string {
			if p.Kind == "b" {
				return engine.Plain("no "+p.Text+" here", p.Text)
			}
			return ""
		}, [][]string{{`b0""`}}},
		{"messages", func(p *part) string {
			switch {
			case negative(p):
				return "negative"
			case large(p):
				return "large"
			}
			return ""
		}, [][]string{{`a-1""`}, {`a100""`}}},
		{"too many messages", func(p *part) string {
			if large(p) {
				return fmt.Sprintf("message %d", p.Size)
			}
			return ""
		}, nil},
		{"a message that varies", func(p *part) string {
			if runs++; large(p) || negative(p) {
				return "message " + string(rune('a'+runs%5))
			}
			return ""
		}, [][]string{{`a-1""`, `a100""`}}},
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
		{"all values", func(p *part) string { return "wrong" }, [][]string{{`a0""`}}},
		{"named", func(p *part) string {
			switch {
			case len(p.Parts) > 0 && p.any(negative):
				return "class list"
			case negative(p):
				return "class leaf"
			}
			return ""
		}, [][]string{{`[a-1""]`}, {`a-1""`}}},
		{"a panic", func(p *part) string {
			if negative(p) || large(p) {
				return "panic in f"
			}
			return ""
		}, nil},
	}
	for _, test := range tests {
		known := &Known{Host: &host{prop: test.prop}}
		got := variants(t, test.prop, known, values)
		if test.want == nil {
			require.Len(t, got, 1, test.name)
			require.LessOrEqual(t, len(got[0]), MaxVariants, test.name)
		} else {
			require.Equal(t, test.want, got, test.name)
		}

		// Another process learns what is known, and finds nothing else.
		other := &Known{Host: &host{prop: test.prop}}
		for _, c := range known.List {
			for _, v := range c.Variants {
				other.Learn(v.Name, v.Data())
			}
		}
		require.Equal(t, got, variants(t, test.prop, other, others), test.name)
	}
}

// What another process tells may be anything.
func TestLearnGarbage(t *testing.T) {
	k := &Known{Host: &host{}}
	for _, data := range []string{"", "{", "[]", `{"Name": "other"}`, `{"Key": "x", "Needs": 1}`,
		`{"Name": "x"}`} {
		k.Learn("x", []byte(data))
	}
	require.Empty(t, k.List)
	k.Learn("x", []byte(`{"Key": "x", "Needs": {"99": 77}}`))
	require.Len(t, k.List, 1)
	require.False(t, k.List[0].explains(k.features(choices.Tree{{Kind: choices.Int, Size: 1}})))
}

// A variant explains a value that has what it needs, wherever a recursive part stands.
func TestNeeds(t *testing.T) {
	of := func(p *part) choices.Tree {
		tree, err := bigen.Choices(genPart, p)
		require.NoError(t, err)
		return tree
	}
	around := func(parts ...*part) *part { return &part{Kind: "list", Parts: parts} }
	leaf := func(n int, s string) *part { return &part{Kind: "a", Size: n, Text: s} }
	five := func(p *part) bool { return p.Size >= 5 }
	quote := func(p *part) bool { return strings.Contains(p.Text, `"`) }
	empty := func(p *part) bool { return p.Kind != "list" && p.Text == "" }
	two := func(p *part) bool { return len(p.Parts) > 1 }
	tests := []struct {
		minimal *part
		fails   func(p *part) bool // a part of a value does
		value   *part
		want    bool
	}{
		{leaf(5, ""), five, leaf(6, "x"), true},
		{leaf(5, ""), five, leaf(-6, ""), false},
		{leaf(5, ""), five, around(leaf(0, ""), around(leaf(5, ""))), true},
		{leaf(0, `"`), quote, leaf(0, `xyz".`), true},
		{leaf(0, `"`), quote, leaf(0, `\`), false},
		{leaf(0, "É"), func(p *part) bool { return strings.ToLower(p.Text) != p.Text },
			leaf(0, "xÀ"), true},
		{leaf(0, "A"), func(p *part) bool { return strings.ToLower(p.Text) != p.Text },
			leaf(0, "xB"), true},
		{leaf(0, ""), empty, leaf(7, ""), true},
		{leaf(0, ""), empty, leaf(0, "a"), false},
		{around(leaf(0, ""), leaf(0, "")), two, around(leaf(1, "")), false},
		{around(leaf(0, ""), leaf(0, "")), two,
			around(around(leaf(1, ""), leaf(2, ""), leaf(3, ""))), true},
		{around(leaf(7, "")), func(p *part) bool {
			return len(p.Parts) > 0 && p.Parts[len(p.Parts)-1].Size == 7
		}, around(leaf(1, ""), leaf(7, "")), true},
		{around(around(leaf(0, ""))), func(p *part) bool { return p.any(two) }, around(leaf(0, "")), false},
	}
	for i, test := range tests {
		k := &Known{Host: &host{prop: func(p *part) string {
			if p.any(test.fails) {
				return "wrong"
			}
			return ""
		}}}
		k.note(of(around(around(leaf(0, "")))))
		tree := of(test.minimal)
		c := &Class{Variants: []*Variant{{Tree: tree, Needs: k.needs(tree)}}}
		has := k.features(of(test.value))
		require.Equal(t, test.want, c.explains(has), "%d: %v in %v", i, c.Variants[0].Needs, has)
	}
}

// A variant takes the place of those that need all that it needs, and more.
func TestReplaced(t *testing.T) {
	k := &Known{Host: &host{}}
	leaf, err := bigen.Choices(genPart, &part{Kind: "a", Size: 5})
	require.NoError(t, err)
	list, err := bigen.Choices(genPart,
		&part{Kind: "list", Parts: []*part{{Kind: "a", Size: 5}, {Kind: "a"}}})
	require.NoError(t, err)
	run := &Result{Failed: true, Place: "x.go:1", Key: "x.go:1: wrong"}
	for _, tree := range []choices.Tree{list, leaf} {
		k.Add(&Minimal{Tree: tree, Run: run, needs: k.features(tree)}, false)
	}
	require.Len(t, k.List, 1)
	require.Len(t, k.List[0].Variants, 1)
	require.Equal(t, leaf, k.List[0].Variants[0].Tree)
}

// In a place with too many messages, messages do not count, and its classes become one. That is so
// for what another process tells, too.
func TestUnite(t *testing.T) {
	tell := &Known{Host: &host{prop: func(p *part) string { return "wrong" }}}
	tree, err := bigen.Choices(genPart, &part{Kind: "a"})
	require.NoError(t, err)
	hear := &Known{Host: tell.Host}
	for i := range engine.MaxMessages + 3 {
		run := &Result{Failed: true, Place: "x.go:1", Key: fmt.Sprintf("x.go:1: %c", 'a'+i)}
		v := tell.Add(&Minimal{Tree: tree, Run: run, needs: map[uint64]int{uint64(i): 1}}, false)
		hear.Learn(v.Name, v.Data())
		want := min(i+1, engine.MaxMessages)
		if i >= engine.MaxMessages {
			want = 1
		}
		require.Len(t, tell.List, want)
		require.Len(t, hear.List, want)
	}
	for _, k := range []*Known{tell, hear} {
		require.Equal(t, "x.go:1", k.List[0].Key)
		require.Len(t, k.List[0].Variants, MaxVariants)
		require.Same(t, k.List[0], k.List[0].Variants[0].Class)
	}
}
