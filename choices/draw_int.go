package choices

import (
	"math/bits"

	"github.com/espalier-go/espalier/internal/chance"
)

// DrawInt answers a question for an integer as [Random] does, with 64 random bits: uniformly or,
// if q.Edges is set, as drawEdge does.
func (q *Question) DrawInt(word uint64) int64 {
	if q.Edges {
		return drawEdge(q, word)
	}
	return drawUniform(q.Lo, q.Hi, word)
}

func drawUniform(lo, hi int64, u uint64) int64 {
	if span := uint64(hi) - uint64(lo) + 1; span != 0 {
		u, _ = bits.Mul64(u, span)
	}
	return int64(uint64(lo) + u)
}

// drawOther draws an integer other than n. The range has at least two.
func drawOther(q *Question, n int64, u uint64) int64 {
	if q.Edges {
		s := chance.Words(u)
		for range 8 {
			if other := drawEdge(q, s.Next()); other != n {
				return other
			}
		}
	}
	u, _ = bits.Mul64(u, uint64(q.Hi)-uint64(q.Lo))
	_, below := bits.Sub64(u, uint64(n)-uint64(q.Lo), 0) // 1 or 0
	return int64(uint64(q.Lo) + u + 1 - below)
}

// drawEdge draws from a mixture, in which
//
//   - 1/8 is one of lo, lo+1, hi-1 and hi;
//   - 1/8 is a power of two or one of its neighbors, of either sign, clamped to the
//     range: all powers between the range's least and greatest magnitudes are equally
//     likely, and so are a power and its neighbors;
//   - 1/2 is at a distance from the range's origin whose length in bits is drawn
//     first, all lengths on both sides equally likely, and then the distance;
//   - 1/4 is any integer of the range.
func drawEdge(q *Question, u uint64) int64 {
	s := chance.Words(u)
	switch s.Below(8) {
	case 0:
		return ends(q)[s.Below(4)]
	case 1:
		plus, minus := q.magnitudes()
		i := s.Below(3 * (plus.powers() + minus.powers()))
		if j := i - 3*plus.powers(); j >= 0 {
			return -int64(minus.power(j))
		}
		return int64(plus.power(i))
	case 2, 3:
		return drawUniform(q.Lo, q.Hi, s.Next())
	}
	origin, above, below := q.distances()
	length := s.Below(1 + bits.Len64(above) + bits.Len64(below))
	if l := length - bits.Len64(above); l > 0 {
		first, last := ofLength(l, below)
		return int64(origin - uint64(drawUniform(int64(first), int64(last), s.Next())))
	}
	first, last := ofLength(length, above)
	return int64(origin + uint64(drawUniform(int64(first), int64(last), s.Next())))
}

// intProb returns the probability that DrawInt draws n, given ideal random bits.
func intProb(q *Question, n int64) float64 {
	if q.Kind.Clamp(n, q.Lo, q.Hi) != n {
		return 0
	}
	uniform := 1 / (float64(uint64(q.Hi)-uint64(q.Lo)) + 1)
	if !q.Edges {
		return uniform
	}

	end := 0.0
	for _, e := range ends(q) {
		if e == n {
			end += 1.0 / 4
		}
	}

	plus, minus := q.magnitudes()
	side, magnitude := plus, uint64(n)
	if q.Kind == Int && n < 0 {
		side, magnitude = minus, -magnitude
	}
	power := float64(side.count(magnitude)) / float64(3*(plus.powers()+minus.powers()))

	origin, above, below := q.distances()
	distance, most := uint64(n)-origin, above
	if q.Kind.Less(n, int64(origin)) {
		distance, most = -distance, below
	}
	first, last := ofLength(bits.Len64(distance), most)
	near := 1 / (float64(last-first) + 1) / float64(1+bits.Len64(above)+bits.Len64(below))

	return end/8 + power/8 + near/2 + uniform/4
}

func ends(q *Question) [4]int64 { return [4]int64{q.Lo, q.Lo + 1, q.Hi - 1, q.Hi} }

// distances returns the origin of the range and how far the range extends to
// either side of it.
func (q *Question) distances() (origin, above, below uint64) {
	origin = uint64(q.Kind.Origin(q.Lo, q.Hi))
	return origin, uint64(q.Hi) - origin, origin - uint64(q.Lo)
}

// ofLength returns the least and the greatest integer up to most whose length is
// l bits.
func ofLength(l int, most uint64) (first, last uint64) {
	return 1 << l >> 1, min(most, 1<<l-1)
}

// magnitudes are the absolute values of the integers of a range that have the same
// sign.
type magnitudes struct {
	least, most uint64
	empty       bool
}

func (q *Question) magnitudes() (plus, minus magnitudes) {
	lo, hi := uint64(q.Lo), uint64(q.Hi)
	switch {
	case q.Kind == Uint || q.Lo >= 0:
		return magnitudes{least: lo, most: hi}, magnitudes{empty: true}
	case q.Hi < 0:
		return magnitudes{empty: true}, magnitudes{least: -hi, most: -lo}
	}
	return magnitudes{most: hi}, magnitudes{least: 1, most: -lo}
}

// exponents returns the least and the greatest exponent of powers of two.
func (m magnitudes) exponents() (first, last int) {
	return max(bits.Len64(m.least), 1) - 1, max(bits.Len64(m.most), 1) - 1
}

// powers returns the number of powers of two.
func (m magnitudes) powers() int {
	if m.empty {
		return 0
	}
	first, last := m.exponents()
	return last - first + 1
}

// power returns the i-th of the powers of two and their neighbors, three for each power.
func (m magnitudes) power(i int) uint64 {
	first, _ := m.exponents()
	n := uint64(1)<<(first+i/3) + uint64(i%3) - 1
	return min(max(n, m.least), m.most)
}

// count returns the number of i for which power(i) is n.
func (m magnitudes) count(n uint64) (found int) {
	first, last := m.exponents()
	l := bits.Len64(n) // if n is not next to a power, the loop finds none
	for e := max(first, l-2); e <= min(last, l); e++ {
		for j := range 3 {
			if m.power(3*(e-first)+j) == n {
				found++
			}
		}
	}
	return found
}
