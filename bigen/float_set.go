package bigen

import "math"

// floatSet is a set of floats: those from lo to hi, less what options leave out.
type floatSet struct {
	floatFormat
	lo, hi   int64 // in order
	noInf    bool
	ranged   bool                       // made by FloatRange
	decimals [len(floatScales)]intRange // [i]: of n, for floats n/floatScales[i]
	codes    intRange                   // of the codes asked for
}

// intRange is a range of integers, empty if lo > hi.
type intRange struct{ lo, hi int64 }

func newFloatSet(f floatFormat, lo, hi int64, noInf, ranged bool) *floatSet {
	s := &floatSet{floatFormat: f, lo: lo, hi: hi, noInf: noInf, ranged: ranged}
	least, most := f.value(lo), f.value(hi)
	for i, scale := range floatScales {
		limit := float64(int64(1) << (f.mantissa + 1)) // the integers up to it are floats
		if i > 0 {
			limit /= 8 // and so few that quotients differ by more than rounding does
		}
		// NaNs and infinities are unlike any bound.
		a, b := -limit, limit
		if x := least * scale; x > a {
			a = min(math.Ceil(x), limit+1)
		}
		if x := most * scale; x < b {
			b = max(math.Floor(x), -limit-1)
		}
		s.decimals[i] = intRange{int64(a), int64(b)}
	}
	s.codes = intRange{^f.greatest(), f.greatest()}
	if lo >= 0 {
		s.codes.lo = 0
	}
	if hi < 0 {
		s.codes.hi = -1
	}
	return s
}

// bring brings the float at a place into the set. It leaves floats of the set as
// they are, and takes floats that differ mostly to floats that differ.
func (s *floatSet) bring(order int64) int64 {
	if order < s.lo || order > s.hi {
		order = s.lo + int64((uint64(order)-uint64(s.lo))%(uint64(s.hi)-uint64(s.lo)+1))
	}
	switch {
	case s.noInf && order == s.inf():
		return order - 1
	case s.noInf && order == ^s.inf():
		return order + 1
	}
	return order
}

// simplest returns the place of the float that stands for all where a value has
// become too large.
func (s *floatSet) simplest() int64 {
	for i, b := range s.decimals {
		if b.lo <= b.hi {
			n := max(b.lo, min(0, b.hi))
			if order := s.order(float64(n) / floatScales[i]); s.bring(order) == order {
				return order
			}
		}
	}
	return max(s.lo, min(0, s.hi))
}

// answers returns the answers recorded for a float of the set, and the range of the
// second.
func (s *floatSet) answers(order int64) (form, n int64, b intRange) {
	x := s.value(order)
	for i, b := range s.decimals {
		p := math.RoundToEven(x * floatScales[i])
		if !(float64(b.lo) <= p && p <= float64(b.hi)) {
			continue // among others, NaN and what fits into no integer
		}
		if n := int64(p); s.order(float64(n)/floatScales[i]) == order {
			return int64(i), n, b
		}
	}
	return floatCode, s.code(order), s.codes
}

// special returns the i-th of the floats that code tends to treat apart: some that
// may be outside of the set, and the ends of the set and their neighbors.
func (s *floatSet) special(i int64) int64 {
	list := s.specials()
	if n := int64(len(list)); i >= n {
		return [...]int64{s.lo, s.lo + 1, s.hi - 1, s.hi}[i-n]
	}
	return list[i]
}

// lastSpecial returns the greatest argument of special.
func (s *floatSet) lastSpecial() int64 { return int64(len(s.specials())) + 3 }

func (f floatFormat) specials() []int64 {
	if f == format32 {
		return specials32
	}
	return specials64
}

var specials32, specials64 = format32.listSpecials(), format64.listSpecials()

func (f floatFormat) listSpecials() []int64 {
	inf, quiet := f.inf(), f.inf()|1<<(f.mantissa-1)
	one, normal := f.order(1), int64(1)<<f.mantissa
	list := []int64{
		-1, inf, ^inf, quiet, ^quiet, // -0, infinities, NaNs as processors make them
		inf - 1, ^(inf - 1), 1, ^1, // the largest and the smallest numbers
		normal, normal - 1, // the smallest normal one and its neighbor
		one - 1, one + 1,
		// The neighbor of the first whose successor is missing.
		f.order(math.Ldexp(1, f.mantissa+1)) + 1,
	}
	// Beyond integer types.
	for _, x := range []float64{1 << 31, 1 << 32, 1 << 63, -1 << 63, 1 << 64} {
		list = append(list, f.order(x), f.order(x)-1)
	}
	for _, x := range []float64{1e21, 1e-7} { // where formatting begins to use exponents
		list = append(list, f.order(x), f.order(x)-1)
	}
	if f == format64 {
		list = append(list, orderOf(math.NaN()))
	}
	return list
}

// The answers to the first question for a float: how the answer to the second
// stands for it. Only those up to floatCode are recorded, whatever was answered.
const (
	floatCode    = int64(len(floatScales)) + iota // by its code; below: as n/floatScales
	floatSpread                                   // as one of numbers evenly spread
	floatSpecial                                  // by its place in a list
)

// floatScales are powers of ten, the scale of integers first.
var floatScales = [...]float64{1, 10, 1000}
