// Package modulebugs has known bugs of public modules, at versions that still have them: a
// property for each, and generators of its values.
package modulebugs

import (
	"github.com/sergi/go-diff/diffmatchpatch"
	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bench/mutants"
	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
)

// Programs returns the modules. Each names its bugs after the module's reports of them.
func Programs() []mutants.Program {
	return []mutants.Program{roaringModule, tomlModule, diffModule, mergeModule, deleteModule}
}

func drawOf[V any](g *rapid.Generator[V]) func(t *rapid.T) V {
	return func(t *rapid.T) V { return g.Draw(t, "v") }
}

// A textPair has two texts to compare.
type textPair struct{ A, B string }

const (
	diffRunes = "ab \n%+-@é世1"
	diffMost  = 60 // runes
)

var diffAlphabet = choices.Chars(diffRunes)

var diffModule = mutants.New(mutants.Spec[textPair]{
	Name:  "go-diff@v1.2.0",
	Bugs:  []string{"#140: lines"}, // fixed in v1.4.0
	Fails: diffFails,
	Built: bigen.Struct(func(c *bigen.C, p *textPair) {
		bigen.At(c, &p.A, bigen.StringOf(diffAlphabet, 0, diffMost))
		bigen.At(c, &p.B, bigen.StringOf(diffAlphabet, 0, diffMost))
	}),
	RapidBuilt: func(t *rapid.T) textPair {
		text := rapid.StringOfN(rapid.RuneFrom([]rune(diffRunes)), 0, diffMost, -1)
		return textPair{text.Draw(t, "a"), text.Draw(t, "b")}
	},
})

func diffFails(_ string, p textPair) bool {
	d := diffmatchpatch.New()
	d.DiffTimeout = 0
	a, b, lines := d.DiffLinesToChars(p.A, p.B)
	diffs := d.DiffCharsToLines(d.DiffMain(a, b, false), lines)
	return d.DiffText1(diffs) != p.A || d.DiffText2(diffs) != p.B
}
