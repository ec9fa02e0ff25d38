package choices

import (
	"strings"
	"unicode/utf8"
)

// FitText returns the answer to a Text question that is nearest to s. The time is bounded
// by q.Max, however long s is.
//
//   - It replaces a rune that the alphabet lacks: the new rune's index in the alphabet is
//     the old rune's index among all runes modulo the length of the alphabet. So distinct
//     runes mostly stay distinct, and 'a', the plainest of all, becomes the plainest of the
//     alphabet. A byte that is not valid UTF-8 counts as U+FFFD.
//   - It cuts a text of more than q.Max runes, and fills up one of fewer than q.Min with
//     the plainest rune.
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

// otherText returns an answer other than the answer s, if there is one.
func (q *Question) otherText(s string, u uint64) string {
	if t := q.DrawText(u); t != s {
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
