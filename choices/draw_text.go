package choices

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/espalier-go/espalier/internal/chance"
)

// A random text has q.Min runes and up to 12 more, or in one of 16 cases up to 256 more.
const (
	shortText = 12
	longText  = 256
	longEvery = 16
)

// DrawText answers a question for a text as [Random] does, with 64 random bits.
func (q *Question) DrawText(word uint64) string {
	s := chance.Words(word)
	more := shortText
	if s.Below(longEvery) == 0 {
		more = longText
	}
	n := q.Min + s.Below(min(more, q.Max-q.Min)+1)
	var b strings.Builder
	for range n {
		b.WriteRune(s.RuneOf(q.Alphabet))
	}
	return b.String()
}

// textLogProb returns the natural logarithm of the probability that DrawText returns s,
// given ideal random bits, and minus infinity if it cannot.
func textLogProb(q *Question, s string) float64 {
	if !utf8.ValidString(s) {
		return math.Inf(-1)
	}
	n, p := utf8.RuneCountInString(s)-q.Min, 0.0
	for _, l := range [...]struct {
		more   int
		weight float64
	}{{shortText, longEvery - 1}, {longText, 1}} {
		if most := min(l.more, q.Max-q.Min); 0 <= n && n <= most {
			p += l.weight / longEvery / float64(most+1)
		}
	}
	log := math.Log(p)
	for _, r := range s {
		if math.IsInf(log, -1) {
			break
		}
		log += math.Log(runeProb(q.Alphabet, r))
	}
	return log
}

// runeProb returns the probability that [chance.Words.RuneOf] draws r.
func runeProb(a *Alphabet, r rune) float64 {
	switch {
	case !a.Contains(r):
		return 0
	case a == nil:
		return usualProb(r)
	case a.Len() <= chance.FewRunes:
		return 1 / float64(a.Len())
	}
	return usualProb(r) + (1-a.usual())/float64(a.Len())
}

// usualProb is runeProb for the nil alphabet.
func usualProb(r rune) (p float64) {
	if ordinal(r) < printable {
		p = (1 - 1.0/chance.UnusualEvery) / printable
	}
	for _, u := range chance.Unusual {
		if u[0] <= r && r <= u[1] {
			p += 1.0 / chance.UnusualEvery / float64(len(chance.Unusual)) / float64(u[1]-u[0]+1)
		}
	}
	return p
}

// usual returns the probability that a has the rune that the nil alphabet gives.
func (a *Alphabet) usual() float64 {
	p := usualProb(' ') * float64(a.count(0, printable-1))
	for _, u := range chance.Unusual {
		p += usualProb(u[0]) * float64(a.count(ordinal(u[0]), ordinal(u[1])))
	}
	return p
}

// count returns the number of runes of a with ordinals from lo to hi.
func (a *Alphabet) count(lo, hi int) (n int) {
	for _, s := range a.spans {
		n += max(0, min(hi, s.hi)-max(lo, s.lo)+1)
	}
	return n
}
