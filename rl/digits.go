package rl

import (
	"math/bits"
	"unicode/utf8"

	"github.com/espalier-go/espalier/choices"
)

// Questions are answered by decisions among at most 16 slots each, so that what is
// learned about them, and which have been tried, takes little room however large
// their ranges are. The methods below that answer a question take over a wanted
// answer if there is one.

// pick answers a Pick of two alternatives or more: by one decision, or, of more than
// 16 alternatives, by the digits of the index.
func (g *Guide) pick(q *choices.Question, point uint64, want int) int {
	n := len(q.Alts)
	unit := 1.0
	if w := heaviest(q.Alts); w > 1e30 || 0 < w && w < 1e-30 { // a float32 would not do
		unit = w
	}
	if n <= slots {
		var prior [slots]float32
		p := &prior
		alike := true
		for i := range q.Alts {
			prior[i] = float32(q.Alts[i].Weight / unit)
			alike = alike && prior[i] == prior[0]
		}
		if alike {
			p = nil
		}
		return g.decide(point, 1<<n-1, p, want, true)
	}
	shift := (bits.Len(uint(n-1)) - 1) / 4 * 4
	index := 0
	for ; shift >= 0; shift -= 4 {
		var prior [slots]float32
		full := uint16(0)
		for i := index; i < min(n, index+slots<<shift); i++ {
			slot := (i - index) >> shift
			full |= 1 << slot
			prior[slot] += float32(q.Alts[i].Weight / unit)
		}
		digit := -1
		if want >= 0 {
			digit = (want - index) >> shift
		}
		slot := g.decide(mix(point, uint64(index)<<8|uint64(shift)+1), full, &prior, digit, true)
		index += slot << shift
	}
	return index
}

// heaviest returns the largest weight of alternatives.
func heaviest(alts []choices.Alt) float64 {
	w := 0.0
	for i := range alts {
		w = max(w, alts[i].Weight)
	}
	return w
}

// integer answers a question for an integer.
//
// One of a range within an aligned block of 16 takes one decision. One of up to 16
// such blocks takes two: which block, which of its integers. Of a larger range, first
// comes how far from the origin of the range: a group of lengths in bits, the length,
// and the four bits after the first are learned; what is left is drawn evenly.
func (g *Guide) integer(q *choices.Question, point uint64, want int64, wanted bool) int64 {
	lo, hi := q.Lo, q.Hi
	if block := uint64(hi>>4) - uint64(lo>>4); block < slots {
		from := lo >> 4
		if block > 0 {
			var prior [slots]float32
			full := uint16(0)
			for i := uint64(0); i <= block; i++ {
				b := from + int64(i)
				first, last := max(lo, b<<4), min(hi, b<<4|15)
				if q.Kind == choices.Uint {
					first, last = q.Kind.Clamp(b<<4, lo, hi), q.Kind.Clamp(b<<4|15, lo, hi)
				}
				full |= 1 << (b & 15)
				prior[b&15] = float32(last-first) + 1
			}
			digit := -1
			if wanted {
				digit = int(want>>4) & 15
			}
			slot := g.decide(mix(point, 1), full, &prior, digit, true)
			from += (int64(slot) - from) & 15
			point = mix(point, uint64(from)+2)
		}
		full := ^uint16(0)
		if from == lo>>4 {
			full &= ^uint16(0) << (lo & 15)
		}
		if from == hi>>4 {
			full &= ^uint16(0) >> (15 - hi&15)
		}
		digit := -1
		if wanted {
			digit = int(want & 15)
		}
		return from<<4 | int64(g.decide(point, full, nil, digit, true))
	}

	origin := uint64(q.Kind.Origin(lo, hi))
	above, below := uint64(hi)-origin, origin-uint64(lo)
	distance, negative := uint64(want)-origin, wanted && q.Kind.Less(want, int64(origin))
	if negative {
		distance = -distance
	}

	// The group.
	var prior [slots]float32
	full := uint16(0)
	total := float32(above) + float32(below)
	lengths := float32(bits.Len64(above) + bits.Len64(below))
	for i := range groups {
		for side, most := range [2]uint64{above, below} {
			if side == 1 && i == 0 {
				continue // together with those above
			}
			first, last := groups[i].bounds()
			if first > most {
				continue
			}
			last = min(last, most)
			slot := i + side*(len(groups)-1)
			full |= 1 << slot
			prior[slot] = float32(last-first)/total + float32(bits.Len64(last)-bits.Len64(first)+1)/lengths
		}
	}
	group := -1
	if wanted {
		group = groupOf(distance)
		if negative && group > 0 {
			group += len(groups) - 1
		}
	}
	group = g.decide(mix(point, 1), full, &prior, group, true)
	point = mix(point, uint64(group)+2)
	if group == 0 { // near the origin, on either side
		near := min(below, nearest)
		full := uint16(1)<<(min(above, nearest)+near+1) - 1
		digit := -1
		if wanted {
			digit = int(uint64(want) - (origin - near))
		}
		return int64(origin - near + uint64(g.decide(point, full, nil, digit, true)))
	}
	most := above
	if group >= len(groups) {
		group -= len(groups) - 1
		most, negative = below, true
	} else {
		negative = false
	}

	// The length.
	full = 0
	for l := groups[group].first; l <= groups[group].last && l <= bits.Len64(most); l++ {
		full |= 1 << (l - groups[group].first)
	}
	digit := -1
	if wanted {
		digit = bits.Len64(distance) - groups[group].first
	}
	length := groups[group].first + g.decide(point, full, nil, digit, true)

	// The bits after the first, which is 1.
	d := g.bits(mix(point, uint64(length)), 1, length-1, most, distance, wanted)
	if negative {
		return int64(origin - d)
	}
	return int64(origin + d)
}

