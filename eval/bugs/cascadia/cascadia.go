// Package cascadia has bugs of github.com/andybalholm/cascadia.
package cascadia

import (
	"fmt"
	"slices"
	"strings"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/eval/bug"
)

const source = "hegeldev/hegel-zoo, targets/go/cascadia"

// Bugs are the bugs.
var Bugs = []bug.Bug{
	bug.New(bug.Spec[relation]{
		Name:   "cascadia/6",
		Title:  ":has(b c) finds b outside of the element",
		Source: source,
		Gen: bigen.Struct(func(c *bigen.C, r *relation) {
			bigen.At(c, &r.Root, genPlain)
			bigen.At(c, &r.Outer, bigen.OneOf(plain...))
			bigen.At(c, &r.Middle, bigen.OneOf(plain...))
			bigen.At(c, &r.Inner, bigen.OneOf(plain...))
			bigen.At(c, &r.Child, bigen.Bool())
		}),
		Rapid: func(t *rapid.T) relation {
			tag := rapid.SampledFrom(plain)
			return relation{
				rapidElement(t, depth, plain, []string{none}),
				tag.Draw(t, "outer"), tag.Draw(t, "middle"), tag.Draw(t, "inner"),
				rapid.Bool().Draw(t, "child"),
			}
		},
		Fails: func(r relation) string {
			between := " "
			if r.Child {
				between = " > "
			}
			return compare(r.Root,
				fmt.Sprintf("%s:has(%s%s%s)", r.Outer, r.Middle, between, r.Inner),
				func(e *element, _ []*element) bool {
					return e.Tag == r.Outer && r.below(e, nil)
				})
		},
	}),
	bug.New(bug.Spec[element]{
		Name:   "cascadia/10",
		Title:  ":lang looks at ancestors though an element has an attribute lang of its own",
		Source: source,
		Gen:    genLanguages,
		Rapid:  func(t *rapid.T) element { return rapidElement(t, depth, plain, languages) },
		Fails: func(root element) string {
			return compare(root, ":lang(en)", func(e *element, above []*element) bool {
				for i := len(above); e.Lang == none; i-- {
					if i == 0 {
						return false
					}
					e = above[i-1]
				}
				return e.Lang == "en" || strings.HasPrefix(e.Lang, "en-")
			})
		},
	}),
	bug.New(bug.Spec[element]{
		Name:   "cascadia/14",
		Title:  "a fieldset in a disabled fieldset is not :disabled",
		Source: source,
		Gen:    genControls,
		Rapid:  func(t *rapid.T) element { return rapidElement(t, depth, controls, []string{none}) },
		Fails: func(root element) string {
			return compare(root, ":disabled", func(e *element, above []*element) bool {
				if e.Tag == "div" || e.Tag == "legend" {
					return false
				}
				for i, a := range above {
					if a.Tag != "fieldset" || !a.Disabled {
						continue
					}
					child := e
					if i+1 < len(above) {
						child = above[i+1]
					}
					if child != a.firstLegend() {
						return true
					}
				}
				return e.Disabled
			})
		},
	}),
}

const (
	depth = 3
	none  = "none" // no attribute lang
)

var (
	plain     = []string{"div", "span", "b"}
	controls  = []string{"div", "fieldset", "legend", "input", "button"}
	languages = []string{none, "", "en", "en-us", "fr"}

	genPlain     = genElement(depth, plain, []string{none})
	genLanguages = genElement(depth, plain, languages)
	genControls  = genElement(depth, controls, []string{none})
)

// An element is one of HTML.
type element struct {
	Tag, Lang string
	Disabled  bool
	Children  []element
}

func genElement(depth int, tags, languages []string) bigen.Gen[element] {
	var children bigen.Gen[[]element]
	if depth > 0 {
		children = bigen.SliceOf(genElement(depth-1, tags, languages), 0, 3)
	}
	return bigen.Struct(func(c *bigen.C, e *element) {
		bigen.At(c, &e.Tag, bigen.OneOf(tags...))
		bigen.At(c, &e.Lang, bigen.OneOf(languages...))
		bigen.At(c, &e.Disabled, bigen.Bool())
		if depth > 0 {
			bigen.At(c, &e.Children, children)
		}
	})
}

func rapidElement(t *rapid.T, depth int, tags, languages []string) element {
	e := element{
		Tag:      rapid.SampledFrom(tags).Draw(t, "tag"),
		Lang:     rapid.SampledFrom(languages).Draw(t, "lang"),
		Disabled: rapid.Bool().Draw(t, "disabled"),
	}
	if depth > 0 {
		child := rapid.Custom(func(t *rapid.T) element {
			return rapidElement(t, depth-1, tags, languages)
		})
		e.Children = rapid.SliceOfN(child, 0, 3).Draw(t, "children")
	}
	return e
}

func (e *element) firstLegend() *element {
	for i := range e.Children {
		if e.Children[i].Tag == "legend" {
			return &e.Children[i]
		}
	}
	return nil
}

// build returns the node of an element, and puts the nodes into a list from the root down.
func (e *element) build(nodes *[]*html.Node) *html.Node {
	n := &html.Node{Type: html.ElementNode, Data: e.Tag, DataAtom: atom.Lookup([]byte(e.Tag))}
	if e.Lang != none {
		n.Attr = append(n.Attr, html.Attribute{Key: "lang", Val: e.Lang})
	}
	if e.Disabled {
		n.Attr = append(n.Attr, html.Attribute{Key: "disabled"})
	}
	*nodes = append(*nodes, n)
	for i := range e.Children {
		n.AppendChild(e.Children[i].build(nodes))
	}
	return n
}

// walk calls f with the elements in the order of build, and with their ancestors from the root.
func (e *element) walk(above []*element, f func(e *element, above []*element)) {
	f(e, above)
	above = append(slices.Clip(above), e)
	for i := range e.Children {
		e.Children[i].walk(above, f)
	}
}

// compare selects in a document that has the root alone.
func compare(root element, selector string, want func(e *element, above []*element) bool) string {
	document := &html.Node{Type: html.DocumentNode}
	var nodes []*html.Node
	document.AppendChild(root.build(&nodes))
	selected := cascadia.QueryAll(document, cascadia.MustCompile(selector))
	i, what := 0, ""
	root.walk(nil, func(e *element, above []*element) {
		if got := slices.Contains(selected, nodes[i]); what == "" && got != want(e, above) {
			what = fmt.Sprintf("%s selects element %d: %t", selector, i, got)
		}
		i++
	})
	return what
}

// A relation is a selector Outer:has(Middle Inner), or, for a child, Outer:has(Middle > Inner).
type relation struct {
	Root                 element
	Outer, Middle, Inner string
	Child                bool
}

// below reports whether there are a middle and an inner element below e; between has what is
// between the outer element and the children of e.
func (r relation) below(e *element, between []*element) bool {
	for i := range e.Children {
		x := &e.Children[i]
		from := between
		if r.Child && len(from) > 0 {
			from = from[len(from)-1:]
		}
		isMiddle := func(a *element) bool { return a.Tag == r.Middle }
		if x.Tag == r.Inner && slices.ContainsFunc(from, isMiddle) ||
			r.below(x, append(slices.Clip(between), x)) {
			return true
		}
	}
	return false
}
