package rl

import (
	"math/bits"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
)

// Decisions among at most 16 slots each answer a question, so that estimates and the
// record of past inputs take little memory however large the range is. The same
// decisions spell out an answer that is wished for.

// pick answers a Pick of two alternatives or more: by one decision, or, if there are more
// than 16 alternatives, by the hexadecimal digits of the index.
func (g *Guide) pick(q *choices.Question, point uint64) int {
	unit := 1.0
	if w := heaviest(q.Alts); w > 1e30 || 0 < w && w < 1e-30 { // beyond the range of a float32
		unit = w
	}
	if len(q.Alts) <= slots {
		return g.pickSlot(q, point, unit)
	}
	want, n, index := int(g.wish.n), len(q.Alts), 0
	for shift := topDigit(uint64(n - 1)); shift >= 0; shift -= 4 {
		var prior [slots]float32
		full, open := uint16(0), uint16(0)
		for i := index; i < min(n, index+slots<<shift); i++ {
			slot := (i - index) >> shift
			full |= 1 << slot
			if q.Alts[i].Weight > 0 {
				open |= 1 << slot
			}
			prior[slot] += float32(q.Alts[i].Weight / unit)
		}
		d := decision{
			point:   hash.Mix(point, uint64(index)<<8|uint64(shift)+1),
			free:    full,
			closed:  full &^ open,
			prior:   &prior,
			learned: true,
		}
		index += g.decide(d, (want-index)>>shift) << shift
	}
	return index
}

// pickSlot answers a Pick by a decision whose slots are the alternatives.
func (g *Guide) pickSlot(q *choices.Question, point uint64, unit float64) int {
	var prior [slots]float32
	p := &prior
	alike, closed := true, uint16(0)
	for i := range q.Alts {
		if q.Alts[i].Weight == 0 {
			closed |= 1 << i
		}
		prior[i] = float32(q.Alts[i].Weight / unit)
		alike = alike && prior[i] == prior[0]
	}
	if alike {
		p = nil
	}
	return g.decide(decision{
		point:   point,
		free:    1<<len(q.Alts) - 1,
		closed:  closed,
		prior:   p,
		learned: true,
		pick:    true,
	}, int(g.wish.n))
}

func heaviest(alts []choices.Alt) (w float64) {
	for i := range alts {
		w = max(w, alts[i].Weight)
	}
	return w
}

// topDigit returns the position of the lowest bit of the highest hexadecimal digit of n.
func topDigit(n uint64) int { return (bits.Len64(n|1) - 1) / 4 * 4 }

// integer answers a question for an integer.
//
//  1. A range within an aligned block of 16 integers takes one decision.
//  2. A range of up to 16 such blocks takes two: the block, then the integer in it.
//  3. A larger range takes decisions on the distance from its origin: the side with a
//     group of lengths in bits, the length, and the bits. The bits after the first
//     four below the leading bit are not learned but drawn evenly.
func (g *Guide) integer(q *choices.Question, point uint64) int64 {
	lo, hi, want := q.Lo, q.Hi, g.wish.n
	block := lo >> 4
	blocks := uint64(hi>>4) - uint64(block)
	if blocks >= slots {
		return g.wide(q, point)
	}
	if blocks > 0 {
		var prior [slots]float32
		full := uint16(0)
		for i := range int64(blocks + 1) {
			b := block + i
			first, last := q.Kind.Clamp(b<<4, lo, hi), q.Kind.Clamp(b<<4|15, lo, hi)
			full |= 1 << (b & 15)
			prior[b&15] = float32(last-first) + 1
		}
		slot := g.decide(decision{
			point:   hash.Mix(point, 1),
			free:    full,
			prior:   &prior,
			learned: true,
		}, int(want>>4&15))
		block += (int64(slot) - block) & 15
		point = hash.Mix(point, uint64(block)+2)
	}
	full := ^uint16(0)
	if block == lo>>4 {
		full &= ^uint16(0) << (lo & 15)
	}
	if block == hi>>4 {
		full &= ^uint16(0) >> (15 - hi&15)
	}
	return block<<4 | int64(g.decide(decision{point: point, free: full, learned: true}, int(want&15)))
}

// nearest is the greatest distance from the origin in the first group.
const nearest = 7

// group is a range of lengths in bits, of distances from the origin.
type group struct{ first, last int }

