package bigen

import (
	"fmt"
	"math"
	mathbits "math/bits"
	"unsafe"
)

// The floats of a format are numbered in two ways. Their order is the order of their
// values: negative NaNs, -Inf, ..., -0 (which is -1), 0 (which is 0), ..., Inf,
// NaNs. Their code begins with those whose binary fractions are short.

// floatFormat is a binary format of IEEE 754.
type floatFormat struct{ mantissa, exponent int } // lengths in bits

var (
	format32 = floatFormat{23, 8}
	format64 = floatFormat{52, 11}
)

func formatOf[F ~float32 | ~float64]() floatFormat {
	if unsafe.Sizeof(F(0)) == 4 {
		return format32
	}
	return format64
}

// orderOf and floatAt are inverse to each other. Conversions between F and the
// type that it has for certain keep the bits, also of NaNs.
func orderOf[F ~float32 | ~float64](f F) int64 {
	if unsafe.Sizeof(f) == 4 {
		return int64(flip32(int32(math.Float32bits(float32(f)))))
	}
	return flip64(int64(math.Float64bits(float64(f))))
}

func floatAt[F ~float32 | ~float64](order int64) F {
	if unsafe.Sizeof(F(0)) == 4 {
		return F(math.Float32frombits(uint32(flip32(int32(order)))))
	}
	return F(math.Float64frombits(uint64(flip64(order))))
}

// flip turns sign and magnitude into two's complement and back.
func flip32(b int32) int32 { return b ^ b>>31&math.MaxInt32 }
func flip64(b int64) int64 { return b ^ b>>63&math.MaxInt64 }

// order returns the place of the float nearest to x.
func (f floatFormat) order(x float64) int64 {
	if f == format32 {
		return orderOf(float32(x))
	}
	return orderOf(x)
}

// value returns the float at a place, which is not a NaN, or a NaN.
func (f floatFormat) value(order int64) float64 {
	if f == format32 {
		return float64(floatAt[float32](order))
	}
	return floatAt[float64](order)
}

// text returns the float at a place as package fmt prints it.
func (f floatFormat) text(order int64) string {
	if f == format32 {
		return fmt.Sprint(floatAt[float32](order))
	}
	return fmt.Sprint(floatAt[float64](order))
}

// inf returns the place of +Inf; the place of -Inf is ^inf.
func (f floatFormat) inf() int64 { return (1<<f.exponent - 1) << f.mantissa }

// greatest returns the last place, of a NaN; the first is ^greatest.
func (f floatFormat) greatest() int64 { return 1<<(f.exponent+f.mantissa) - 1 }

// code and fromCode are inverse to each other. A code stands for the float that has
// its sign; codes of positive floats are ordered by
//
//  1. the exponent: 0, 1, 2 and so on, then -1, -2 and so on, then the exponent of zero and
//     the subnormal numbers, then the exponent of the infinities and NaNs;
//  2. the bits of the mantissa that stand for the integer part or, of a float below
//     1, its first 8 bits;
//  3. the other bits, in reverse order: so .0 comes first, then .5, .25, .75; and
//     the first NaN is a quiet one.
//
// Code 0 stands for 1. For -1 no code with its own sign is left: its code is the
// least.
func (f floatFormat) code(order int64) int64 {
	if order < 0 {
		if c := f.code(^order); c > 0 {
			return -c
		}
		return ^f.greatest()
	}
	field, mantissa := int(order>>f.mantissa), order&(1<<f.mantissa-1)
	bias := 1<<(f.exponent-1) - 1
	rank := field // of infinities and NaNs
	switch {
	case field < bias:
		rank = 2*bias - field
	case field <= 2*bias:
		rank = field - bias
	}
	return int64(rank)<<f.mantissa | f.reverse(mantissa, field-bias)
}

func (f floatFormat) fromCode(code int64) int64 {
	if code < 0 {
		return ^f.fromCode(-code & f.greatest())
	}
	rank, mantissa := int(code>>f.mantissa), code&(1<<f.mantissa-1)
	bias := 1<<(f.exponent-1) - 1
	field := rank
	switch {
	case rank <= bias:
		field = bias + rank
	case rank <= 2*bias:
		field = 2*bias - rank
	}
	return int64(field)<<f.mantissa | f.reverse(mantissa, field-bias)
}

// reverse reverses the last bits of a mantissa, see code.
func (f floatFormat) reverse(mantissa int64, exponent int) int64 {
	n := f.mantissa
	switch {
	case exponent < 0:
		n -= 8
	case exponent < 1<<(f.exponent-1):
		n = max(0, n-exponent)
	}
	last := mantissa & (1<<n - 1)
	return mantissa ^ last | int64(mathbits.Reverse64(uint64(last))>>(64-n))
}
