// Package chance holds what the sources of package choices, and of the packages below it, share
// when they invent answers: random words, random runes, and bounds on what chance may do.
//
// Values of seeds and of bytes depend on it: what it draws must never change.
package chance

import (
	"math/bits"

	"github.com/espalier-go/espalier/internal/hash"
)

// Words is a stream of random words that is cheap to start: splitmix64.
type Words uint64

// Next returns the next word.
func (w *Words) Next() uint64 {
	*w += 0x9E3779B97F4A7C15
	return hash.Mix(uint64(*w), 0)
}

// Below returns a number from 0 to n-1.
func (w *Words) Below(n int) int {
	hi, _ := bits.Mul64(w.Next(), uint64(n))
	return int(hi)
}
