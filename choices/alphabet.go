package choices

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/exp/slices"
)

// An Alphabet is a set of runes: what a text may consist of. The plainest come first: letters a
// to z, digits, other printable ASCII, the rest, each by code point. An Alphabet is immutable. The
// nil *Alphabet has all runes of valid UTF-8.
type Alphabet struct {
	spans []span
	size  int
}

// span holds the runes with ordinals from lo to hi.
type span struct {
	lo, hi int
	before int // number of runes in the spans before it
}

// Chars returns the alphabet of the runes of s. It panics if s is empty or not valid
// UTF-8.
func Chars(s string) *Alphabet {
	if s == "" || !utf8.ValidString(s) {
		panic(fmt.Sprintf("choices.Chars: %q: want one rune at least, and valid UTF-8", s))
	}
	var bounds []rune
	for _, r := range s {
		bounds = append(bounds, r, r)
	}
	return RuneRanges(bounds...)
}

// Class returns the alphabet of the runes in any of the tables, such as
// [unicode.Letter]. It panics if there are none.
func Class(tables ...*unicode.RangeTable) *Alphabet {
	var bounds []rune
	add := func(lo, hi, stride rune) {
		if stride == 1 {
			bounds = append(bounds, lo, hi)
			return
		}
		for r := lo; r <= hi; r += stride {
			bounds = append(bounds, r, r)
		}
	}
	for _, t := range tables {
		for _, r := range t.R16 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
		for _, r := range t.R32 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
	}
	return RuneRanges(bounds...)
}

// RuneRanges returns the alphabet of the runes from the first of the bounds to the
// second, from the third to the fourth, and so on, both ends included. It leaves out
// surrogates, which UTF-8 lacks. It panics if a range is empty or exceeds Unicode, or if
// no rune is left.
func RuneRanges(bounds ...rune) *Alphabet {
	var spans []span
	for i := 0; i < len(bounds); i += 2 {
		if i+1 == len(bounds) || bounds[i] < 0 || bounds[i] > bounds[i+1] ||
			bounds[i+1] > utf8.MaxRune {
			panic(fmt.Sprintf(
				"choices.RuneRanges: %#x: invalid ranges of runes: want pairs of first and "+
					"last rune",
				bounds,
			))
		}
		for _, s := range sections {
			lo, hi := max(bounds[i], s.first), min(bounds[i+1], s.last)
			if lo <= hi {
				spans = append(
					spans, span{lo: s.ordinal + int(lo-s.first), hi: s.ordinal + int(hi-s.first)},
				)
			}
		}
	}
	return newAlphabet(spans)
}

// Union returns the alphabet of the runes in any of the alphabets. It panics without
// arguments.
func Union(alphabets ...*Alphabet) *Alphabet {
	var spans []span
	for _, a := range alphabets {
		if a == nil {
			return nil
		}
		spans = append(spans, a.spans...)
	}
	return newAlphabet(spans)
}

func newAlphabet(spans []span) *Alphabet {
	if len(spans) == 0 {
		panic("choices: an alphabet without runes: want at least one")
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.lo, b.lo) })
	a := &Alphabet{}
	for _, s := range spans {
		if last := len(a.spans) - 1; last >= 0 && s.lo <= a.spans[last].hi+1 {
			a.spans[last].hi = max(a.spans[last].hi, s.hi)
		} else {
			a.spans = append(a.spans, s)
		}
	}
	for i := range a.spans {
		s := &a.spans[i]
		s.before = a.size
		a.size += s.hi - s.lo + 1
	}
	return a
}

// Len returns the number of runes.
func (a *Alphabet) Len() int {
	if a == nil {
		return validRunes
	}
	return a.size
}

// At returns the i-th rune. Rune 0 is the plainest. It panics unless 0 <= i < a.Len().
func (a *Alphabet) At(i int) rune {
	if i < 0 || i >= a.Len() {
		panic(fmt.Sprintf(
			"choices.Alphabet.At(%d): index out of range of an alphabet of %d runes", i, a.Len(),
		))
	}
	if a == nil {
		return ordinalRune(i)
	}
	k, exact := slices.BinarySearchFunc(a.spans, i, func(s span, i int) int {
		return cmp.Compare(s.before, i)
	})
	if !exact {
		k--
	}
	return ordinalRune(a.spans[k].lo + i - a.spans[k].before)
}

// Index returns i with a.At(i) == r; ok is false if there is none.
func (a *Alphabet) Index(r rune) (i int, ok bool) {
	if !utf8.ValidRune(r) {
		return 0, false
	}
	n := ordinal(r)
	if a == nil {
		return n, true
	}
	k, exact := slices.BinarySearchFunc(a.spans, n, func(s span, n int) int {
		return cmp.Compare(s.lo, n)
	})
	if !exact {
		k--
	}
	if k < 0 || n > a.spans[k].hi {
		return 0, false
	}
	return a.spans[k].before + n - a.spans[k].lo, true
}

// Contains reports whether r is in the alphabet.
func (a *Alphabet) Contains(r rune) bool {
	if a == nil {
		return utf8.ValidRune(r)
	}
	_, ok := a.Index(r)
	return ok
}

// Simplest returns the plainest rune.
func (a *Alphabet) Simplest() rune { return a.At(0) }

// String returns the alphabet as a character class, as in [a-z_]. It cuts a long one
// short.
func (a *Alphabet) String() string {
	const most = 60
	if a == nil {
		return "any rune"
	}
	var b strings.Builder
	b.WriteByte('[')
	for _, s := range a.spans {
		for _, sec := range sections {
			lo, hi := max(s.lo, sec.ordinal), min(s.hi, sec.ordinal+int(sec.last-sec.first))
			if lo > hi {
				continue
			}
			if b.Len() > most {
				b.WriteString("...]")
				return b.String()
			}
			b.WriteString(classText(ordinalRune(lo)))
			if lo+1 < hi {
				b.WriteByte('-')
			}
			if lo < hi {
				b.WriteString(classText(ordinalRune(hi)))
			}
		}
	}
	b.WriteByte(']')
	return b.String()
}

// classText returns a rune as a character class has it.
func classText(r rune) string {
	switch {
	case strings.ContainsRune(`[]\^-`, r):
		return `\` + string(r)
	case strconv.IsPrint(r):
		return string(r)
	}
	return fmt.Sprintf(`\x{%X}`, r)
}

// The ordinal of a rune is its index in the nil *Alphabet.

// sections lists the parts of that order in which ordinals increase as code points do.
var sections = [...]struct {
	first, last rune
	ordinal     int // of first
}{
	{'a', 'z', 0}, {'0', '9', 26}, {' ', '/', 36}, {':', '`', 52}, {'{', '~', 91},
	{0, 0x1F, printable}, {0x7F, 0xD7FF, 0x7F}, {0xE000, utf8.MaxRune, 0xD800},
}

const (
	printable  = 95                        // printable ASCII has the ordinals below
	validRunes = utf8.MaxRune + 1 - 0x0800 // all but the surrogates
)

// ordinal returns the ordinal of r, or the ordinal of U+FFFD if r is not valid.
func ordinal(r rune) int {
	for i := range sections {
		if s := &sections[i]; s.first <= r && r <= s.last {
			return s.ordinal + int(r-s.first)
		}
	}
	return ordinal(utf8.RuneError)
}

// ordinalRune returns the rune with an ordinal from 0 to validRunes-1.
func ordinalRune(n int) rune {
	for i := range sections {
		if s := &sections[i]; n >= s.ordinal && n-s.ordinal <= int(s.last-s.first) {
			return s.first + rune(n-s.ordinal)
		}
	}
	return utf8.RuneError
}
