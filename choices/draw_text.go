package choices

import (
	"math"
	"strings"
	"unicode/utf8"
)

// A text drawn has q.Min runes and up to 12 more, now and then up to 256 more.
const (
	shortText = 12
	longText  = 256
	longEvery = 16
)

// manyRunes is the length beyond which an alphabet is not drawn from uniformly.
const manyRunes = 128

// drawText draws a text for q.
func drawText(q *Question, u uint64) string {
	s := splitmix(u)
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

// textProb returns the probability that drawText answers s, if its random bits are
// ideal. That of a long text may be too small for a float64; see textLogProb.
func textProb(q *Question, s string) float64 { return math.Exp(textLogProb(q, s)) }

// textLogProb returns the natural logarithm of textProb: minus infinity if
// drawText cannot answer s.
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

// runeOf draws a rune of a. The nil alphabet gives mostly printable ASCII, one of
// many runes as often printable ASCII as anything it has, others all of their runes
// equally often.
func (s *splitmix) runeOf(a *Alphabet) rune {
	if a == nil {
		return s.rune()
	}
	n := a.Len()
	if p := a.printable(); n > manyRunes && p > 0 && s.below(2) == 0 {
		n = p
	}
	return a.At(s.below(n))
}

// printable returns how many runes of a are printable ASCII: its first ones.
func (a *Alphabet) printable() int {
	n := 0
	for _, s := range a.spans {
		if s.lo >= printable {
			break
		}
		n += min(s.hi, printable-1) - s.lo + 1
	}
	return n
}

// runeProb returns the probability that runeOf draws r.
func runeProb(a *Alphabet, r rune) float64 {
	i, ok := a.Index(r)
	if !ok {
		return 0
	}
	p := 0.0
	if a == nil {
		if i < printable {
			p = (1 - 1.0/unusualEvery) / printable
		}
		for _, u := range unusual {
			if u[0] <= r && r <= u[1] {
				p += 1.0 / unusualEvery / float64(len(unusual)) / float64(u[1]-u[0]+1)
			}
		}
		return p
	}
	n := a.Len()
	p = 1 / float64(n)
	if m := a.printable(); n > manyRunes && m > 0 {
		p /= 2
		if i < m {
			p += 0.5 / float64(m)
		}
	}
	return p
}

// unusual holds first and last runes of ranges that code tends to treat apart.
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
