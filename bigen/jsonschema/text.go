package jsonschema

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"unicode/utf8"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/internal/wholetext"
	"github.com/espalier-go/espalier/choices"
	"golang.org/x/exp/slices"
)

// textGen returns the generator of strings, and whether it makes some that it rejects.
func (s *shape) textGen() (gen bigen.Gen[any], filtered bool) {
	most := s.maxLen
	if most < 0 {
		most = math.MaxInt32
	}
	any := bigen.StringOf(nil, s.minLen, min(most, math.MaxInt32))
	if len(s.patterns) > 0 {
		return s.patternGen(most)
	}
	for _, f := range s.formats {
		expr, known := formats[f.Name]
		if !known {
			continue
		}
		usual := bigen.SuchThat(bigen.Matching(expr), func(v string) bool {
			return s.fits(v) && f.Validate(v) == nil
		})
		if !s.asserts() && !found(usual) {
			continue // the lengths exclude it
		}
		other := bigen.Tag("any", bigen.Any(any))
		if filtered = s.asserts() || s.minLen > 0 || s.maxLen >= 0; s.asserts() {
			// The validator may accept more than is made.
			other = bigen.Tag("other", bigen.Any(bigen.SuchThat(any, s.fits))).Weight(0)
		}
		return bigen.Pick(bigen.Tag(f.Name, bigen.Any(usual)).Weight(15), other), filtered
	}
	if s.asserts() {
		return bigen.Any(bigen.SuchThat(any, s.fits)), true
	}
	return bigen.Any(any), false
}

// asserts reports whether a format is a condition.
func (s *shape) asserts() bool {
	return slices.ContainsFunc(s.formats, func(f format) bool { return f.asserted })
}

// fits reports whether a string has the lengths and the formats that are conditions, and matches
// the patterns.
func (s *shape) fits(v string) bool {
	n := utf8.RuneCountInString(v)
	return s.minLen <= n && (s.maxLen < 0 || n <= s.maxLen) &&
		!slices.ContainsFunc(s.formats, func(f format) bool { return f.asserted && f.Validate(v) != nil }) &&
		!slices.ContainsFunc(s.patterns, func(p *pattern) bool { return !p.MatchString(v) })
}

// patternGen returns the generator of strings that match all patterns. One of them makes strings,
// and the others filter them.
func (s *shape) patternGen(most int) (gen bigen.Gen[any], filtered bool) {
	lead := s.patterns[0]
	for _, p := range s.patterns[1:] {
		if better(p, lead) {
			lead = p
		}
	}
	whole, exact := wholetext.Limit(lead.whole, s.minLen, most)
	texts := matching(whole)
	if exact && lead.exact() && len(s.patterns) == 1 && !s.asserts() {
		return bigen.Any(texts), false
	}
	return bigen.Any(bigen.SuchThat(texts, s.fits)), true
}

// triesOfTexts is how many runs, of a hundred strings each, look for one that fits.
const triesOfTexts = 20

// found reports whether some runs of a generator make a value.
func found[A any](gen bigen.Gen[A]) bool {
	for seed := range uint64(triesOfTexts) {
		if _, err := bigen.Value(gen, choices.Random(rand.New(rand.NewPCG(seed, 0)))); err == nil {
			return true
		}
	}
	return false
}

// noText says why there is no string, as far as trying can tell, if one may be rejected.
func (s *shape) noText(valid func(v any) bool) string {
	gen, filtered := s.textGen()
	if s.check&text != 0 {
		gen, filtered = bigen.SuchThat(gen, valid), true
	}
	if !filtered {
		return ""
	}
	if found(gen) {
		return ""
	}
	by := slices.Clone(s.textsBy)
	for _, bound := range []string{s.minLenBy, s.maxLenBy} {
		if bound != "" {
			by = append(by, bound)
		}
	}
	return fmt.Sprintf("of %d strings, none fits %s", 100*triesOfTexts, strings.Join(by, " and "))
}

// better reports whether p says more of a string than q does.
func better(p, q *pattern) bool {
	open := func(p *pattern) int { return strings.Count(p.whole, `(?s:.*)`) + strings.Count(p.whole, `(?s).*`) }
	if a, b := open(p), open(q); a != b {
		return a < b
	}
	return len(p.whole) > len(q.whole)
}

// matching is [bigen.Matching], or any string if the expression is too large for it.
func matching(expr string) (gen bigen.Gen[string]) {
	defer func() {
		if recover() != nil {
			gen = bigen.StringOf(nil, 0, math.MaxInt32)
		}
	}()
	return bigen.Matching(expr)
}
