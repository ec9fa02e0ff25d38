package rl

import (
	"math/bits"
	"unicode/utf8"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
)

const (
	shortText    = 12  // runes of most texts, beyond the minimum
	longText     = 256 // the most runes of random texts, beyond the minimum
	learnedRunes = 16  // runes at the beginning of a text that are learned
)

// text answers a question for a text: first its length, then each rune. What it
// learns about a rune depends on the two runes before it.
func (g *Guide) text(q *choices.Question, point uint64) string {
	want := []rune(g.wish.text)
	n := q.Min + g.length(q.Max-q.Min, len(want)-q.Min, point)
	b := make([]byte, 0, n)
	before, last := uint64(0), rune(0)
	for i := range n {
		w := rune(-1)
		if i < len(want) {
			w = want[i]
		}
		r := g.rune(q.Alphabet, hash.Mix(point, before), w, i < learnedRunes)
		b = utf8.AppendRune(b, r)
		before = uint64(last)<<32 | uint64(r) + 3
		last = r
	}
	return string(b)
}

// length decides how many runes a text has beyond the minimum.
func (g *Guide) length(room, want int, point uint64) int {
	if room <= 0 {
		return 0
	}
	full := uint16(1)<<(min(room, shortText)+1) - 1
	prior := [slots]float32{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}
	if room > shortText {
		full |= 1 << (shortText + 1)
		prior[shortText+1] = 0.5
	}
	slot := min(want, shortText+1)
	if g.wish.set && want > longText { // never made at random
		slot++
		full |= 1 << slot
	}
	n := g.decide(decision{point: hash.Mix(point, 1), free: full, prior: &prior, learned: true}, slot)
	switch {
	case n <= shortText:
		return n
	case n > shortText+1:
		return int(g.bits(hash.Mix(point, 3), 0, bits.Len(uint(room)), uint64(room), uint64(want)))
	}
	beyond := min(room, longText) - n
	return n +
		int(g.bits(hash.Mix(point, 2), 0, bits.Len(uint(beyond)), uint64(beyond), uint64(want-n)))
}

// otherRunes is the slot of runes that are not printable ASCII: no block of ASCII has it.
const otherRunes = 1

// rune decides on one rune. There is no wish if want is negative.
func (g *Guide) rune(a *choices.Alphabet, point uint64, want rune, learned bool) rune {
	g.wish.set = g.wish.set && want >= 0
	if a != nil && a.Len() <= 1<<8 {
		i, _ := a.Index(want)
		return a.At(int(g.below(point, uint64(a.Len()), uint64(i), learned)))
	}
	// For printable ASCII: the block of 16, then the rune.
	var blocks [slots]uint16
	full, first := uint16(1<<otherRunes), 0
	prior := [slots]float32{otherRunes: 10}
	for r := ' '; r <= '~'; r++ {
		if a.Contains(r) {
			full |= 1 << (r >> 4)
			blocks[r>>4] |= 1 << (r & 15)
			prior[r>>4]++
			first++
		}
	}
	block := otherRunes
	if ' ' <= want && want <= '~' {
		block = int(want >> 4)
	}
	block = g.decide(decision{
		point:   hash.Mix(point, 1),
		free:    full,
		prior:   &prior,
		learned: learned,
	}, block)
	if block != otherRunes {
		d := decision{point: hash.Mix(point, uint64(block)), free: blocks[block], learned: learned}
		return rune(block<<4 | g.decide(d, int(want&15)))
	}
	// For other runes: the index, which is above the indices of printable ASCII.
	others := a.Len() - first
	i, _ := a.Index(want)
	i -= first
	if !g.wish.set {
		i = g.r.IntN(others)
		one := choices.Question{Kind: choices.Text, Min: 1, Max: 1, Alphabet: a}
		for range 20 { // common runes more often
			r, _ := utf8.DecodeRuneInString(g.random.Text(&one))
			if k, _ := a.Index(r); k >= first {
				i = k - first
				break
			}
		}
		g.wish.set, g.wish.must = true, false
		defer func() { g.wish.set = false }()
	}
	return a.At(first + int(g.below(point, uint64(others), uint64(i), false)))
}
