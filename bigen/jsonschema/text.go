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
	js "github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/exp/slices"
)

// texts is what is asked of strings.
type texts struct {
	minLen, maxLen     int // maxLen < 0: no bound
	minLenBy, maxLenBy string
	patterns           []*pattern
	notPatterns        []*pattern
	formats            []format
	textsBy            []string // the places of patterns and formats
	made               *madeTexts
}

type format struct {
	*js.Format
	asserted bool
}

func (s *shape) length(lo, hi *int, by string) {
	if lo != nil && *lo > s.minLen {
		s.minLen, s.minLenBy = *lo, by+"/minLength"
	}
	if hi != nil && (s.texts.maxLen < 0 || *hi < s.maxLen) {
		s.maxLen, s.maxLenBy = *hi, by+"/maxLength"
	}
	if s.minLen > maxRunes {
		s.drop(text, "%s asks for %d runes: no more than %d are made", s.minLenBy, s.minLen, maxRunes)
	}
	if s.maxLen >= 0 && s.minLen > s.maxLen {
		s.drop(text, "no string has a length for %s and %s", s.minLenBy, s.maxLenBy)
	}
}

// textGen returns the generator of strings, and whether it makes some that it rejects. It reports
// true for empty if there are none.
func (s *shape) textGen() (gen bigen.Gen[any], filtered, empty bool) {
	if s.made == nil {
		m := &madeTexts{}
		m.gen, m.filtered, m.empty = s.makeTexts()
		s.made = m
	}
	return s.made.gen, s.made.filtered, s.made.empty
}

// madeTexts is what textGen returns.
type madeTexts struct {
	gen             bigen.Gen[any]
	filtered, empty bool
}

func (s *shape) makeTexts() (gen bigen.Gen[any], filtered, empty bool) {
	most := s.maxLen
	if most < 0 {
		most = math.MaxInt32
	}
	all := bigen.StringOf(nil, s.minLen, min(most, math.MaxInt32))
	texts, filtered, some, ok := s.narrowest(most)
	switch {
	case ok && !some && !s.asserts():
		return bigen.Any(all), false, true
	case s.asserts(): // the validator may accept more than is made
		other := bigen.Any(bigen.SuchThat(all, s.fits))
		if !ok || !some {
			return other, true, false
		}
		return bigen.Pick(
			bigen.Tag("usual", bigen.Any(texts)), bigen.Tag("other", other).Weight(0),
		), true, false
	case ok:
		return bigen.Any(texts), filtered, false
	}
	for _, f := range s.formats {
		expr, known := formats[f.Name]
		if !known {
			continue
		}
		expr, exact := wholetext.Limit(expr, s.minLen, most)
		usual := bigen.Matching(expr)
		if !exact {
			if usual = bigen.SuchThat(usual, s.fits); !found(usual) {
				continue // the lengths exclude it
			}
		}
		return bigen.Pick(
			bigen.Tag(f.Name, bigen.Any(usual)).Weight(15), bigen.Tag("any", bigen.Any(all)),
		), !exact, false
	}
	return bigen.Any(all), false, false
}

// narrowest returns the generator of strings that match all patterns, and the usual ones of the
// formats that are conditions, and whether others that it makes are rejected. It reports false for
// some if there are none, and false for ok if there is neither a pattern nor a format.
func (s *shape) narrowest(most int) (best bigen.Gen[string], filtered, some, ok bool) {
	var all, none []string
	exact := !s.asserts()
	for _, p := range s.patterns {
		all = append(all, p.whole)
		exact = exact && p.exact()
	}
	for _, p := range s.notPatterns {
		none = append(none, p.whole)
	}
	for _, f := range s.formats {
		if expr, known := formats[f.Name]; known && f.asserted {
			all = append(all, expr)
		}
	}
	if len(all)+len(none) == 0 {
		return best, false, true, false
	}
	if len(all) == 1 && len(none) == 0 {
		if expr, limited := wholetext.Limit(all[0], s.minLen, most); limited {
			if best = matching(expr); !exact {
				best = bigen.SuchThat(best, s.fits)
			}
			return best, !exact, true, true
		}
	}
	if gen, some, known := wholetext.Intersection(all, none, s.minLen, most); known {
		if !exact && some {
			gen = bigen.SuchThat(gen, s.fits)
		}
		return gen, !exact, some, true
	}
	if len(all) == 0 {
		all = append(all, `(?s:.*)`)
	}
	highest := -1
	for _, expr := range all { // the one most of whose strings fit the others
		expr, _ := wholetext.Limit(expr, s.minLen, most)
		gen := matching(expr)
		if fit := s.rate(gen); fit > highest {
			highest, best = fit, bigen.SuchThat(gen, s.fits)
		}
	}
	return best, true, true, true
}

// rate returns how many of some strings fit.
func (s *shape) rate(gen bigen.Gen[string]) (fit int) {
	const some = 60
	for seed := range uint64(some) {
		v, err := bigen.Value(gen, choices.Random(rand.New(rand.NewPCG(seed, 1))))
		if err == nil && s.fits(v) {
			fit++
		}
	}
	return fit
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
		!slices.ContainsFunc(s.patterns, func(p *pattern) bool { return !p.MatchString(v) }) &&
		!slices.ContainsFunc(s.notPatterns, func(p *pattern) bool { return p.MatchString(v) })
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
	gen, filtered, empty := s.textGen()
	if s.check&text != 0 {
		gen, filtered = bigen.SuchThat(gen, valid), true
	}
	if !empty && (!filtered || found(gen)) {
		return ""
	}
	by := slices.Clone(s.textsBy)
	for _, bound := range []string{s.minLenBy, s.maxLenBy} {
		if bound != "" {
			by = append(by, bound)
		}
	}
	if empty {
		return "no string fits " + strings.Join(by, " and ")
	}
	return fmt.Sprintf("of %d strings, none fits %s", 100*triesOfTexts, strings.Join(by, " and "))
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
