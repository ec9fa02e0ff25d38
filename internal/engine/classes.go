package engine

import (
	"math/bits"
	"sync/atomic"
)

// profileBits is the binary logarithm of how many classes of comparisons there are.
const profileBits = 21

// A Profile is a set of classes of comparisons that executions have made: the value
// profile of libFuzzer. The class of a comparison is its place in the code and how far its
// operands are apart. So an input that comes nearer to an equality than all before shows,
// although it reaches no other code. Any number of goroutines may note comparisons.
//
// Classes are known by a hash, so some coincide.
type Profile struct {
	seen  [1 << profileBits / 64]uint64
	fresh atomic.Int64
}

// Number notes a comparison of integers of so many bytes. It sees distances up to 31 as
// they are, with their sign. Longer ones count if an operand is constant, by their
// length in bits: variables are mostly far apart, as where something is sorted.
func (p *Profile) Number(site uint, a, b uint64, size uint8, constant bool) {
	shift := 64 - 8*uint(size)
	d := int64((a-b)<<shift) >> shift // the shorter way around
	class := uint64(d) & 63
	if d < -32 || d > 31 {
		if !constant {
			return
		}
		class = 64 + uint64(bits.Len64(uint64(d^d>>63)))
		if d < 0 {
			class += 64
		}
	}
	p.note(uint64(site), class)
}

// Text notes a comparison of strings: how long a beginning they have in common, and
// what the difference of their lengths is if that is small.
func (p *Profile) Text(site uint, a, b string) {
	n := 0
	for n < min(len(a), len(b), 63) && a[n] == b[n] {
		n++
	}
	p.note(uint64(site), uint64(n))
	p.note(uint64(site), 64+uint64(max(-32, min(31, len(a)-len(b)))&63))
}

func (p *Profile) note(site, class uint64) {
	h := (site*0x9E3779B97F4A7C15>>7 + class) & (1<<profileBits - 1)
	word, bit := &p.seen[h/64], uint64(1)<<(h%64)
	if atomic.LoadUint64(word)&bit == 0 && atomic.OrUint64(word, bit)&bit == 0 {
		p.fresh.Add(1)
	}
}

// Fresh returns how many classes have been noted for the first time since it was called
// last.
func (p *Profile) Fresh() int { return int(p.fresh.Swap(0)) }
