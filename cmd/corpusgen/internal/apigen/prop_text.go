package apigen

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxPatterns is how many sorts of texts a generator makes, beside any text.
const maxPatterns = 8

// textGen declares the generator of the texts that a call is given, of those that tests give it. It
// returns "" if they give it none.
func (p *Properties) textGen(c *callable) string {
	if c == nil {
		return ""
	}
	var examples []string
	for _, text := range p.texts[strings.TrimPrefix(c.base, "Must")] {
		if utf8.ValidString(text) {
			examples = append(examples, text)
		}
	}
	patterns := patternsOf(examples)
	if len(patterns) < 2 {
		return ""
	}
	key := "texts " + strings.Join(patterns, "|")
	if name, ok := p.named[key]; ok {
		return name
	}
	name := p.names.local("gen" + c.title() + "Text")
	quoted := make([]string, len(patterns))
	for i, x := range patterns {
		quoted[i] = quotedRaw(x)
	}
	p.named[key] = name
	p.gens[name] = fmt.Sprintf("// %s makes texts like those that tests give to %s, and others.\n"+
		"var %s = bigen.Pick(\nbigen.Tag(\"usual\", bigen.Matching(\n%s)).Weight(4),\n"+
		"bigen.Tag(\"any\", bigen.String(%d)),\n)",
		name, c.base, name, strings.Join(quoted, "+\n"), maxRunes)
	return name
}

// quotedRaw writes a branch of a regular expression in Go.
func quotedRaw(s string) string {
	odd := func(r rune) bool { return r == '`' || !unicode.IsPrint(r) }
	if strings.ContainsFunc(s, odd) {
		return fmt.Sprintf("%q", s)
	}
	return "`" + s + "`"
}

var digits = regexp.MustCompile(`[0-9]+`)

// patternsOf returns branches of a regular expression for texts like some, with other digits.
func patternsOf(texts []string) (patterns []string) {
	for _, text := range texts {
		pattern := digits.ReplaceAllStringFunc(regexp.QuoteMeta(text), func(run string) string {
			if len(run) == 1 {
				return "[0-9]"
			}
			return fmt.Sprintf("[0-9]{1,%d}", len(run))
		})
		patterns = append(patterns, pattern)
	}
	slices.Sort(patterns)
	patterns = slices.Compact(patterns)
	slices.SortStableFunc(patterns, func(a, b string) int { return len(a)/24 - len(b)/24 })
	var few []string
	for i := range min(maxPatterns, len(patterns)) { // from all over
		few = append(few, patterns[i*len(patterns)/min(maxPatterns, len(patterns))])
	}
	for i := range few[:max(len(few)-1, 0)] {
		few[i] += "|"
	}
	return few
}
