package main

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

// counters distinguishes runs of a target by how often they take each branch, rounded down
// to a power of two (RLCheck, section 5.1).
type counters []byte

func newCounters() counters {
	first := unsafe.Pointer(&firstCounter)
	return unsafe.Slice((*byte)(first), uintptr(unsafe.Pointer(&endCounter))-uintptr(first))
}

// Start implements [rltrial.Tracer].
func (c counters) Start() { clear(c) }

// Stop implements [rltrial.Tracer].
func (c counters) Stop() uint64 {
	h := uint64(0)
	for i := 0; i < len(c); i += 8 {
		var eight [8]byte
		n := copy(eight[:], c[i:])
		if binary.NativeEndian.Uint64(eight[:]) == 0 {
			continue
		}
		for j, count := range eight[:n] {
			if count != 0 {
				h = mix(h, uint64(i+j)<<8|uint64(bits.Len8(count)))
			}
		}
	}
	return h
}

func mix(h, x uint64) uint64 {
	hi, lo := bits.Mul64(h^0x9e3779b97f4a7c15, x^0xd6e8feb86659fd93)
	return bits.RotateLeft64(hi^lo, 29)
}
