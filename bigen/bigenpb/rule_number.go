package bigenpb

import (
	"cmp"
	"math"

	"github.com/espalier-go/espalier/bigen"
	"golang.org/x/exp/slices"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// integers makes integers that keep rules.
func integers[T bigen.Integer](
	f protoreflect.FieldDescriptor, r rules, least, most T, all bigen.Gen[T],
) ruled {
	return scale[T]{
		of: func(v ruleValue) T {
			if f.Kind() == protoreflect.Sint32Kind || f.Kind() == protoreflect.Sint64Kind {
				return T(protowire.DecodeZigZag(v.bits))
			}
			return T(v.bits)
		},
		next: func(v, to T) T {
			if to < v {
				return v - 1
			}
			return v + 1
		},
		compare: cmp.Compare[T], least: least, most: most, all: all, between: bigen.IntRange[T],
	}.ruled(r)
}

// floats makes floating-point numbers that keep rules.
func floats[T float32 | float64](
	r rules, of func(v ruleValue) T, next func(v, to T) T, most T, all bigen.Gen[T],
) ruled {
	s := scale[T]{
		of: of, next: next, compare: cmp.Compare[T], least: -most, most: most, all: all,
		between: bigen.FloatRange[T],
	}
	if !r.on(8) { // finite
		s.below, s.above = []T{T(math.Inf(-1))}, []T{T(math.Inf(1))}
	} else {
		s.all = bigen.FloatRange(-most, most)
	}
	return s.ruled(r)
}

// A scale is ordered values, of which rules allow some.
type scale[T comparable] struct {
	of           func(v ruleValue) T
	next         func(v, to T) T // the value after v towards another
	compare      func(v, w T) int
	least, most  T
	below, above []T // further values, beyond these two
	all          bigen.Gen[T]
	between      func(lo, hi T) bigen.Gen[T]
}

// ruled makes the values that keep rules. It panics if there are none. If the lower bound is above
// the upper one, the values are on either side.
func (s scale[T]) ruled(r rules) ruled {
	values := func(rules ...protowire.Number) (list []T) {
		for _, number := range rules {
			for _, v := range r.fields[number] {
				list = append(list, s.of(v))
			}
		}
		return list
	}
	upper, lower := values(2, 3), values(4, 5)
	fits := func(v T) bool {
		under, over := true, true
		for _, w := range values(2) {
			under = under && s.compare(v, w) < 0
		}
		for _, w := range values(3) {
			under = under && s.compare(v, w) <= 0
		}
		for _, w := range values(4) {
			over = over && s.compare(v, w) > 0
		}
		for _, w := range values(5) {
			over = over && s.compare(v, w) >= 0
		}
		if upper != nil && lower != nil && s.compare(upper[0], lower[0]) < 0 {
			return under || over
		}
		return under && over
	}
	made := ruled{}
	if not := values(7); not != nil {
		made.checks = []check{{"not_in", func(v any) bool { return !slices.Contains(not, v.(T)) }}}
	}
	if listed := values(1, 6); listed != nil {
		listed = slices.DeleteFunc(listed, func(v T) bool {
			return !fits(v) || values(1) != nil && v != values(1)[0] ||
				values(6) != nil && !slices.Contains(values(6), v)
		})
		if len(listed) == 0 {
			panic("they exclude each other: no listed value keeps all of them")
		}
		made.gen = bigen.Any(bigen.OneOf(listed...))
		return made
	}
	if upper == nil && lower == nil {
		if s.compare(s.least, s.most) > 0 {
			panic("they exclude each other: no value is in the range")
		}
		made.gen = bigen.Any(s.all)
		return made
	}
	// Each side has a range, and what is beyond it.
	from, to := s.bound(r, lower, 4, s.most), s.bound(r, upper, 2, s.least)
	var alts []bigen.Alt[T]
	var only bigen.Gen[T]
	add := func(tag string, lo, hi *T, beyond []T) {
		if s.above == nil && lo != nil && hi != nil { // then all values are from the least to the most
			lo, hi = s.clamp(lo, s.least, 1), s.clamp(hi, s.most, -1)
		}
		if lo != nil && hi != nil && s.compare(*lo, *hi) <= 0 {
			only = s.between(*lo, *hi)
			alts = append(alts, bigen.Tag(tag, only))
		}
		if len(beyond) > 0 {
			only = bigen.OneOf(beyond...)
			alts = append(alts, bigen.Tag(tag+" all", only).Weight(.05))
		}
	}
	if lower != nil && upper != nil && s.compare(upper[0], lower[0]) >= 0 {
		add("between", from, to, nil)
	} else {
		if upper != nil {
			add("below", &s.least, to, s.below)
		}
		if lower != nil {
			add("above", from, &s.most, s.above)
		}
	}
	switch len(alts) {
	case 0:
		panic("they exclude each other: no value is in the range")
	case 1:
		made.gen = bigen.Any(only)
	default:
		made.gen = bigen.Any(bigen.Pick(alts...))
	}
	return made
}

// clamp returns a bound, or another one if it is on the side of it that a sign says.
func (s scale[T]) clamp(bound *T, limit T, sign int) *T {
	if s.compare(limit, *bound) == sign {
		return &limit
	}
	return bound
}

// bound returns the first value within a bound, seen from there toward another value, or nil if
// the bound is exclusive and that is the value.
func (s scale[T]) bound(r rules, bounds []T, exclusive protowire.Number, toward T) *T {
	if bounds == nil {
		return &toward
	}
	v := bounds[0]
	if r.has(exclusive) {
		if s.compare(v, toward) == 0 {
			return nil
		}
		v = s.next(v, toward)
	}
	return &v
}
