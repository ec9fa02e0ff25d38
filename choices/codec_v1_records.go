package choices

import (
	"encoding/binary"
	"math/bits"
)

// records are the records of an input. The first stands for no record and has no digits.
type records struct {
	all   []record
	first []int32 // by the low bits of the address: the first unused record, or 0
	none  int32   // 0
	rest  int32   // the first record that is not an answer
	next  int     // record that serves as the next seed
}

type record struct {
	start, end int
	next       int32 // the next one with the same low bits of the address, or 0
	address    uint16
}

// maxRecords bounds the records of one input that are read. It is several times as many as
// the largest value needs.
const maxRecords = 1 << 18

// fewBytes is how many bytes are indexed in a small table.
const fewBytes = 1 << 12

// index indexes the records of b, up to the padding.
func (x *records) index(b []byte) {
	size := len(b) - len(padding)
	places := 1 << addrBits // so many that no two addresses share one
	if size < fewBytes {
		places = 1 << 10
	}
	x.all, x.first, x.next = make([]record, 1, 2+size/3), make([]int32, places), 1
	x.all[0] = record{start: size, end: size + 2}
	for pos := 0; pos < size && len(x.all) <= maxRecords; {
		end := endOfDigits(b, pos+1)
		x.all = append(x.all, record{start: pos, end: end})
		pos = end
	}
	for i := len(x.all) - 1; i > 0; i-- {
		r := &x.all[i]
		answers := equal(recordBit, uint64(b[r.start])&(recordBit|editBit))
		answers &= nonzero(uint64(r.end - r.start - 1))
		r.address = addressIn(b[r.start:])
		first := [2]*int32{&x.rest, x.place(r.address)}[answers]
		r.next, *first = *first, int32(i)
	}
}

// take returns the index of the first unused record with an address, which it uses up, or 0 if
// there is none, or if looks is 0.
func (x *records) take(address uint16, looks uint64) int32 {
	x.all[0].address = address // ends the search
	first := [2]*int32{&x.none, x.place(address)}[looks]
	for x.all[*first].address != address {
		first = &x.all[*first].next
	}
	i := *first
	*first = x.all[i].next
	return i
}

func (x *records) place(address uint16) *int32 { return &x.first[int(address)&(len(x.first)-1)] }

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

func pad(b []byte) []byte {
	padded := make([]byte, len(b), len(b)+len(padding))
	copy(padded, b)
	return append(padded, padding...)
}

// padding ends the last record. Beyond, eight bytes can be read at once.
const padding = "\xff\xff\xff\xff\xff\xff\xff\xff"
