//go:build traces

package rltrial

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
}

func init() {
	newTracer = func() Tracer {
		first := unsafe.Pointer(&firstCounter)
		counts := unsafe.Slice((*byte)(first), uintptr(unsafe.Pointer(&endCounter))-uintptr(first))
		if len(counts) == 0 {
			panic("no code is instrumented")
		}
		return counters{counts}
	}
}

// bucket returns the bucket, 1 to 8, of a count above 0, by RLCheck, section 5.1: counts that are
// equal rounded down to a power of two are taken for equal.
func bucket(count byte) int { return bits.Len8(count) }

// Start begins a run.
func (c counters) Start() { clear(c.counts) }

// Stop returns a hash of the code executed since Start.
func (c counters) Stop() uint64 {
	h := uint64(0)
	for i := 0; i < len(c.counts); i += 8 {
		var eight [8]byte
		n := copy(eight[:], c.counts[i:])
		if binary.NativeEndian.Uint64(eight[:]) == 0 {
			continue
		}
		for j, count := range eight[:n] {
			if count != 0 {
				h = bits.RotateLeft64((h^uint64(i+j)<<8^uint64(bucket(count)))*0x9e3779b97f4a7c15, 29)
			}
		}
	}
	return h
}