// bits appends n bits to high, so that the result is most at most.
func (g *Guide) bits(point uint64, high uint64, n int, most, want uint64, wanted bool) uint64 {
	learned := true
	for n > 0 {
		k := min(n, 4)
		n -= k
		var full uint16
		for i := uint64(0); i < 1<<k; i++ {
			if (high<<k|i)<<n <= most {
				full |= 1 << i
			}
		}
		digit := -1
		if wanted {
			digit = int(want>>n) & (1<<k - 1)
		}
		high = high<<k | uint64(g.decide(point, full, nil, digit, learned))
		learned = false
	}
	return high
}

// nearest is how far from the origin the first group extends.
const nearest = 7

// group holds integers by the length of their distance from the origin, in bits.
type group struct{ first, last int }

var groups = [...]group{{0, 3}, {4, 8}, {9, 12}, {13, 16}, {17, 24}, {25, 32}, {33, 48}, {49, 64}}

func (g group) bounds() (first, last uint64) { return 1 << g.first >> 1, 1<<g.last - 1 }

func groupOf(distance uint64) int {
	l := bits.Len64(distance)
	for i, g := range groups {
		if l <= g.last {
			return i
		}
	}
	return len(groups) - 1
}

const (
	shortText    = 12 // runes beyond the fewest, of most texts
	learnedRunes = 16 // of a text, from the first
)

