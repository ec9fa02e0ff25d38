package choices

import (
	"strings"
	"unicode/utf8"
)

// FitText returns the answer to a Text question that is nearest to s, in bounded
// time also if s is long:
//
//   - A rune that the alphabet lacks is replaced by the rune of the alphabet whose
//     index is the rune's own among all runes, modulo the length of the alphabet.
//     So runes that differ mostly still do, and 'a', the plainest of all, becomes
//     the plainest there is. A byte that is not valid UTF-8 counts as U+FFFD.
//   - A text with more than q.Max runes is cut, one with fewer than q.Min is
//     filled up with the plainest rune.
func (q *Question) FitText(s string) string {
	n := 0
	for i, r := range s {
		if n == q.Max {
			return s[:i]
		}
		if r == utf8.RuneError || !q.Alphabet.Contains(r) {
			return q.remake(s)
		}
		n++
	}
	if n < q.Min {
		return s + strings.Repeat(string(q.Alphabet.Simplest()), q.Min-n)
	}
	return s
}

// remake is FitText rune by rune.
func (q *Question) remake(s string) string {
	out := make([]byte, 0, min(len(s), q.Max))
	n := 0
	for _, r := range s {
		if n == q.Max {
			break
		}
		if !q.Alphabet.Contains(r) {
			r = q.Alphabet.At(ordinal(r) % q.Alphabet.Len())
		}
		out = utf8.AppendRune(out, r)
		n++
	}
	for ; n < q.Min; n++ {
		out = utf8.AppendRune(out, q.Alphabet.Simplest())
	}
	return string(out)
}

// SimplestText returns the simplest answer to a Text question: q.Min times the
// plainest rune.
func (q *Question) SimplestText() string { return q.FitText("") }

// otherText returns an answer other than s, an answer itself, if there is one.
func (q *Question) otherText(s string, u uint64) string {
	if t := drawText(q, u); t != s {
		return t
	}
	simplest := q.SimplestText()
	switch plain := string(q.Alphabet.Simplest()); {
	case s != simplest:
		return simplest
	case q.Min < q.Max:
		return s + plain
	case q.Alphabet.Len() > 1 && q.Max > 0:
		return s[len(plain):] + string(q.Alphabet.At(1))
	}
	return s
}
