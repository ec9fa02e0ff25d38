package jsonschema

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/internal/wholetext"
)

// textGen returns the generator of strings.
func (s *shape) textGen() bigen.Gen[any] {
	most := s.maxLen
	if most < 0 {
		most = math.MaxInt32
	}
	any := bigen.Any(bigen.StringOf(nil, min(s.minLen, math.MaxInt32), min(most, math.MaxInt32)))
	fits := func(v string) bool {
		n := utf8.RuneCountInString(v)
		return s.minLen <= n && n <= most && !s.mismatches(v)
	}
	if len(s.patterns) > 0 {
		return s.patternGen(fits, most)
	}
	for _, f := range s.formats {
		expr, known := formats[f.Name]
		if !known {
			continue
		}
		gen := bigen.Matching(expr)
		valid := func(v string) bool { return fits(v) && f.Validate(v) == nil }
		usual := bigen.Tag(f.Name, bigen.Any(bigen.SuchThat(gen, valid))).Weight(15)
		if f.asserted {
			// The validator may accept more than is made.
			return bigen.Pick(usual, bigen.Tag("other", bigen.Any(
				bigen.SuchThat(bigen.StringOf(nil, s.minLen, most), fits))).Weight(0))
		}
		return bigen.Pick(usual, bigen.Tag("any", any))
	}
	return any
}

// mismatches reports whether a string has not the asserted formats.
func (s *shape) mismatches(v string) bool {
	for _, f := range s.formats {
		if f.asserted && f.Validate(v) != nil {
			return true
		}
	}
	return false
}

// patternGen returns the generator of strings that match all patterns. One of them makes strings,
// and the others filter them.
func (s *shape) patternGen(fits func(string) bool, most int) bigen.Gen[any] {
	lead := s.patterns[0]
	for _, p := range s.patterns[1:] {
		if better(p, lead) {
			lead = p
		}
	}
	whole, exact := wholetext.Limit(lead.whole, s.minLen, most)
	gen := matching(whole)
	if exact = exact && lead.exact() && len(s.patterns) == 1 && len(s.formats) == 0; !exact {
		gen = bigen.SuchThat(gen, func(v string) bool {
			for _, p := range s.patterns {
				if !p.MatchString(v) {
					return false
				}
			}
			return fits(v)
		})
	}
	return bigen.Any(gen)
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