// text answers a question for a text: first how long it is, then rune by rune.
func (g *Guide) text(q *choices.Question, point uint64, want string, wanted bool) string {
	// The length: up to 12 more than needed, or one bit length more.
	n := q.Min
	more := 0
	if wanted {
		more = utf8.RuneCountInString(want) - q.Min
	}
	if room := q.Max - q.Min; room > 0 {
		full := uint16(1)<<(min(room, shortText)+1) - 1
		prior := [slots]float32{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}
		if room > shortText {
			full |= 1 << (shortText + 1)
			prior[shortText+1] = 0.5
		}
		digit := -1
		if wanted {
			digit = min(more, shortText+1)
		}
		if more > longText { // wanted, or it would not be that long
			digit = shortText + 2
			full |= 1 << digit
		}
		n = g.decide(mix(point, 1), full, &prior, digit, true)
		switch {
		case n > shortText+1:
			n = int(g.bits(mix(point, 3), 0, 32, 1<<32-1, uint64(more), true))
		case n > shortText:
			beyond := min(room, longText) - shortText - 1
			n += int(g.bits(mix(point, 2), 0, bits.Len(uint(beyond)), uint64(beyond), uint64(more-shortText-1), wanted))
		}
		n += q.Min
	}
	wantedRunes := []rune(want)
	b := make([]byte, 0, 2*n)
	before := uint64(0) // hash of the two runes before
	last := rune(0)
	for i := range n {
		r := rune(0)
		if wanted {
			r = wantedRunes[i]
		}
		r = g.rune(q.Alphabet, mix(point, before), r, wanted, i < learnedRunes)
		b = utf8.AppendRune(b, r)
		before = uint64(last)<<32 | uint64(r) + 3
		last = r
	}
	return string(b)
}

// longText bounds the runes, beyond the fewest, of texts made at random.
const longText = 256

// rune decides on one rune.
func (g *Guide) rune(a *choices.Alphabet, point uint64, want rune, wanted, learned bool) rune {
	if a != nil && a.Len() <= 1<<8 {
		i := 0
		if wanted {
			i, _ = a.Index(want)
		}
		return a.At(int(g.below(point, uint64(a.Len()), uint64(i), wanted, learned)))
	}
	// Printable ASCII by digits, of which it has six blocks; anything else as a
	// whole.
	const other = 1
	var full uint16 = 1 << other
	prior := [slots]float32{other: 10}
	first := 0 // the index of the first rune that is not printable ASCII
	for r := rune(' '); r <= '~'; r++ {
		if a.Contains(r) {
			full |= 1 << (r >> 4)
			prior[r>>4] += 1
			first++
		}
	}
	digit := -1
	if wanted {
		digit = other
		if ' ' <= want && want <= '~' {
			digit = int(want >> 4)
		}
	}
	block := g.decide(mix(point, 1), full, &prior, digit, learned)
	if block != other {
		full = 0
		for i := range rune(slots) {
			if r := rune(block)<<4 | i; ' ' <= r && r <= '~' && a.Contains(r) {
				full |= 1 << i
			}
		}
		if wanted {
			digit = int(want & 15)
		}
		return rune(block)<<4 | rune(g.decide(mix(point, uint64(block)), full, nil, digit, learned))
	}
	others := uint64(a.Len() - first)
	index := func(r rune) int { i, _ := a.Index(r); return i - first }
	i := index(want)
	if !wanted {
		i = int(g.r.Uint64N(others))
		one := choices.Question{Kind: choices.Text, Min: 1, Max: 1, Alphabet: a}
		for range 20 { // what is common more often
			r, _ := utf8.DecodeRuneInString(g.random.Text(&one))
			if k := index(r); k >= 0 {
				i = k
				break
			}
		}
	}
	return a.At(first + int(g.below(point, others, uint64(i), true, false)))
}

// below decides on an integer below n, by its digits. Unless the episode repeats a tree,
// what is wanted is taken only as far as it is not exhausted.
func (g *Guide) below(point uint64, n, want uint64, wanted, learned bool) uint64 {
	shift := (bits.Len64(n-1) - 1) / 4 * 4
	if n == 1 {
		return 0
	}
	index := uint64(0)
	for ; shift >= 0; shift -= 4 {
		var full uint16
		for i := uint64(0); i < slots && index+i<<shift < n; i++ {
			full |= 1 << i
		}
		digit := -1
		if wanted {
			digit = int((want - index) >> shift)
			if g.follow == nil && g.trie != nil && full&(full-1) != 0 && g.trie.at(full)>>digit&1 == 0 {
				digit, wanted = -1, false
			}
		}
		index += uint64(g.decide(mix(point, index<<8|uint64(shift)), full, nil, digit, learned)) << shift
	}
	return index
}

func trailing(x uint16) int { return bits.TrailingZeros16(x) }
