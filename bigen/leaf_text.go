package bigen

import (
	"fmt"
	"math"
	"unicode/utf8"
	"unsafe"

	"github.com/espalier-go/espalier/choices"
)

// String makes a string of valid UTF-8 with at most maxRunes runes. Random strings
// are mostly short and consist of printable ASCII. It panics if maxRunes is negative.
func String(maxRunes int) Gen[string] {
	if maxRunes < 0 {
		panic(fmt.Sprintf("bigen.String: at most %d runes", maxRunes))
	}
	return Gen[string]{u: rangeOf(textOp{}, 0, int64(maxRunes))}
}

// StringOf makes a string of minRunes to maxRunes runes of an alphabet; nil stands
// for all runes that are valid in UTF-8. Random strings have up to 12 runes more than
// minRunes, and seldom up to 256 more. It panics unless 0 <= minRunes <= maxRunes.
//
// An alphabet of many runes takes time to make: keep it in a variable.
func StringOf(a *choices.Alphabet, minRunes, maxRunes int) Gen[string] {
	if minRunes < 0 || maxRunes < minRunes {
		panic(fmt.Sprintf("bigen.StringOf: no string has from %d to %d runes", minRunes, maxRunes))
	}
	return Gen[string]{u: rangeOf(textOp{a}, int64(minRunes), int64(maxRunes))}
}

type textOp struct{ alphabet *choices.Alphabet }

func (g textOp) forward(c *C, lo, hi int64, u unsafe.Pointer) {
	p := (*string)(u)
	*p = c.text(g.alphabet, int(lo), int(hi))
}

func (g textOp) backward(c *C, lo, hi int64, u unsafe.Pointer) bool {
	p := (*string)(u)
	switch n := int64(utf8.RuneCountInString(*p)); {
	case n > hi:
		return c.explain != nil && c.fail(byValue, "%d runes, more than %d", n, hi)
	case n < lo:
		return c.explain != nil && c.fail(byValue, "%d runes, fewer than %d", n, lo)
	case !utf8.ValidString(*p):
		return c.explain != nil && c.fail(byValue, "%q is not valid UTF-8", *p)
	}
	if g.alphabet != nil {
		for i, r := range *p {
			if !g.alphabet.Contains(r) {
				return c.explain != nil &&
					c.fail(byValue, "at position %d: %q is not one of %v", i, r, g.alphabet)
			}
		}
	}
	return c.readText(g.alphabet, int(lo), int(hi), *p)
}

// Rune makes a rune of an alphabet; nil stands for all runes that are valid in UTF-8.
func Rune(a *choices.Alphabet) Gen[rune] { return Gen[rune]{u: untyped{op: runeOp{a}}} }

type runeOp struct{ alphabet *choices.Alphabet }

func (g runeOp) forward(c *C, _, _ int64, u unsafe.Pointer) {
	p := (*rune)(u)
	*p, _ = utf8.DecodeRuneInString(c.text(g.alphabet, 1, 1))
}

func (g runeOp) backward(c *C, _, _ int64, u unsafe.Pointer) bool {
	p := (*rune)(u)
	switch {
	case !utf8.ValidRune(*p):
		return c.explain != nil && c.fail(byValue, "%#x is not valid in UTF-8", *p)
	case !g.alphabet.Contains(*p):
		return c.explain != nil && c.fail(byValue, "%#U is not one of %v", *p, g.alphabet)
	}
	return c.readText(g.alphabet, 1, 1, string(*p))
}

// Bytes makes minLen to maxLen bytes. At random, all bytes are equally likely, and
// the length is as for [StringOf]. An empty slice is made as nil; backward, an empty
// slice that is not nil counts as nil. It panics unless 0 <= minLen <= maxLen.
func Bytes(minLen, maxLen int) Gen[[]byte] {
	if minLen < 0 || maxLen < minLen {
		panic(fmt.Sprintf("bigen.Bytes: no slice has from %d to %d bytes", minLen, maxLen))
	}
	return Gen[[]byte]{u: rangeOf(bytesOp{}, int64(minLen), int64(maxLen))}
}

// bytesOp asks for a text of runes that have the values of the bytes.
type bytesOp struct{}

var byteRunes = choices.RuneRanges(0, math.MaxUint8)

func (bytesOp) forward(c *C, lo, hi int64, u unsafe.Pointer) {
	p := (*[]byte)(u)
	*p = nil
	s := c.text(byteRunes, int(lo), int(hi))
	if s == "" {
		return
	}
	b := make([]byte, 0, utf8.RuneCountInString(s))
	for _, r := range s {
		b = append(b, byte(r))
	}
	*p = b
}

func (bytesOp) backward(c *C, lo, hi int64, u unsafe.Pointer) bool {
	p := (*[]byte)(u)
	if n := int64(len(*p)); n < lo || n > hi {
		return c.explain != nil && c.fail(byValue, "%d bytes, not %d to %d", n, lo, hi)
	}
	s := make([]byte, 0, len(*p))
	for _, b := range *p {
		s = utf8.AppendRune(s, rune(b))
	}
	return c.readText(byteRunes, int(lo), int(hi), string(s))
}
