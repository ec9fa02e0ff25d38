package choices

import (
	"encoding/binary"
	"math/bits"
)

// records are the records of an input, from some place on.
type records struct {
	all   []record
	first map[uint16]int32 // by address: 1 + the index of the first unused record
	next  int              // record that serves as the next seed
}

type record struct {
	start, end int
	next       int32 // 1 + the index of the next record with the same address, or 0
}

// maxRecords bounds the records of one input that are read. It is several times as many as
// the largest value needs.
const maxRecords = 1 << 18

// newRecords indexes the records of b[pos:], up to the padding.
func newRecords(b []byte, pos int) *records {
	x := &records{first: map[uint16]int32{}}
	for pos < len(b)-len(padding) && len(x.all) < maxRecords {
		end := endOfDigits(b, pos+1)
		x.all = append(x.all, record{start: pos, end: end})
		pos = end
	}
	for i := len(x.all) - 1; i >= 0; i-- {
		r := &x.all[i]
		h := [2]byte{1: recordBit} // not a header, if the record is not an answer
		copy(h[:], b[r.start:r.end])
		a := binary.BigEndian.Uint16(h[:])
		r.next = x.first[a]
		x.first[a] = int32(i) + 1
	}
	return x
}

// endOfDigits returns the index of the first byte, from i on, that begins a record.
func endOfDigits(b []byte, i int) int {
	w := recordsAt(b, i)
	for w == 0 {
		i += 8
		w = recordsAt(b, i)
	}
	return i + bits.TrailingZeros64(w)/8
}

// recordsAt returns those bits of the eight bytes at i that mark beginnings of records.
func recordsAt(b []byte, i int) uint64 {
	return binary.LittleEndian.Uint64(b[i:]) & (recordBit * 0x0101010101010101)
}
