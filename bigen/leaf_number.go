package bigen

import "unsafe"

// Int makes any integer of the type I. Of random integers, half lie near zero, with
// all lengths in bits equally likely, and a quarter are edges: the least, the
// greatest, powers of two and their neighbors.
func Int[I Integer]() Gen[I] {
	if ^I(0) > 0 {
		return edgeRange(0, ^I(0))
	}
	least := I(1) << (8*unsafe.Sizeof(I(0)) - 1)
	return edgeRange(least, ^least)
}

// edgeRange is IntRange with the distribution of Int: it favors the ends,
// powers of two and what is near the simplest integer of the range.
func edgeRange[I Integer](lo, hi I) Gen[I] {
	return Gen[I]{u: rangeOf(intOp[I](true), int64(lo), int64(hi))}
}

// Complex makes any complex number of the type Z. Its parts are those that [Float]
// makes with the same options.
func Complex[Z ~complex64 | ~complex128](opts ...FloatOption) Gen[Z] {
	// A complex number is laid out as two floats.
	g := &arrayOp{len: 2, names: []string{"real", "imag"}}
	if unsafe.Sizeof(Z(0)) == 8 {
		part := Float[float32](opts...)
		g.elem = typedOf(&part)
	} else {
		part := Float[float64](opts...)
		g.elem = typedOf(&part)
	}
	return Gen[Z]{u: untyped{op: g}}
}
