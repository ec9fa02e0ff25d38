// Package treetargets has programs that read trees, each with a generator of its inputs, to measure
// what tuned weights are worth in code covered: Mista, Russo, Hughes, Branching Processes for
// QuickCheck Generators, section 8. Each program is of another module, or of the standard library.
package treetargets

import (
	"fmt"
	"slices"

	"github.com/espalier-go/espalier/bigen"
)

// A Target is a program with a generator of its inputs.
type Target struct {
	Name     string
	Packages []string // of the program, whose branches count
	Gen      bigen.Gen[string]
	Run      func(input string)
}

// All returns all targets.
func All() []Target { return []Target{shell(), expression(), image()} }

// Named returns the target with the name. It panics if there is none.
func Named(name string) Target {
	all := All()
	return all[slices.IndexFunc(all, func(t Target) bool { return t.Name == name })]
}

// A form makes texts by a format for [fmt.Sprintf], whose arguments are other texts. Its name is its
// tag.
func form(name, format string, parts ...bigen.Gen[string]) bigen.Alt[string] {
	return bigen.Tag(name, joined(func(texts []any) string {
		return fmt.Sprintf(format, texts...)
	}, parts...))
}

// joined makes texts of other texts.
func joined(join func(texts []any) string, parts ...bigen.Gen[string]) bigen.Gen[string] {
	type made struct{ texts [6]string }
	all := bigen.New(func(c *bigen.C, m *made) {
		for i, part := range parts {
			bigen.At(c, &m.texts[i], part)
		}
	})
	return bigen.Iso(all, func(m *made) string {
		var texts []any
		for _, t := range m.texts[:len(parts)] {
			texts = append(texts, t)
		}
		return join(texts)
	}, forward[*made])
}

// list makes texts of at most so many others, with a separator between.
func list(most int, separator string, part bigen.Gen[string]) bigen.Gen[string] {
	return bigen.Iso(bigen.SliceOf(part, 0, most), func(l []string) (text string) {
		for i, t := range l {
			if i > 0 {
				text += separator
			}
			text += t
		}
		return text
	}, forward[[]string])
}

// forward is the inverse of a function that has none.
func forward[A any](string) (a A, ok bool) { return a, false }

// recursive makes what f returns, whose parts may be the same.
func recursive(f func(self bigen.Gen[string]) bigen.Gen[string]) (g bigen.Gen[string]) {
	g = f(bigen.Lazy(func() bigen.Gen[string] { return g }))
	return g
}

// words makes one of texts, of which each is a tag.
func words(all ...string) bigen.Gen[string] { return bigen.OneOf(all...) }
