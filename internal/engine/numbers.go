package engine

import "math"

type numberOperator struct {
	name  string
	apply func(f *Field, r *random, given []uint64) (changed bool)
}

var numberOperators = [...]numberOperator{
	{"number: near", always((*Field).near)},
	{"number: flip", always((*Field).flip)},
	{"number: interesting", always((*Field).interesting)},
	{"number: any", always((*Field).any)},
	{"number: literal", (*Field).literal},
}

// always is an operator that changes any number, with nothing given.
func always(apply func(*Field, *random)) func(*Field, *random, []uint64) bool {
	return func(f *Field, r *random, _ []uint64) bool {
		apply(f, r)
		return true
	}
}

// literal sets a number that has been given.
func (f *Field) literal(r *random, given []uint64) bool {
	if len(given) == 0 {
		return false
	}
	u := given[r.n(len(given))]
	if f.kind.float() {
		f.setFloat(float64(int64(u)))
	} else {
		f.set(u)
	}
	return true
}

func (f *Field) near(r *random) {
	switch f.kind {
	case kindFloat32, kindFloat64:
		by := float64(1 + r.n(16))
		if r.oneIn(2) {
			by = math.Ldexp(by, r.n(40)-20)
		}
		if r.oneIn(2) {
			by = -by
		}
		f.setFloat(f.getFloat() + by)
	default:
		f.set(nearby(f.num, r))
	}
}

func (f *Field) flip(r *random) {
	f.set(f.num ^ 1<<r.n(f.kind.width()))
}

func (f *Field) interesting(r *random) {
	if f.kind.float() {
		f.setFloat(floats[r.n(len(floats))])
	} else {
		f.set(extreme(f.kind.width(), r))
	}
}

// any sets a number of any magnitude.
func (f *Field) any(r *random) {
	u := r.bits() >> r.n(64)
	if f.kind.float() && r.oneIn(2) {
		f.setFloat(float64(int64(u)))
		return
	}
	if r.oneIn(4) {
		u = -u
	}
	f.set(u)
}

func (f *Field) getFloat() float64 {
	if f.kind == kindFloat32 {
		return float64(math.Float32frombits(uint32(f.num)))
	}
	return math.Float64frombits(f.num)
}

func (f *Field) setFloat(v float64) {
	if f.kind == kindFloat32 {
		f.set(uint64(math.Float32bits(float32(v))))
	} else {
		f.set(math.Float64bits(v))
	}
}

// nearby returns a number that is usually a little more or less.
func nearby(u uint64, r *random) uint64 {
	by := uint64(1 + r.n(32))
	if r.oneIn(4) {
		by <<= r.n(60)
	}
	if r.oneIn(2) {
		return u - by
	}
	return u + by
}

// extreme returns a number of the given width that programs may have a reason to treat in a
// special way: it is small, a power of two or of ten, next to one of these, or such a number
// negated.
func extreme(width int, r *random) uint64 {
	var u uint64
	switch r.n(4) {
	case 0:
		u = uint64(r.n(17))
	case 1:
		u = 1
		for range r.n(20) {
			u *= 10
		}
	default:
		u = 1<<r.n(width) - 1 + uint64(r.n(3))
	}
	if r.oneIn(4) {
		u = -u
	}
	return u
}

var floats = [...]float64{
	0, math.Copysign(0, -1), 1, -1, 0.5, 0.1, 1e9, -1e9, 1 << 24, 1 << 53, 1<<53 + 1,
	math.MaxInt32, math.MaxInt64, math.MinInt64, math.MaxUint32, math.MaxFloat32, -math.MaxFloat32,
	math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat32, math.SmallestNonzeroFloat64,
	0x1p-1022,
	math.Inf(1), math.Inf(-1), math.NaN(),
}
