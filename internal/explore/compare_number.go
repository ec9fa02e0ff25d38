package explore

import (
	"math/bits"

	"github.com/espalier-go/espalier/choices"
)

// disguises are what code may have done to an integer before it was compared, and the
// inverse.
var disguises = [...]struct {
	to, from func(n uint64, size uint8) uint64
	cost     int
}{
	{same, same, 0},
	{plusOne, minusOne, 6},
	{minusOne, plusOne, 6},
	{negated, negated, 4},
	{swapped, swapped, 4},
}

func same(n uint64, _ uint8) uint64     { return n }
func plusOne(n uint64, _ uint8) uint64  { return n + 1 }
func minusOne(n uint64, _ uint8) uint64 { return n - 1 }
func negated(n uint64, _ uint8) uint64  { return -n }
func swapped(n uint64, size uint8) uint64 {
	return bits.ReverseBytes64(n) >> (64 - 8*size)
}

// number adds candidates for the integer c.
func (m *matcher) number(i int, c *choices.Choice) {
	n := uint64(c.N)
	for _, size := range sizes {
		mask := mask(size)
		for _, d := range disguises {
			for _, o := range m.find(size, d.to(n, size)&mask) {
				for _, s := range steps {
					low := d.from(o.other+s.by, size) & mask
					score := o.score - d.cost - s.cost
					last := n
					for _, to := range [...]uint64{signed(low, size), low, n&^mask | low} {
						if to != last && to != n && !outside(c, int64(to)) {
							m.add(i, choices.Mark{Kind: c.Kind, N: int64(to)}, o.site, score)
						}
						last = to
					}
				}
			}
		}
	}
}
