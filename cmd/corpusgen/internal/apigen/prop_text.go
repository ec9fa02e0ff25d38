package apigen

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxPatterns is how many sorts of texts a generator makes, beside any text.
const maxPatterns = 12

// textGen declares the generator of the texts that a call is given, of those that tests give it, as
// strings or bytes. It returns "" if they give it none.
func (p *Properties) textGen(c *callable, bytes bool) string {
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
	kind, to, from := "Text", "%s", "bigen.String(%d)"
	if bytes {
		kind, from = "Bytes", "bigen.Bytes(0, %d)"
		to = "bigen.Iso(%s, func(s string) []byte { return []byte(s) },\n" +
			"func(b []byte) (string, bool) { return string(b), true })"
	}
	key := kind + " " + strings.Join(patterns, "|")
	if name, ok := p.named[key]; ok {
		return name
	}
	name := p.names.local("gen" + c.title() + kind)
	quoted := make([]string, len(patterns))
	for i, x := range patterns {
		quoted[i] = quotedRaw(x)
	}
	usual := fmt.Sprintf(to, "bigen.Matching(\n"+strings.Join(quoted, "+\n")+")")
	p.named[key] = name
	p.gens[name] = fmt.Sprintf("// %s makes texts like those that tests give to %s, and others.\n"+
		"var %s = bigen.Pick(\nbigen.Tag(\"usual\", %s).Weight(4),\n"+
		"bigen.Tag(\"any\", "+from+"),\n)", name, c.base, name, usual, maxRunes)
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

// varied matches what may differ in a text: digits, spaces, and a word in quotes.
var varied = regexp.MustCompile(`[0-9]+| +|"[a-zA-Z]+"`)

// patternsOf returns branches of a regular expression for texts like some, with other digits, words
// in quotes, and more spaces.
func patternsOf(texts []string) (patterns []string) {
	for _, text := range diverse(texts) {
		pattern := varied.ReplaceAllStringFunc(regexp.QuoteMeta(text), func(run string) string {
			switch n := len(run); {
			case run[0] == '"':
				return `"(` + run[1:n-1] + `|[a-z]{0,6})"`
			case run[0] == ' ':
				return fmt.Sprintf(" {1,%d}", n+2)
			case n > 1:
				return fmt.Sprintf("[0-9]{1,%d}", n)
			}
			return "[0-9]"
		})
		patterns = append(patterns, pattern)
	}
	slices.Sort(patterns)
	patterns = slices.Compact(patterns)
	for i := range patterns[:max(len(patterns)-1, 0)] {
		patterns[i] += "|"
	}
	return patterns
}

// diverse returns few of some texts: each time the one that has most pairs of neighbors that those
// before have not, the shortest of several. All letters are alike, and so are all digits.
func diverse(texts []string) (few []string) {
	seen := map[string]bool{}
	for len(few) < min(maxPatterns, len(texts)) {
		best, most := "", 0
		for _, text := range texts {
			n := 0
			for pair := range pairsOf(text) {
				n += boolInt(!seen[pair])
			}
			if n > most || n == most && n > 0 && len(text) < len(best) {
				best, most = text, n
			}
		}
		if most == 0 {
			break
		}
		few = append(few, best)
		maps.Copy(seen, pairsOf(best))
	}
	return few
}

var (
	letter = regexp.MustCompile(`\pL+`)
	number = regexp.MustCompile(`[0-9]+`)
)

// pairsOf returns the pairs of neighbors in a text, with its ends.
func pairsOf(text string) map[string]bool {
	text = number.ReplaceAllString(letter.ReplaceAllString(text, "a"), "0")
	runes := []rune("^" + text + "$")
	pairs := map[string]bool{}
	for i := range runes[1:] {
		pairs[string(runes[i:i+2])] = true
	}
	return pairs
}
