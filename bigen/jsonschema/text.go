package jsonschema

import (
	"math"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"github.com/espalier-go/espalier/bigen"
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
	whole, exact := limit(lead.whole, s.minLen, most)
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

// limit returns an expression whose strings have a number of runes from lo to hi, if it can be said
// so: if just one part repeats a class of runes and all others have a length of their own.
func limit(expr string, lo, hi int) (limited string, exact bool) {
	if lo == 0 && hi >= math.MaxInt32 {
		return expr, true
	}
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return expr, false
	}
	if least, greatest := lengths(re); lo <= least && greatest <= hi {
		return expr, true
	}
	parts := []*syntax.Regexp{re}
	if re.Op == syntax.OpConcat {
		parts = re.Sub
	}
	at, fixed := -1, 0
	for i, p := range parts {
		least, greatest := lengths(p)
		switch {
		case least == greatest:
			fixed += least
		case at < 0 && repeated(p) != nil:
			at = i
		default:
			return expr, false
		}
	}
	if at < 0 {
		return expr, false
	}
	least, greatest := lengths(parts[at])
	from, to := max(least, lo-fixed), min(greatest, hi-fixed)
	const mostTimes = 1000 // of package regexp
	if from > to || from > mostTimes || to > mostTimes && to != greatest {
		return expr, false
	}
	if to >= math.MaxInt32 {
		to = -1
	}
	parts[at] = &syntax.Regexp{
		Op: syntax.OpRepeat, Min: from, Max: to, Sub: []*syntax.Regexp{repeated(parts[at])},
	}
	var b strings.Builder
	for _, p := range parts {
		b.WriteString("(?:" + p.String() + ")")
	}
	return b.String(), true
}

// repeated returns the class of runes that an expression repeats, or nil.
func repeated(re *syntax.Regexp) *syntax.Regexp {
	switch re.Op {
	case syntax.OpCapture:
		return repeated(re.Sub[0])
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		if least, greatest := lengths(re.Sub[0]); least == 1 && greatest == 1 {
			return re.Sub[0]
		}
	}
	return nil
}

// times returns how often an expression repeats another, up to MaxInt32.
func times(re *syntax.Regexp) (least, greatest int) {
	switch re.Op {
	case syntax.OpPlus:
		return 1, math.MaxInt32
	case syntax.OpQuest:
		return 0, 1
	case syntax.OpRepeat:
		if re.Max < 0 {
			return re.Min, math.MaxInt32
		}
		return re.Min, re.Max
	}
	return 0, math.MaxInt32
}

// lengths returns the least and the greatest number of runes of the strings of an expression, up to
// MaxInt32.
func lengths(re *syntax.Regexp) (least, greatest int) {
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune), len(re.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1, 1
	case syntax.OpCapture:
		return lengths(re.Sub[0])
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		from, to := times(re)
		least, greatest = lengths(re.Sub[0])
		return min(least*from, math.MaxInt32), min(greatest*to, math.MaxInt32)
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			a, b := lengths(sub)
			least, greatest = min(least+a, math.MaxInt32), min(greatest+b, math.MaxInt32)
		}
		return least, greatest
	case syntax.OpAlternate:
		least = math.MaxInt32
		for _, sub := range re.Sub {
			a, b := lengths(sub)
			least, greatest = min(least, a), max(greatest, b)
		}
		return least, greatest
	}
	return 0, 0
}
