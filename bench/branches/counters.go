//go:build traces

package branches

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// The bounds of the counters of the code compiled with -d=libfuzzer. The linker defines
// these names.
//
//go:linkname firstCounter internal/fuzz._counters
//go:linkname endCounter internal/fuzz._ecounters
var firstCounter, endCounter [0]byte

// counters count how often a run takes each branch of the code compiled with -d=libfuzzer. The
// binary must be linked with -checklinkname=0.
type counters struct {
	counts []byte
	added  []bool
	trace  uint64 // or 0 if it is not known
}

func init() {
	New = func() Tracer {
		first := unsafe.Pointer(&firstCounter)
		counts := unsafe.Slice((*byte)(first), uintptr(unsafe.Pointer(&endCounter))-uintptr(first))
		if len(counts) == 0 {
			panic("no code is instrumented")
		}
		return &counters{counts: counts, added: make([]bool, len(counts))}
	}
}

// bucket returns the bucket, 1 to 8, of a count above 0, by RLCheck, section 5.1: counts that are
// equal rounded down to a power of two are taken for equal.
func bucket(count byte) int { return bits.Len8(count) }

// Start begins a run.
func (c *counters) Start() {
	clear(c.counts)
	c.trace = 0
}

// each calls f for each branch taken since Start.
func (c *counters) each(f func(i int, count byte)) {
	for i := 0; i < len(c.counts); i += 8 {
		var eight [8]byte
		n := copy(eight[:], c.counts[i:])
		if binary.NativeEndian.Uint64(eight[:]) == 0 {
			continue
		}
		for j, count := range eight[:n] {
			if count != 0 {
				f(i+j, count)
			}
		}
	}
}

// Trace returns a hash of the code executed since Start.
func (c *counters) Trace() uint64 {
	if c.trace == 0 {
		c.each(func(i int, count byte) {
			c.trace = bits.RotateLeft64(
				(c.trace^uint64(i)<<8^uint64(bucket(count)))*0x9e3779b97f4a7c15, 29)
		})
	}
	return c.trace
}

// Points returns the branches taken since Start, each with its bucket.
func (c *counters) Points() (points []int) {
	c.each(func(i int, count byte) { points = append(points, i<<4|bucket(count)) })
	return points
}

// Add adds the branches taken since Start to those of before.
func (c *counters) Add() { c.each(func(i int, _ byte) { c.added[i] = true }) }

// Added returns how many branches have been added.
func (c *counters) Added() (n int) {
	for _, yes := range c.added {
		if yes {
			n++
		}
	}
	return n
}
