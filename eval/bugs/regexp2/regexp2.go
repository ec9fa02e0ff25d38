// Package regexp2 has bugs of github.com/dlclark/regexp2.
package regexp2

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/dlclark/regexp2/v2"
	"github.com/dlclark/regexp2/v2/compat"
	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/eval/bug"
)

const source = "hegeldev/hegel-zoo, targets/go/regexp2"

// Bugs are the bugs.
var Bugs = []bug.Bug{
	bug.New(bug.Spec[query]{
		Name: "regexp2/1",
		Title: "a branch is skipped that begins with a literal, before one that begins with a " +
			"negated class",
		Source: source,
		Gen:    genQuery(ascii),
		Rapid:  rapidQuery(ascii),
		Fails: func(q query) string {
			pattern := q.Pattern.String()
			if strings.Contains(pattern, `\B`) { // regexp2/8
				return ""
			}
			got := find(regexp2.MustCompile(pattern), q.Text)
			if want := regexp.MustCompile(pattern).FindStringIndex(q.Text); !slices.Equal(got, want) {
				return fmt.Sprintf("%s matches %q at %v; want %v", pattern, q.Text, got, want)
			}
			return ""
		},
	}),
	bug.New(bug.Spec[query]{
		Name:   "regexp2/5",
		Title:  "Split adds an empty string for a group that took no part in the match",
		Source: source,
		Gen:    genQuery(ascii),
		Rapid:  rapidQuery(ascii),
		Fails: func(q query) string {
			re := regexp2.MustCompile(q.Pattern.String())
			got, err := re.Split(q.Text, -1)
			if err != nil {
				return err.Error()
			}
			if want := split(re, q.Text); !slices.Equal(got, want) {
				return fmt.Sprintf("%s splits %q into %q; want %q", re, q.Text, got, want)
			}
			return ""
		},
	}),
	bug.New(bug.Spec[query]{
		Name:   "regexp2/6",
		Title:  "in RE2 mode, word boundaries follow Unicode, but words follow ASCII",
		Source: source,
		Gen:    genQuery(letters),
		Rapid:  rapidQuery(letters),
		Fails: func(q query) string {
			pattern := `\A` + q.Pattern.String() // anchored, for regexp2/1
			if strings.Contains(pattern, `\B`) { // regexp2/8
				return ""
			}
			got := compat.MustCompile(pattern, regexp2.RE2).FindStringIndex(q.Text)
			if want := regexp.MustCompile(pattern).FindStringIndex(q.Text); !slices.Equal(got, want) {
				return fmt.Sprintf("%s matches %q at %v; want %v", pattern, q.Text, got, want)
			}
			return ""
		},
	}),
	bug.New(bug.Spec[query]{
		Name:   "regexp2/8",
		Title:  `a loop before \B does not give back what it has taken`,
		Source: source,
		Gen:    genQuery(ascii),
		Rapid:  rapidQuery(ascii),
		Fails: func(q query) string {
			pattern := `\A` + q.Pattern.String() // anchored, for regexp2/1
			got := find(regexp2.MustCompile(pattern), q.Text)
			if want := regexp.MustCompile(pattern).FindStringIndex(q.Text); !slices.Equal(got, want) {
				return fmt.Sprintf("%s matches %q at %v; want %v", pattern, q.Text, got, want)
			}
			return ""
		},
	}),
}

func find(re *regexp2.Regexp, text string) []int {
	m, err := re.FindStringMatch(text)
	if err != nil {
		panic(err)
	}
	if m == nil {
		return nil
	}
	start, length := m.ByteRange()
	return []int{start, start + length}
}

// split is what Split documents, by the matches.
func split(re *regexp2.Regexp, text string) (parts []string) {
	rest := 0
	m, err := re.FindStringMatch(text)
	for ; m != nil && err == nil; m, err = re.FindNextMatch(m) {
		start, length := m.ByteRange()
		parts, rest = append(parts, text[rest:start]), start+length
		for _, g := range m.Groups()[1:] {
			if len(g.Captures) > 0 {
				parts = append(parts, g.String())
			}
		}
	}
	if err != nil {
		panic(err)
	}
	return append(parts, text[rest:])
}

