package varied

import (
	"strings"
	"unicode/utf8"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/chance"
)

// Int implements [choices.Source].
func (s *varied) Int(q *choices.Question) int64 {
	n := s.integer(q)
	if s.keepsLeaves() {
		s.keep(answer{kind: q.Kind, slot: q.Slot, n: n})
	}
	return n
}

// few is how many of 256 integers are 0, 1 or -1, if the question favors edges.
const few = 32

// integer answers q: by a repeated answer, an edge, or in the style of the plan. One in eight of
// the integers that favor edges is 0, 1 or -1, or the nearest in its range.
func (s *varied) integer(q *choices.Question) int64 {
	if e := s.replayLeaf(q); e != nil && q.Kind.Clamp(e.n, q.Lo, q.Hi) == e.n {
		return e.n
	}
	switch {
	case s.calm(q):
		return q.DrawInt(s.r.Uint64())
	case s.simplest:
		return q.Kind.Origin(q.Lo, q.Hi)
	case s.repeat|s.edges > 0:
		u := s.r.Uint64()
		if u&255 < uint64(s.repeat) {
			if n, ok := s.repeatInteger(q, u>>16); ok {
				return n
			}
		}
		if u>>8&255 < uint64(s.edges) {
			return edge(q, u>>16)
		}
	}
	if q.Edges {
		if u := s.r.Uint64(); u&255 < few {
			return q.Kind.Clamp([...]int64{0, 0, 1, -1}[u>>8&3], q.Lo, q.Hi)
		}
	}
	switch s.plan.ints {
	case nearOrigin:
		return s.near(q, q.Kind.Origin(q.Lo, q.Hi), s.bits, true, true)
	case ascending, descending:
		if e := s.lastOf(q); e != nil {
			up := s.plan.ints == ascending
			return s.near(q, q.Kind.Clamp(e.n, q.Lo, q.Hi), s.bits, !up, up)
		}
	}
	u := s.r.Uint64()
	if u>>2&3 != 0 && s.scale > 0 && uint64(q.Hi)-uint64(q.Lo) > veryWide {
		return s.near(q, q.Kind.Origin(q.Lo, q.Hi), s.scale, true, true)
	}
	return drawWide(q, u)
}

// near draws an integer of the range whose distance from n has at most so many bits, on the given
// sides of it.
func (s *varied) near(q *choices.Question, n int64, bits uint8, below, above bool) int64 {
	far := uint64(1)<<bits - 1
	lo, hi := uint64(n), uint64(n)
	if below {
		lo -= min(far, lo-uint64(q.Lo))
	}
	if above {
		hi += min(far, uint64(q.Hi)-hi)
	}
	close := choices.Question{Kind: q.Kind, Lo: int64(lo), Hi: int64(hi)}
	return close.DrawInt(s.r.Uint64())
}

// repeatInteger returns an earlier integer, or in one of four cases a neighbor of one.
func (s *varied) repeatInteger(q *choices.Question, u uint64) (int64, bool) {
	e := s.find(q, u, func(e *answer) bool { return q.Kind.Clamp(e.n, q.Lo, q.Hi) == e.n })
	if e == nil {
		return 0, false
	}
	n := e.n
	switch u >> 32 & 7 {
	case 0:
		if n != q.Hi {
			n++
		}
	case 1:
		if n != q.Lo {
			n--
		}
	}
	return n, true
}

// Text implements [choices.Source].
func (s *varied) Text(q *choices.Question) string {
	text := s.text(q)
	s.keepText(q, text)
	return text
}

// text answers q: by a repeated text, or in the style of the plan. In three of four texts that
// have more than a few different runes, runes that parsers treat specially replace a third of the
// letters and digits.
func (s *varied) text(q *choices.Question) string {
	if e := s.replayLeaf(q); e != nil {
		if text := s.given.texts[e.n]; q.FitText(text) == text {
			return text
		}
	}
	switch {
	case s.calm(q):
		return q.DrawText(s.r.Uint64())
	case s.simplest:
		return q.SimplestText()
	case s.repeat > 0:
		if u := s.r.Uint64(); u&255 < uint64(s.repeat) {
			if e := s.find(q, u>>8, func(*answer) bool { return true }); e != nil {
				return q.FitText(nearText(s.given.texts[e.n], u>>32))
			}
		}
	}
	if s.plan.texts == fewRunes {
		return drawFew(q, int(s.runes), s.r.Uint64())
	}
	draw := *q
	if s.plan.texts == shortTexts {
		draw.Max = q.Min + min(int(s.runes), q.Max-q.Min)
	}
	u := s.r.Uint64()
	text := draw.DrawText(u)
	if u&3 != 0 {
		text = withSyntax(q.Alphabet, text, u)
	}
	return text
}

// mostFew is how many runes more than the fewest a text of few different runes has at most.
const mostFew = 12

// drawFew draws a text for q of the given number of different runes: of its plainest, or of any.
func drawFew(q *choices.Question, runes int, u uint64) string {
	s := chance.Words(u)
	var some [4]rune
	plain := s.Below(2) == 0
	for i := range runes {
		if some[i] = q.Alphabet.At(min(i, q.Alphabet.Len()-1)); !plain {
			some[i] = special(&s, q.Alphabet)
		}
	}
	var b strings.Builder
	for range q.Min + s.Below(min(mostFew, q.Max-q.Min)+1) {
		b.WriteRune(some[s.Below(runes)])
	}
	return b.String()
}

// syntax has runes that parsers treat specially. Runes with many known bugs occur several times.
const syntax = "    \n\n\n\t\t\r\"\"'`\\\\()[]{}<>.,:;=+-*/%&|!?@#$^~_\x00"

// special draws a rune of syntax, if the alphabet has it, or else any.
func special(s *chance.Words, a *choices.Alphabet) rune {
	if r := rune(syntax[s.Below(len(syntax))]); a.Contains(r) {
		return r
	}
	return s.RuneOf(a)
}

// withSyntax returns the text with special runes in place of a third of its letters and digits, and
// in one of three cases at an end.
func withSyntax(a *choices.Alphabet, text string, u uint64) string {
	s := chance.Words(u)
	runes := []rune(text)
	for i, r := range runes {
		alphanumeric := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
		if alphanumeric && s.Below(3) == 0 {
			runes[i] = special(&s, a)
		}
	}
	if end := s.Below(6); len(runes) > 0 && end < 2 {
		runes[end*(len(runes)-1)] = special(&s, a)
	}
	return string(runes)
}

// nearText returns the text, or in three of 16 cases one that differs from it by a rune.
func nearText(text string, u uint64) string {
	_, first := utf8.DecodeRuneInString(text)
	_, last := utf8.DecodeLastRuneInString(text)
	switch u & 15 {
	case 0:
		return text[:len(text)-last]
	case 1:
		return text[first:]
	case 2:
		return text + text[:first]
	}
	return text
}
