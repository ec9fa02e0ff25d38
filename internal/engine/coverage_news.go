package engine

import "math/bits"

// News appends the features of the counters that are not in the set to dst.
func (c *Coverage) News(counters []byte, dst []uint32) []uint32 {
	for i, n := range counters[:min(len(counters), len(c.seen))] {
		if n == 0 {
			continue
		}
		if bit := Round(n); c.seen[i]&bit == 0 {
			dst = append(dst, uint32(8*i+bits.Len8(bit)-1))
		}
	}
	return dst
}

// HaveAll reports whether the counters have all of the features. Code that is reached more than
// once is reached.
func HaveAll(counters []byte, features []uint32) bool {
	for _, f := range features {
		i := int(f / 8)
		if i >= len(counters) || counters[i] == 0 || f%8 != 0 && Round(counters[i]) != 1<<(f%8) {
			return false
		}
	}
	return true
}

// AddAll adds features.
func (c *Coverage) AddAll(features []uint32) {
	for _, f := range features {
		if i := int(f / 8); i < len(c.seen) {
			c.seen[i] |= 1 << (f % 8)
		}
	}
}
