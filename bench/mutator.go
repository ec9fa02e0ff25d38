package main

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
)

// mutator mutates bytes as Go's own fuzzer does, except that an input's size is unbounded.
type mutator struct{ r *rand.Rand }

// maxMutations is the number of successive mutations before the engine starts again from
// the corpus entry. It runs the input after each.
const maxMutations = 5

// mutants returns the inputs that the engine runs before it starts again from the entry.
func (m mutator) mutants(b []byte) [][]byte {
	out := make([][]byte, maxMutations)
	for i := range out {
		b = m.mutate(b)
		out[i] = b
	}
	return out
}

// mutate returns b after one mutation.
func (m mutator) mutate(b []byte) []byte {
	for {
		if out := operators[m.r.IntN(len(operators))](m, slices.Clone(b)); out != nil {
			return out
		}
	}
}

// operators change their argument. They return nil if it is too short for them. All are
// equally likely.
var operators = []func(m mutator, b []byte) []byte{
	mutator.remove, mutator.insertRandom, mutator.duplicate, mutator.overwrite,
	mutator.flipBit, mutator.changeByte, mutator.swapBytes,
	arithmetic(1), arithmetic(2), arithmetic(4), arithmetic(8),
	constant(1, interesting8), constant(2, interesting16), constant(4, interesting32),
	mutator.insertConstant, mutator.overwriteConstant, mutator.shuffle, mutator.swapChunks,
}

// length returns the length of a chunk, from 1 to n, or 1 if n is 0. Most are at most 8.
func (m mutator) length(n int) int {
	most := n
	switch x := m.r.IntN(100); {
	case x < 90:
		most = min(8, n)
	case x < 99:
		most = min(32, n)
	}
	return 1 + m.r.IntN(max(1, most))
}

// two returns two different indices of b, whose length is at least 2.
func (m mutator) two(b []byte) (i, j int) {
	i, j = m.r.IntN(len(b)), m.r.IntN(len(b)-1)
	if j >= i {
		j++
	}
	return i, j
}

func (m mutator) remove(b []byte) []byte {
	if len(b) < 2 {
		return nil
	}
	i := m.r.IntN(len(b))
	return append(b[:i], b[i+m.length(len(b)-i):]...)
}

func (m mutator) insertRandom(b []byte) []byte {
	i := m.r.IntN(len(b) + 1)
	chunk := make([]byte, m.length(1024))
	for i := range chunk {
		chunk[i] = byte(m.r.Uint32())
	}
	return slices.Insert(b, i, chunk...)
}

func (m mutator) insertConstant(b []byte) []byte {
	if len(b) < 2 {
		return nil
	}
	i := m.r.IntN(len(b))
	chunk := make([]byte, m.length(4096))
	m.fill(chunk)
	return slices.Insert(b, i, chunk...)
}

func (m mutator) fill(b []byte) {
	x := byte(m.r.Uint32())
	for i := range b {
		b[i] = x
	}
}

func (m mutator) duplicate(b []byte) []byte {
	if len(b) < 2 {
		return nil
	}
	from, to := m.two(b)
	return slices.Insert(slices.Clone(b), to, b[from:from+m.length(len(b)-from)]...)
}

func (m mutator) overwrite(b []byte) []byte {
	if len(b) < 2 {
		return nil
	}
	from, to := m.two(b)
	n := m.length(len(b) - from - 1)
	copy(b[to:], b[from:from+n])
	return b
}

func (m mutator) overwriteConstant(b []byte) []byte {
	if len(b) < 2 {
		return nil
	}
	m.fill(m.chunk(b))
	return b
}

func (m mutator) shuffle(b []byte) []byte {
	if len(b) < 2 {
		return nil
	}
	chunk := m.chunk(b)
	if len(chunk) < 3 {
		return nil
	}
	m.r.Shuffle(len(chunk), func(i, j int) { chunk[i], chunk[j] = chunk[j], chunk[i] })
	return b
}

// chunk returns a part of b that is not empty.
func (m mutator) chunk(b []byte) []byte {
	i := m.r.IntN(len(b))
	return b[i : i+m.length(len(b)-i)]
}

func (m mutator) swapChunks(b []byte) []byte {
	if len(b) < 2 {
		return nil
	}
	i, j := m.two(b)
	i, j = min(i, j), max(i, j)
	n := m.length(len(b) - j - 1)
	if i+n >= j {
		return nil
	}
	for k := range n {
		b[i+k], b[j+k] = b[j+k], b[i+k]
	}
	return b
}

func (m mutator) flipBit(b []byte) []byte {
	if len(b) == 0 {
		return nil
	}
	b[m.r.IntN(len(b))] ^= 1 << m.r.IntN(8)
	return b
}

func (m mutator) changeByte(b []byte) []byte {
	if len(b) == 0 {
		return nil
	}
	b[m.r.IntN(len(b))] ^= byte(1 + m.r.IntN(255))
	return b
}

func (m mutator) swapBytes(b []byte) []byte {
	if len(b) < 2 {
		return nil
	}
	i, j := m.two(b)
	b[i], b[j] = b[j], b[i]
	return b
}

// arithmetic adds up to 35 to a number of the given bytes, or subtracts it.
func arithmetic(width int) func(mutator, []byte) []byte {
	return func(m mutator, b []byte) []byte {
		by := uint64(1 + m.r.IntN(35))
		if m.r.IntN(2) == 0 {
			by = -by
		}
		return m.number(b, width, func(u uint64) uint64 { return u + by })
	}
}

// constant sets a number of the given bytes to one of the values.
func constant(width int, values []int32) func(mutator, []byte) []byte {
	return func(m mutator, b []byte) []byte {
		v := values[m.r.IntN(len(values))]
		return m.number(b, width, func(uint64) uint64 { return uint64(v) })
	}
}

// number changes a number of the given bytes, in either byte order.
func (m mutator) number(b []byte, width int, change func(uint64) uint64) []byte {
	if len(b) < width {
		return nil
	}
	at := b[m.r.IntN(len(b)-width+1):][:width]
	var buf [8]byte
	if m.r.IntN(2) == 0 {
		copy(buf[:], at)
		binary.LittleEndian.PutUint64(buf[:], change(binary.LittleEndian.Uint64(buf[:])))
		copy(at, buf[:])
	} else {
		copy(buf[8-width:], at)
		binary.BigEndian.PutUint64(buf[:], change(binary.BigEndian.Uint64(buf[:])))
		copy(at, buf[8-width:])
	}
	return b
}

var (
	interesting8  = []int32{-128, -1, 0, 1, 16, 32, 64, 100, 127}
	interesting16 = append([]int32{-32768, -129, 128, 255, 256, 512, 1000, 1024, 4096, 32767}, interesting8...)
	interesting32 = append([]int32{math.MinInt32, -100663046, -32769, 32768, 65535, 65536, 100663045, math.MaxInt32}, interesting16...)
)