var groups = [...]group{{0, 3}, {4, 8}, {9, 12}, {13, 16}, {17, 24}, {25, 32}, {33, 48}, {49, 64}}

// bounds returns the least and the greatest distance.
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

// wide answers a question for an integer of a large range. The slots of the first
// decision are the groups above the origin, then the groups below it, except for the
// nearest group, which has both sides.
func (g *Guide) wide(q *choices.Question, point uint64) int64 {
	origin := uint64(q.Kind.Origin(q.Lo, q.Hi))
	above, below := uint64(q.Hi)-origin, origin-uint64(q.Lo)
	distance, slot := g.wishedGroup(q, origin)
	full, prior := groupsWithin(above, below)
	slot = g.decide(decision{point: hash.Mix(point, 1), free: full, prior: &prior, learned: true},
		slot)
	point = hash.Mix(point, uint64(slot)+2)

	if slot == 0 {
		near := min(below, nearest)
		full := uint16(1)<<(min(above, nearest)+near+1) - 1
		digit := g.decide(decision{point: point, free: full, learned: true},
			int(uint64(g.wish.n)-(origin-near)))
		return int64(origin - near + uint64(digit))
	}
	negative, most := slot >= len(groups), above
	if negative {
		slot -= len(groups) - 1
		most = below
	}
	shortest, longest := groups[slot].first, min(groups[slot].last, bits.Len64(most))
	full = uint16(1)<<(longest-shortest+1) - 1
	length := shortest + g.decide(decision{point: point, free: full, learned: true},
		bits.Len64(distance)-shortest)
	if q.Edges && !g.wish.set {
		distance = 1 << (length - 1)
		switch g.r.IntN(8) { // powers of two and their predecessors
		case 0:
			g.wish = wish{set: true}
		case 1:
			distance, g.wish = min(most, distance<<1-1), wish{set: true}
		}
	}
	d := g.bits(hash.Mix(point, uint64(length)), 1, length-1, most, distance)
	if negative {
		return int64(origin - d)
	}
	return int64(origin + d)
}

// wishedGroup returns how far the wished integer is from the origin, and the slot of its group.
func (g *Guide) wishedGroup(q *choices.Question, origin uint64) (distance uint64, slot int) {
	distance = uint64(g.wish.n) - origin
	if negative := q.Kind.Less(g.wish.n, int64(origin)); negative {
		distance = -distance
		slot = len(groups) - 1
	}
	wanted := groupOf(distance)
	if wanted == 0 {
		return distance, 0
	}
	return distance, slot + wanted
}

// groupsWithin returns the slots of the groups that the range has integers of, with their weights:
// half by the number of the integers, half by the number of their lengths.
func groupsWithin(above, below uint64) (full uint16, prior [slots]float32) {
	total := float32(above) + float32(below)
	lengths := float32(bits.Len64(above) + bits.Len64(below))
	for side, most := range [2]uint64{above, below} {
		for i, group := range groups {
			first, last := group.bounds()
			if side == 1 && i == 0 || first > most {
				continue
			}
			last = min(last, most)
			slot := i + side*(len(groups)-1)
			full |= 1 << slot
			prior[slot] = float32(last-first)/total + float32(bits.Len64(last)-bits.Len64(first)+1)/lengths
		}
	}
	return full, prior
}

// bits appends n bits to high so that the result is at most most. Only the first four are
// learned.
func (g *Guide) bits(point uint64, high uint64, n int, most, want uint64) uint64 {
	for learned := true; n > 0; learned = false {
		k := min(n, 4)
		n -= k
		var full uint16
		for i := range uint64(1) << k {
			if (high<<k|i)<<n <= most {
				full |= 1 << i
			}
		}
		digit := int(want>>n) & (1<<k - 1)
		high = high<<k | uint64(g.decide(decision{point: point, free: full, learned: learned}, digit))
	}
	return high
}

// below decides on an integer below n by its digits.
func (g *Guide) below(point uint64, n, want uint64, learned bool) uint64 {
	index := uint64(0)
	for shift := topDigit(n - 1); shift >= 0; shift -= 4 {
		var full uint16
		for i := uint64(0); i < slots && index+i<<shift < n; i++ {
			full |= 1 << i
		}
		d := decision{point: hash.Mix(point, index<<8|uint64(shift)), free: full, learned: learned}
		index += uint64(g.decide(d, int((want-index)>>shift))) << shift
	}
	return index
}
