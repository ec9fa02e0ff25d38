package rl

import (
	"math/bits"
	"math/rand/v2"
)

// draw takes a slot by the weights of the prior.
func (d *decision) draw(r *rand.Rand) int {
	if d.prior != nil {
		w := *d.prior
		if slot := drawWeighted(&w, d.free, r); slot >= 0 {
			return slot
		}
	}
	n := uint64(bits.OnesCount16(d.free))
	k, _ := bits.Mul64(r.Uint64(), n)
	free := d.free
	for ; k > 0; k-- {
		free &= free - 1
	}
	return trailing(free)
}

// drawWeighted takes one of the free slots in proportion to its weight; -1 if all
// are 0.
func drawWeighted(w *[slots]float32, free uint16, r *rand.Rand) int {
	total := float32(0)
	for f := free; f != 0; f &= f - 1 {
		total += w[trailing(f)]
	}
	if !(total > 0) {
		return -1
	}
	x := float32(float32(r.Uint64()>>40) / (1 << 24) * total) // not fused with what follows, anywhere
	last := -1
	for f := free; f != 0; f &= f - 1 {
		i := trailing(f)
		if w[i] <= 0 {
			continue
		}
		last = i
		if x -= w[i]; x < 0 {
			break
		}
	}
	return last
}

func trailing(x uint16) int { return bits.TrailingZeros16(x) }
