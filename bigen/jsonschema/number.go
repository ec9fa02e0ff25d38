package jsonschema

import (
	"math"
	"math/big"
	"strconv"

	"github.com/espalier-go/espalier/bigen"
)

// numbers is what is asked of numbers.
type numbers struct {
	lo, hi         *big.Rat // nil: no bound
	loOpen, hiOpen bool
	loBy, hiBy     string
	multiples      []*big.Rat
}

func (s *shape) atLeast(r *big.Rat, open bool, by string) {
	if r == nil {
		return
	}
	if c := -1; s.lo != nil {
		if c = s.lo.Cmp(r); c > 0 || c == 0 && (s.loOpen || !open) {
			return
		}
	}
	s.lo, s.loOpen, s.loBy = r, open, by
	s.checkRange()
}

func (s *shape) atMost(r *big.Rat, open bool, by string) {
	if r == nil {
		return
	}
	if s.hi != nil {
		if c := s.hi.Cmp(r); c < 0 || c == 0 && (s.hiOpen || !open) {
			return
		}
	}
	s.hi, s.hiOpen, s.hiBy = r, open, by
	s.checkRange()
}

func (s *shape) checkRange() {
	if s.lo == nil || s.hi == nil {
		return
	}
	if c := s.lo.Cmp(s.hi); c > 0 || c == 0 && (s.loOpen || s.hiOpen) {
		s.drop(number, "no number is in the range of %s and %s", s.loBy, s.hiBy)
	}
}

// most is the bound up to which all integers are numbers of type float64.
const most = 1 << 53

// noNumber says why there is no number of a type.
func (n *numbers) noNumber(t typeSet) string {
	what := "no " + t.String() + " is"
	for i, m := range n.multiples {
		what += []string{" a multiple of ", " and of "}[min(i, 1)] + m.RatString()
	}
	switch {
	case n.lo != nil && n.hi != nil:
		return what + " in the range of " + n.loBy + " and " + n.hiBy
	case n.lo != nil || n.hi != nil:
		return what + " in the range of " + n.loBy + n.hiBy
	}
	return what
}

// ratOf returns the number that the shortest decimal for f denotes: what JSON says.
func ratOf(f float64) *big.Rat {
	r, _ := new(big.Rat).SetString(strconv.FormatFloat(f, 'g', -1, 64))
	return r
}

// fits reports whether a number is in the range and a multiple.
func (n *numbers) fits(f float64) bool {
	r := ratOf(f)
	if n.lo != nil {
		if c := r.Cmp(n.lo); c < 0 || c == 0 && n.loOpen {
			return false
		}
	}
	if n.hi != nil {
		if c := r.Cmp(n.hi); c > 0 || c == 0 && n.hiOpen {
			return false
		}
	}
	for _, m := range n.multiples {
		if !new(big.Rat).Quo(r, m).IsInt() {
			return false
		}
	}
	return true
}

// few reports whether the range is small enough to list its integers.
func (n *numbers) few() bool {
	const few = 300
	lo, hi := n.floats()
	return hi-lo <= few && math.Abs(lo) < most && math.Abs(hi) < most
}

// floats returns the least and the greatest number in the range.
func (n *numbers) floats() (lo, hi float64) {
	lo, hi = -math.MaxFloat64, math.MaxFloat64
	bounds := numbers{lo: n.lo, hi: n.hi, loOpen: n.loOpen, hiOpen: n.hiOpen}
	if n.lo != nil {
		lo = nearest(n.lo, bounds.fits, math.Inf(1))
	}
	if n.hi != nil {
		hi = nearest(n.hi, bounds.fits, math.Inf(-1))
	}
	return lo, hi
}

// nearest returns the number nearest to a bound that fits, in a direction from it.
func nearest(bound *big.Rat, fits func(float64) bool, toward float64) float64 {
	f, _ := bound.Float64()
	if math.IsInf(f, 0) {
		return math.Copysign(math.MaxFloat64, f)
	}
	f = math.Nextafter(f, -toward)
	for range 4 {
		if !math.IsInf(f, 0) && fits(f) {
			return f
		}
		f = math.Nextafter(f, toward)
	}
	return f
}

// step returns the least number of which the numbers are multiples, or nil for any number.
func (n *numbers) step(t typeSet) *big.Rat {
	var step *big.Rat
	all := n.multiples
	if t == integer {
		all = append(all[:len(all):len(all)], big.NewRat(1, 1))
	}
	for _, m := range all {
		if step == nil {
			step = m
			continue
		}
		// lcm(a/b, c/d) is lcm(ad, cb)/bd
		x, y := new(big.Int).Mul(step.Num(), m.Denom()), new(big.Int).Mul(m.Num(), step.Denom())
		lcm := new(big.Int).Mul(x, y)
		lcm.Quo(lcm, new(big.Int).GCD(nil, nil, x, y))
		step = new(big.Rat).SetFrac(lcm, new(big.Int).Mul(step.Denom(), m.Denom()))
	}
	return step
}

