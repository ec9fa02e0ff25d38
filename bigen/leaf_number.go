package bigen

import (
	"unsafe"

	"github.com/espalier-go/espalier/internal/hash"
)

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
	return Gen[I]{op: edgeIntOp[I]{}, lo: int64(lo), hi: int64(hi)}
}

type edgeIntOp[I Integer] struct{ intOp[I] }

func (g edgeIntOp[I]) forward(c *C, lo, hi int64, u unsafe.Pointer) {
	c.q.Edges = true
	g.intOp.forward(c, lo, hi, u)
	c.q.Edges = false
}

func (g edgeIntOp[I]) backward(c *C, lo, hi int64, u unsafe.Pointer) bool {
	ok := g.intOp.backward(c, lo, hi, u)
	if ok && c.pack != nil {
		c.pack.questions[len(c.tree)-1].Edges = true
	}
	return ok
}

// Complex makes any complex number of the type Z. Its parts are those that [Float]
// makes with the same options.
func Complex[Z ~complex64 | ~complex128](opts ...FloatOption) Gen[Z] {
	if unsafe.Sizeof(Z(0)) == 8 {
		return Gen[Z]{op: &complexOp[Z, float32]{Float[float32](opts...)}}
	}
	return Gen[Z]{op: &complexOp[Z, float64]{Float[float64](opts...)}}
}

type complexOp[Z ~complex64 | ~complex128, F float32 | float64] struct{ part Gen[F] }

// parts returns the real and the imaginary part of *p. A complex number is laid out
// as two floats; the built-in functions do not take a Z, and converting it would
// change the bits of some NaNs.
func (*complexOp[Z, F]) parts(p *Z) *[2]F { return (*[2]F)(unsafe.Pointer(p)) }

func (g *complexOp[Z, F]) forward(c *C, _, _ int64, u unsafe.Pointer) {
	p := (*Z)(u)
	at := c.at
	for i := range g.parts(p) {
		c.at.slot = hash.SubSlot(at.slot, uint32(i))
		makeBy(c, &g.part, &g.parts(p)[i])
	}
	c.at = at
}

func (g *complexOp[Z, F]) backward(c *C, _, _ int64, u unsafe.Pointer) bool {
	p := (*Z)(u)
	at := c.at
	defer func() { c.at = at }()
	for i, name := range []string{"real", "imag"} {
		c.at.slot = hash.SubSlot(at.slot, uint32(i))
		c.push(name, 0)
		ok := readBy(c, &g.part, &g.parts(p)[i])
		c.pop()
		if !ok {
			return false
		}
	}
	return true
}
