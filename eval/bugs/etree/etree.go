// Package etree has bugs of github.com/beevik/etree.
package etree

import (
	"fmt"
	"slices"

	"github.com/beevik/etree"
	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/eval/bug"
)

const source = "hegeldev/hegel-zoo, targets/go/etree"

// Bugs are the bugs.
var Bugs = []bug.Bug{
	bug.New(bug.Spec[content]{
		Name:   "etree/5",
		Title:  "SetText replaces the text before a comment, Text returns that after it, too",
		Source: source,
		Gen: bigen.Struct(func(c *bigen.C, v *content) {
			bigen.At(c, &v.Tokens, bigen.SliceOf(bigen.Struct(func(c *bigen.C, t *token) {
				bigen.At(c, &t.Kind, bigen.OneOf("text", "cdata", "comment", "element"))
				bigen.At(c, &t.Text, bigen.Matching(word))
			}), 0, 5))
			bigen.At(c, &v.Text, bigen.Matching(word))
		}),
		Rapid: func(t *rapid.T) content {
			tokens := rapid.Custom(func(t *rapid.T) token {
				return token{
					rapid.SampledFrom([]string{"text", "cdata", "comment", "element"}).Draw(t, "kind"),
					rapid.StringMatching(word).Draw(t, "text"),
				}
			})
			return content{rapid.SliceOfN(tokens, 0, 5).Draw(t, "tokens"),
				rapid.StringMatching(word).Draw(t, "text")}
		},
		Fails: func(v content) string {
			e := v.build()
			e.SetText(v.Text)
			if got := e.Text(); got != v.Text {
				return fmt.Sprintf("Text returns %q after SetText(%q)", got, v.Text)
			}
			return ""
		},
	}),
	bug.New(bug.Spec[selection]{
		Name:   "etree/6",
		Title:  "the filter [tag] counts an element once for each child, so [n] after it miscounts",
		Source: source,
		Gen: bigen.Struct(func(c *bigen.C, s *selection) {
			bigen.At(c, &s.Elements, bigen.SliceOf(bigen.Struct(func(c *bigen.C, e *element) {
				bigen.At(c, &e.Tag, bigen.OneOf(tags...))
				bigen.At(c, &e.Children, bigen.SliceOf(bigen.OneOf(tags...), 0, 3))
			}), 0, 5))
			bigen.At(c, &s.Tag, bigen.OneOf(tags...))
			bigen.At(c, &s.Child, bigen.OneOf(tags...))
			bigen.At(c, &s.Position, bigen.IntRange(1, 4))
		}),
		Rapid: func(t *rapid.T) selection {
			tag := rapid.SampledFrom(tags)
			elements := rapid.Custom(func(t *rapid.T) element {
				return element{tag.Draw(t, "tag"), rapid.SliceOfN(tag, 0, 3).Draw(t, "children")}
			})
			return selection{
				rapid.SliceOfN(elements, 0, 5).Draw(t, "elements"),
				tag.Draw(t, "tag"), tag.Draw(t, "child"), rapid.IntRange(1, 4).Draw(t, "position"),
			}
		},
		Fails: func(s selection) string {
			if got, want := s.find(), s.want(); !slices.Equal(got, want) {
				return fmt.Sprintf("%s selects %v, want %v", s.path(), got, want)
			}
			return ""
		},
	}),
	bug.New(bug.Spec[attributes]{
		Name:   "etree/8",
		Title:  "a path with [ in a quoted value does not compile",
		Source: source,
		Gen: bigen.Struct(func(c *bigen.C, a *attributes) {
			bigen.At(c, &a.Values, bigen.SliceOf(bigen.Matching(quotable), 0, 4))
			bigen.At(c, &a.Value, bigen.Matching(quotable))
		}),
		Rapid: func(t *rapid.T) attributes {
			value := rapid.StringMatching(quotable)
			return attributes{rapid.SliceOfN(value, 0, 4).Draw(t, "values"), value.Draw(t, "value")}
		},
		Fails: func(a attributes) string {
			root := etree.NewElement("r")
			want := 0
			for _, v := range a.Values {
				root.CreateElement("a").CreateAttr("x", v)
				if v == a.Value {
					want++
				}
			}
			path, err := etree.CompilePath("./a[@x='" + a.Value + "']")
			if err != nil {
				return err.Error()
			}
			if got := root.FindElementsPath(path); len(got) != want {
				return fmt.Sprintf("%d elements with %q, want %d", len(got), a.Value, want)
			}
			return ""
		},
	}),
	bug.New(bug.Spec[[]attribute]{
		Name:   "etree/10",
		Title:  "SelectAttr of a key without prefix returns an earlier attribute with a prefix",
		Source: source,
		Gen: bigen.SliceOf(bigen.Struct(func(c *bigen.C, a *attribute) {
			bigen.At(c, &a.Key, bigen.Matching(key))
			bigen.At(c, &a.Value, bigen.Matching(word))
		}), 0, 8),
		Rapid: func(t *rapid.T) []attribute {
			return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) attribute {
				return attribute{rapid.StringMatching(key).Draw(t, "key"),
					rapid.StringMatching(word).Draw(t, "value")}
			}), 0, 8).Draw(t, "attributes")
		},
		Fails: func(all []attribute) string {
			e := etree.NewElement("a")
			for _, a := range all {
				e.CreateAttr(a.Key, a.Value)
				if got := e.SelectAttrValue(a.Key, "none"); got != a.Value {
					return fmt.Sprintf("%s is %q after CreateAttr(%[1]q, %q)", a.Key, got, a.Value)
				}
			}
			return ""
		},
	}),
}

var tags = []string{"a", "b", "c"}

const (
	word     = `[a-z]{0,4}`
	quotable = `[ -&(-~]{0,6}`
	key      = `([pq]:)?[x-z]`
)

// A content is what an element begins with, and the text that it gets.
type content struct {
	Tokens []token
	Text   string
}

type token struct{ Kind, Text string }

func (v content) build() *etree.Element {
	e := etree.NewElement("e")
	for _, t := range v.Tokens {
		switch t.Kind {
		case "text":
			e.CreateText(t.Text)
		case "cdata":
			e.CreateCData(t.Text)
		case "comment":
			e.CreateComment(t.Text)
		default:
			e.CreateElement("f").SetText(t.Text)
		}
	}
	return e
}

// A selection asks for the element at a position among those that have a tag and a child.
type selection struct {
	Elements   []element
	Tag, Child string
	Position   int
}

type element struct {
	Tag      string
	Children []string
}

func (s selection) path() string { return fmt.Sprintf("./%s[%s][%d]", s.Tag, s.Child, s.Position) }

func (s selection) find() (indices []int) {
	root := etree.NewElement("r")
	for _, e := range s.Elements {
		x := root.CreateElement(e.Tag)
		for _, tag := range e.Children {
			x.CreateElement(tag)
		}
	}
	for _, e := range root.FindElements(s.path()) {
		indices = append(indices, e.Index())
	}
	return indices
}

func (s selection) want() []int {
	n := 0
	for i, e := range s.Elements {
		if e.Tag == s.Tag && slices.Contains(e.Children, s.Child) {
			if n++; n == s.Position {
				return []int{i}
			}
		}
	}
	return nil
}

// An attributes value asks for the elements whose attribute has a value.
type attributes struct {
	Values []string
	Value  string
}

type attribute struct{ Key, Value string }
