package choices

import (
	"math"
	"strings"
	"unicode/utf8"
)

// A random text has q.Min runes and up to 12 more, or in one of 16 cases up to 256 more.
const (
	shortText = 12
	longText  = 256
	longEvery = 16
)

// manyRunes is the length of an alphabet up to which its runes are equally likely.
const manyRunes = 256

// DrawText answers a question for a text as [Random] does, with 64 random bits.
func (q *Question) DrawText(word uint64) string {
	s := splitmix(word)
	more := shortText
	if s.below(longEvery) == 0 {
		more = longText
	}
	n := q.Min + s.below(min(more, q.Max-q.Min)+1)
	var b strings.Builder
	for range n {
		b.WriteRune(s.runeOf(q.Alphabet))
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

// runeOf draws a rune of a. Few runes are all equally likely. Of many, it takes the rune
// that the nil alphabet gives, if a has it, or else any.
func (s *splitmix) runeOf(a *Alphabet) rune {
	if a == nil {
		return s.rune()
	}
	if a.Len() > manyRunes {
		if r := s.rune(); a.Contains(r) {
			return r
		}
	}
	return a.At(s.below(a.Len()))
}

// runeProb returns the probability that runeOf draws r.
func runeProb(a *Alphabet, r rune) float64 {
	switch {
	case !a.Contains(r):
		return 0
	case a == nil:
		return usualProb(r)
	case a.Len() <= manyRunes:
		return 1 / float64(a.Len())
	}
	return usualProb(r) + (1-a.usual())/float64(a.Len())
}

// usualProb is runeProb for the nil alphabet.
func usualProb(r rune) (p float64) {
	if ordinal(r) < printable {
		p = (1 - 1.0/unusualEvery) / printable
	}
	for _, u := range unusual {
		if u[0] <= r && r <= u[1] {
			p += 1.0 / unusualEvery / float64(len(unusual)) / float64(u[1]-u[0]+1)
		}
	}
	return p
}

// usual returns the probability that a has the rune that the nil alphabet gives.
func (a *Alphabet) usual() float64 {
	p := usualProb(' ') * float64(a.count(0, printable-1))
	for _, u := range unusual {
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

// unusual holds the first and last runes of ranges that code tends to treat specially. No
// two overlap, and none has a rune of printable ASCII.
var unusual = [][2]rune{
	{0, 0x1F}, {0x7F, 0xFF}, {0x300, 0x36F}, {0x370, 0x3FF}, {0x5D0, 0x5EA},
	{0x2000, 0x206F}, {0x4E00, 0x9FFF}, {0xE000, 0xE0FF}, {0xFFF0, 0xFFFD}, {0x1F300, 0x1F5FF},
}

const unusualEvery = 10

func (s *splitmix) rune() rune {
	if s.below(unusualEvery) > 0 {
		return rune(' ' + s.below(printable))
	}
	r := unusual[s.below(len(unusual))]
	return r[0] + rune(s.below(int(r[1]-r[0])+1))
}