// numberGen returns the generator of numbers of a type, or false if there are none.
func (n *numbers) numberGen(t typeSet) (bigen.Gen[any], bool) {
	lo, hi := n.floats()
	if lo > hi {
		return bigen.Gen[any]{}, false
	}
	step := n.step(t)
	if t == fraction && step != nil && step.IsInt() {
		return bigen.Gen[any]{}, false
	}
	whole := func(f float64) bool { return typeOf(f) == integer }
	if step == nil {
		if t != fraction {
			return bigen.Any(bigen.FloatRange(lo, hi)), true
		}
		lo, hi = max(lo, -most/2), min(hi, most/2) // beyond, all are integers
		if lo > hi || lo == hi && whole(lo) {
			return bigen.Gen[any]{}, false
		}
		fractions := bigen.SuchThat(bigen.FloatRange(lo, hi), func(f float64) bool { return !whole(f) })
		return bigen.Any(fractions), true
	}
	var alts []bigen.Alt[any]
	var only bigen.Gen[any]
	from, to, ok := factors(step, max(lo, -most), min(hi, most))
	exact := step.IsInt()
	if !ok && step.Cmp(big.NewRat(1, 1)) != 0 {
		from, to, ok = factors(step, lo, hi)
		exact = false
	}
	if ok {
		gen := bigen.Iso(naturals(from, to), func(k int64) float64 {
			f, _ := new(big.Rat).Mul(step, new(big.Rat).SetInt64(k)).Float64()
			return f
		}, func(f float64) (int64, bool) {
			if math.IsNaN(f) || math.IsInf(f, 0) {
				return 0, false
			}
			k := new(big.Rat).Quo(ratOf(f), step)
			return k.Num().Int64(), k.IsInt() && k.Num().IsInt64()
		})
		if !exact || t == fraction {
			gen = bigen.SuchThat(gen, func(f float64) bool {
				return n.fits(f) && (t != fraction || !whole(f))
			})
		}
		only = bigen.Any(gen)
		alts = append(alts, bigen.Tag("usual", only).Weight(15))
	}
	if one := big.NewRat(1, 1); t != fraction && step.Cmp(one) == 0 {
		large := func(lo, hi float64) {
			if lo <= hi { // all of these are integers
				only = bigen.Any(bigen.FloatRange(lo, hi))
				alts = append(alts, bigen.Tag("large", only))
			}
		}
		large(max(lo, most), hi)
		large(lo, min(hi, -most))
	} else if len(alts) > 0 {
		// Multiples with larger factors, and those that products miss: chance would hit none.
		alts = append(alts, bigen.Tag("other", bigen.Any(bigen.SuchThat(bigen.FloatRange(lo, hi),
			func(f float64) bool { return n.fits(f) && (t == number || whole(f) == (t == integer)) },
		))).Weight(0))
	}
	switch len(alts) {
	case 0:
		return bigen.Gen[any]{}, false
	case 1:
		return only, true
	}
	return bigen.Pick(alts...), true
}

// naturals makes integers of a range as users give them: small ones often, and the bounds.
func naturals(from, to int64) bigen.Gen[int64] {
	const few = 100
	if to-from < 0 { // more than half of all integers
		from, to = max(from, -most), min(to, most)
	}
	if to-from <= few {
		return bigen.IntRange(from, to)
	}
	center := max(from, min(to, 0))
	return bigen.Pick(
		bigen.Tag("small", bigen.IntRange(max(from, center-few), min(to, center+few))).Weight(3),
		bigen.Tag("any", bigen.IntRange(from, to)).Weight(2),
		bigen.Tag("bound", bigen.OneOf(from, to)).Weight(.3),
	)
}

// factors returns the factors of type int64 whose products with the step are in a range.
func factors(step *big.Rat, lo, hi float64) (from, to int64, ok bool) {
	bound := func(f float64, up bool) *big.Int {
		q := new(big.Rat).Quo(ratOf(f), step)
		i := new(big.Int).Div(q.Num(), q.Denom()) // rounds down
		if up && !q.IsInt() {
			i.Add(i, big.NewInt(1))
		}
		return i
	}
	a, b := bound(lo, true), bound(hi, false)
	limit := big.NewInt(math.MaxInt64)
	clip := func(i *big.Int) *big.Int {
		if i.CmpAbs(limit) > 0 {
			return new(big.Int).Mul(limit, big.NewInt(int64(i.Sign())))
		}
		return i
	}
	if a.Cmp(limit) > 0 || b.Cmp(new(big.Int).Neg(limit)) < 0 {
		return 0, 0, false
	}
	return clip(a).Int64(), clip(b).Int64(), a.Cmp(b) <= 0
}
