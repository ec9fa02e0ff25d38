package engine

import "math"

type numberOperator struct {
	name  string
	apply func(*Prober, *Field, *random) bool
}

var numberOperators = [...]numberOperator{
	{"number: near", (*Prober).numberNear},
	{"number: flip", (*Prober).numberFlip},
	{"number: interesting", (*Prober).numberInteresting},
	{"number: any", (*Prober).numberAny},
	{"number: scale", (*Prober).numberScale},
	{"number: constant", (*Prober).numberConstant},
	{"number: other", (*Prober).numberOther},
}

func (x *Prober) numberNear(f *Field, r *random) bool {
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
	return true
}

func (x *Prober) numberFlip(f *Field, r *random) bool {
	f.set(f.num ^ 1<<r.n(f.kind.width()))
	return true
}

func (x *Prober) numberInteresting(f *Field, r *random) bool {
	if f.kind.float() {
		f.setFloat(floats[r.n(len(floats))])
	} else {
		f.set(extreme(f.kind.width(), r))
	}
	return true
}

// numberAny sets a number of any magnitude.
func (x *Prober) numberAny(f *Field, r *random) bool {
	u := r.bits() >> r.n(64)
	if f.kind.float() && r.oneIn(2) {
		f.setFloat(float64(int64(u)))
		return true
	}
	if r.oneIn(4) {
		u = -u
	}
	f.set(u)
	return true
}

func (x *Prober) numberScale(f *Field, r *random) bool {
	by := 2 + r.n(15)
	switch {
	case f.kind.float() && r.oneIn(3):
		f.setFloat(-f.getFloat())
	case f.kind.float() && r.oneIn(2):
		f.setFloat(f.getFloat() / float64(by))
	case f.kind.float():
		f.setFloat(f.getFloat() * float64(by))
	case r.oneIn(3):
		f.set(-f.num)
	case r.oneIn(2) && f.kind.signed():
		f.set(uint64(int64(f.num) / int64(by)))
	case r.oneIn(2):
		f.set(f.num / uint64(by))
	default:
		f.set(f.num * uint64(by))
	}
	return true
}

// numberConstant sets one that the program has compared something with.
func (x *Prober) numberConstant(f *Field, r *random) bool {
	u, ok := x.comparer.numbers.pick(r)
	if !ok {
		return false
	}
	u += uint64(r.n(3)) - 1
	if f.kind.float() {
		f.setFloat(float64(int64(u)))
	} else {
		f.set(u)
	}
	return true
}

// numberOther sets one from this or another entry.
func (x *Prober) numberOther(f *Field, r *random) bool {
	from := x.work
	if r.oneIn(2) {
		from = x.members[r.n(len(x.members))].in
	}
	if len(from) == 0 {
		return false
	}
	g := &from[r.n(len(from))]
	if g.kind == kindOther || g.kind.text() || g.kind.float() != f.kind.float() || g.kind.float() && g.kind != f.kind {
		return false
	}
	f.set(g.num)
	return true
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

// nearby returns a number that is a little more or less, mostly.
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

// extreme returns a number of so many bits that programs may have a reason to treat
// in a special way: small, or a power of two or of ten, or beside one, or such a number negated.
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
	math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat32, math.SmallestNonzeroFloat64, 0x1p-1022,
	math.Inf(1), math.Inf(-1), math.NaN(),
}