// A node is a part of a pattern: an atom with a quantifier, a sequence, or alternatives in a group.
type node struct {
	Atom, Quantifier string
	Parts            []node
	Group            bool // of alternatives, else it is a sequence
}

func (n node) String() string {
	if n.Atom != "" {
		return n.Atom + n.Quantifier
	}
	var parts []string
	for _, p := range n.Parts {
		parts = append(parts, p.String())
	}
	if n.Group {
		return "(" + strings.Join(parts, "|") + ")" + n.Quantifier
	}
	return strings.Join(parts, "")
}

var (
	atoms       = []string{"a", "b", "0", "-", ".", "[ab]", "[^a]", `\d`, `\D`, `\w`, `\W`, `\s`, `\S`}
	boundaries  = []string{`\b`, `\B`}
	quantifiers = []string{"", "", "?", "*", "+", "{1,2}"}
	optional    = []string{"", "", "?"} // of groups: repetitions of what may be empty differ
)

const (
	ascii    = "ab0- "
	letters  = "ab0- éж"
	mostText = 6
	depth    = 2
)

// A query matches a text.
type query struct {
	Pattern node
	Text    string
}

func genQuery(alphabet string) bigen.Gen[query] {
	pattern := genNode(depth)
	text := bigen.StringOf(choices.Chars(alphabet), 0, mostText)
	return bigen.Struct(func(c *bigen.C, q *query) {
		bigen.At(c, &q.Pattern, pattern)
		bigen.At(c, &q.Text, text)
	})
}

func genNode(depth int) bigen.Gen[node] {
	alts := []bigen.Alt[node]{
		bigen.Tag("atom", bigen.Struct(func(c *bigen.C, n *node) {
			bigen.At(c, &n.Atom, bigen.OneOf(atoms...))
			bigen.At(c, &n.Quantifier, bigen.OneOf(quantifiers...))
		})),
		bigen.Tag("boundary", bigen.Struct(func(c *bigen.C, n *node) {
			bigen.At(c, &n.Atom, bigen.OneOf(boundaries...))
		})),
	}
	if depth > 0 {
		sub := genNode(depth - 1)
		alts = append(alts, bigen.Tag("sequence", bigen.Struct(func(c *bigen.C, n *node) {
			bigen.At(c, &n.Parts, bigen.SliceOf(sub, 1, 3))
		})), bigen.Tag("group", bigen.Struct(func(c *bigen.C, n *node) {
			bigen.At(c, &n.Group, bigen.Just(true))
			bigen.At(c, &n.Parts, bigen.SliceOf(sub, 1, 3))
			bigen.At(c, &n.Quantifier, bigen.OneOf(optional...))
		})))
	}
	return bigen.Pick(alts...)
}

func rapidQuery(alphabet string) func(t *rapid.T) query {
	pattern := rapidNode(depth)
	text := rapid.StringOfN(rapid.RuneFrom([]rune(alphabet)), 0, mostText, -1)
	return func(t *rapid.T) query {
		return query{pattern.Draw(t, "pattern"), text.Draw(t, "text")}
	}
}

func rapidNode(depth int) *rapid.Generator[node] {
	kinds := []*rapid.Generator[node]{
		rapid.Custom(func(t *rapid.T) node {
			return node{
				Atom:       rapid.SampledFrom(atoms).Draw(t, "atom"),
				Quantifier: rapid.SampledFrom(quantifiers).Draw(t, "quantifier"),
			}
		}),
		rapid.Custom(func(t *rapid.T) node {
			return node{Atom: rapid.SampledFrom(boundaries).Draw(t, "boundary")}
		}),
	}
	if depth > 0 {
		sub := rapidNode(depth - 1)
		kinds = append(kinds, rapid.Custom(func(t *rapid.T) node {
			return node{Parts: rapid.SliceOfN(sub, 1, 3).Draw(t, "parts")}
		}), rapid.Custom(func(t *rapid.T) node {
			return node{
				Group:      true,
				Parts:      rapid.SliceOfN(sub, 1, 3).Draw(t, "parts"),
				Quantifier: rapid.SampledFrom(optional).Draw(t, "quantifier"),
			}
		}))
	}
	return rapid.OneOf(kinds...)
}
