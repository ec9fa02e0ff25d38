package engine

import (
	"encoding/binary"
	"math/bits"
)

// Coverage is a set of coverage bits: for each counter, which powers of two it has
// reached, rounded down. The number of a bit, 8*counter+log2(power), is called
// a feature.
type Coverage struct {
	seen []byte // of each counter; padded to whole blocks
}

// block is how many counters are looked at together: most of them are zero.
const block = 32

// NewCoverage returns the empty set for n counters.
func NewCoverage(n int) *Coverage {
	return &Coverage{make([]byte, (n+block-1)/block*block)}
}

// Round returns the highest bit of a counter.
func Round(counter byte) byte { return byte(roundWord(uint64(counter))) }

// roundWord rounds eight counters.
func roundWord(w uint64) uint64 {
	w |= w >> 1 & 0x7f7f7f7f7f7f7f7f
	w |= w >> 2 & 0x3f3f3f3f3f3f3f3f
	w |= w >> 4 & 0x0f0f0f0f0f0f0f0f
	return w - w>>1&0x7f7f7f7f7f7f7f7f
}

// Merge adds known bits, one byte for each counter. Counters beyond the n of
// [NewCoverage] are ignored, here and by the other methods.
func (c *Coverage) Merge(known []byte) {
	for i, b := range known[:min(len(known), len(c.seen))] {
		c.seen[i] |= b
	}
}

// Bits returns the bits of each counter. They are the set's own.
func (c *Coverage) Bits() []byte { return c.seen }

// Fresh reports whether the counters have a bit that is not in the set.
func (c *Coverage) Fresh(counters []byte) bool {
	seen := c.seen
	for len(counters) >= block && len(seen) >= block {
		w0 := binary.LittleEndian.Uint64(counters)
		w1 := binary.LittleEndian.Uint64(counters[8:])
		w2 := binary.LittleEndian.Uint64(counters[16:])
		w3 := binary.LittleEndian.Uint64(counters[24:])
		if w0|w1|w2|w3 != 0 {
			if roundWord(w0)&^binary.LittleEndian.Uint64(seen) != 0 ||
				roundWord(w1)&^binary.LittleEndian.Uint64(seen[8:]) != 0 ||
				roundWord(w2)&^binary.LittleEndian.Uint64(seen[16:]) != 0 ||
				roundWord(w3)&^binary.LittleEndian.Uint64(seen[24:]) != 0 {
				return true
			}
		}
		counters, seen = counters[block:], seen[block:]
	}
	for i, b := range counters[:min(len(counters), len(seen))] {
		if b != 0 && Round(b)&^seen[i] != 0 {
			return true
		}
	}
	return false
}

// Has reports whether the set has a feature.
func (c *Coverage) Has(feature uint32) bool {
	i := int(feature / 8)
	return i < len(c.seen) && c.seen[i]>>(feature%8)&1 != 0
}

// Add adds the bits of the counters and returns how many of them are new.
func (c *Coverage) Add(counters []byte) (fresh int) {
	for i, b := range counters[:min(len(counters), len(c.seen))] {
		if b != 0 {
			if bit := Round(b); bit&^c.seen[i] != 0 {
				c.seen[i] |= bit
				fresh++
			}
		}
	}
	return fresh
}

// Features appends the features of the counters to dst, in ascending order.
func Features(counters []byte, dst []uint32) []uint32 {
	i := 0
	for ; i+8 <= len(counters); i += 8 {
		for w := roundWord(binary.LittleEndian.Uint64(counters[i:])); w != 0; w &= w - 1 {
			dst = append(dst, uint32(8*i+bits.TrailingZeros64(w)))
		}
	}
	for ; i < len(counters); i++ {
		if b := counters[i]; b != 0 {
			dst = append(dst, uint32(8*i+bits.Len8(b)-1))
		}
	}
	return dst
}
