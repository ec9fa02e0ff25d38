package mutate

import (
	"math"

	"github.com/espalier-go/espalier/choices"
)

// huge is the distance from the simplest integer at which an integer counts as two in the
// size of a tree, and is worth rounding.
const huge = 1_000_000_000

// rounder returns distances that are smaller than the distance of an integer from the
// simplest, the roundest first: a power of ten, and numbers of one and two digits and
// zeros.
func rounder(c *choices.Choice, distance uint64) (found []uint64) {
	if distance < huge {
		return nil
	}
	add := func(d uint64) {
		if d < distance && (len(found) == 0 || found[len(found)-1] < d) {
			found = append(found, d)
		}
	}
	if x, code := asFloat(c, distance); code != nil {
		for _, digits := range []float64{0, 1, 10} {
			unit := math.Pow(10, math.Floor(math.Log10(x)))
			if digits > 0 {
				unit = math.Floor(x/unit*digits) * unit / digits
			}
			add(code(unit))
		}
	}
	unit := uint64(1)
	for distance/unit >= 10 {
		unit *= 10
	}
	add(unit)
	add(distance / unit * unit)
	add(distance / (unit / 10) * (unit / 10))
	return found
}

// asFloat returns the float whose code in a tree an integer may be, and a function that
// returns such codes. A code of more bits than the mantissa has is the bits of the float
// minus the bits of 1; see package bigen.
func asFloat(c *choices.Choice, code uint64) (x float64, codeOf func(x float64) uint64) {
	const one64, one32 = 1023 << 52, 127 << 23
	switch {
	case c.Hi == math.MaxInt64 && code >= 52<<52 && code+one64 < 2047<<52:
		return math.Float64frombits(code + one64), func(x float64) uint64 {
			return math.Float64bits(x) - one64
		}
	case c.Hi == math.MaxInt32 && code >= 23<<23 && code+one32 < 255<<23:
		return float64(math.Float32frombits(uint32(code + one32))), func(x float64) uint64 {
			return uint64(math.Float32bits(float32(x)) - one32)
		}
	}
	return 0, nil
}

// scale makes a huge integer an integer of one digit. It adds the number of removed digits
// to the integer next to it, which may be an exponent, or subtracts it.
func (m *minimizer) scale() {
	for i := range m.places(m.isNumber) {
		for _, j := range []int{m.beside(i, 1), m.beside(i, -1)} {
			c := &m.best[i]
			if j < 0 || weight(c) < 2 {
				continue
			}
			digit, digits := between(c, c.N, 0), int64(0)
			for ; digit >= 10; digit /= 10 {
				digits++
			}
			_ = m.scaleTo(i, j, digit, digits) || m.scaleTo(i, j, digit+1, digits) ||
				m.scaleTo(i, j, 1, digits+1)
		}
	}
}

func (m *minimizer) scaleTo(i, j int, digit uint64, digits int64) bool {
	for _, add := range []int64{digits, -digits} {
		edited := added(m.best, []int{j}, add)
		c := &edited[i]
		if c.N = int64(digit); c.Kind == choices.Int && m.best[i].N < 0 {
			c.N = -c.N
		}
		if !outside(&edited[j], edited[j].N) && m.try(edited) {
			return true
		}
	}
	return false
}
