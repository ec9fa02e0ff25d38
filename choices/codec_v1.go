package choices

import (
	"encoding/binary"
	"unicode/utf8"

	"github.com/espalier-go/espalier/internal/hash"
)

// The byte format, version 1.
//
// An encoding is a sequence of records. A byte of 0x80 or more begins a record;
// bytes below 0x80 are its digits.
//
//	10hhhhhh 0hhhhhhh digit*   the answer to a question whose address is hhhhhhhhhhhhh
//	11sxxxxx digit*            an edit
//	10sxxxxx                   an edit, if no digit follows
//
// The address of a question is a 13-bit hash of its kind and of the slots that
// lead to it ([Question.Path]); it does not depend on the answers given on the
// way. Of several records with the address, the first not yet used answers.
// Digits mean, by the question's kind:
//
//   - Pick: the first digit is a 7-bit hash of the tag taken. If several
//     alternatives have that hash, the rank of the one taken among them follows,
//     in base 64, least digit first, 0x40 set on all but the last digit. A first
//     digit that is no alternative's hash makes the pick anew, avoiding an
//     alternative whose hash is one bit off. Without digits, the record answers
//     nothing.
//   - Int: the integer, zigzag-coded, in base 128, least digit first, without
//     leading zeros. Uint likewise, not zigzag-coded. A number out of range is
//     reduced into it.
//   - Text: a digit below 127 is the rune itself; 127 announces a rune in three
//     base-128 digits, least digit first. What is no rune is U+FFFD. A text with
//     too few runes or with runes of another alphabet is made to fit
//     ([Question.FitText]).
//
// If the first question below a Pick, before any other, is an Int, Uint or Text,
// its digits follow those of the Pick in the same record, whatever its slot.
//
// An edit directly before an answer, unless it has been a seed (see below), has that
// answer made anew: the random bits are a hash of the edit's bytes, and the answer is
// another one. If that answers a Pick and s is set, all below it is made anew as well.
// Digits of a Pick's record that nothing reads edit the next number or text that has a
// record. So most bytes that the engine inserts change the value in one place, or let
// it grow. An encoding has no edits; encoding the tree again leaves their results.
//
// A question that no record answers is answered at random, with the generator's
// own distribution. The random bits depend on its path and on one record, its
// seed: the record behind the last that answered or served as a seed, whatever
// its first byte says, and the next one with it if it is a single byte; where there
// is none left, or the question's own record has no digits, the latest seed, or edit
// of a subtree, serves again. So
// bytes that are no encoding at all decode to what the generator makes at random,
// and a question whose record a mutation has broken is answered anew from the
// broken record's bytes, while all others keep their answers. If the third byte of
// the seed is the hash of an alternative's tag, another one is taken: most likely
// the record was to answer this question, but its address is broken.
//
// Version 1 encodings are empty or begin with a byte of 0x80 or more. Bytes below
// it at the beginning count as a record without an address, a single one as an edit,
// and are reserved for telling later versions.

const (
	recordBit = 0x80 // set on the first byte of a record
	seedBit   = 0x40 // set there too if the record is an edit
	digitBits = 7
	addrBits  = 13
	moreBit   = 0x40 // set on all digits of a rank but the last
	runeMark  = 127
)

// address returns the 13-bit address of a question of kind k at path.
func address(path uint64, k Kind) uint16 { return uint16(hash.Mix(path, uint64(k)) >> (64 - addrBits)) }

// tagCode returns the 7-bit hash of a tag.
func tagCode(tag string) uint8 {
	h := hash.FNV32(tag)
	return uint8((h ^ h>>15) * 0x2C1B3C6D >> (32 - digitBits))
}

// Encode returns the bytes whose decoding, with the generator that recorded t,
// repeats t. They are canonical: for any bytes b, encoding the tree that a run on
// FromBytes(b) records gives e, and a run on FromBytes(e) records the same tree.
//
// A tree that an edit has changed must be run through [Replay] first, and the
// tree recorded by that run encoded.
func Encode(t Tree) []byte {
	e := encoder{out: make([]byte, 0, 4*len(t))}
	for i := range t {
		e.add(i, &t[i])
	}
	return e.out
}

type encoder struct {
	out    []byte
	branch uint64 // path of the pick whose branch is being written
	end    int    // where that branch ends
	outer  []openPick
	rider  int // until this index, the next answer goes into the last record
}

type openPick struct {
	branch uint64
	end    int
}

func (e *encoder) add(i int, c *Choice) {
	for i >= e.end && len(e.outer) > 0 {
		last := len(e.outer) - 1
		e.branch, e.end, e.outer = e.outer[last].branch, e.outer[last].end, e.outer[:last]
	}
	path := subPath(e.branch, c.Slot, c.Index)
	if c.Kind == Pick {
		e.rider = 0
		if c.Asked() {
			e.header(path, Pick)
			e.out = append(e.out, tagCode(c.Tag))
			if c.Peers > 1 {
				e.out = appendRank(e.out, int(c.Rank))
			}
			e.rider = i + int(c.Size)
		}
		e.outer = append(e.outer, openPick{e.branch, e.end})
		e.branch, e.end = path, i+int(c.Size)
		return
	}
	if !c.Asked() {
		return
	}
	if i >= e.rider {
		e.header(path, c.Kind)
	}
	e.rider = 0
	switch c.Kind {
	case Int:
		e.out = appendNumber(e.out, zigzag(c.N))
	case Uint:
		e.out = appendNumber(e.out, uint64(c.N))
	case Text:
		e.out = appendText(e.out, c.Tag)
	}
}

func (e *encoder) header(path uint64, k Kind) {
	e.out = binary.BigEndian.AppendUint16(e.out, header(address(path, k)))
}

// header returns the two bytes that begin the record with address a.
func header(a uint16) uint16 { return recordBit<<8 | a>>digitBits<<8 | a&(1<<digitBits-1) }

func zigzag(n int64) uint64   { return uint64(n<<1) ^ uint64(n>>63) }
func unzigzag(u uint64) int64 { return int64(u>>1) ^ -int64(u&1) }

func appendRank(out []byte, n int) []byte {
	for ; n >= moreBit; n >>= 6 {
		out = append(out, moreBit|byte(n&(moreBit-1)))
	}
	return append(out, byte(n))
}

func appendNumber(out []byte, u uint64) []byte {
	for ; u > 0; u >>= digitBits {
		out = append(out, byte(u&(1<<digitBits-1)))
	}
	return out
}

func appendText(out []byte, s string) []byte {
	for _, r := range s {
		if r < runeMark {
			out = append(out, byte(r))
		} else {
			out = append(out, runeMark, byte(r&127), byte(r>>7&127), byte(r>>14&127))
		}
	}
	return out
}

// rank reads a rank from the digits d and returns the digits behind it.
func rank(d []byte) (n uint64, rest []byte) {
	for i, x := range d {
		n |= uint64(x&(moreBit-1)) << (6 * i)
		if x < moreBit || i == 9 {
			return n, d[i+1:]
		}
	}
	return n, nil
}

// number reads all of d. Digits beyond 64 bits count, too.
func number(d []byte) uint64 {
	var b [10]byte
	if copy(b[:], d) < len(d) {
		return hashBytes(d)
	}
	u := binary.LittleEndian.Uint64(b[:]) & 0x7f7f7f7f7f7f7f7f // eight digits, pushed together
	u = u&0x007f007f007f007f | u&0x7f007f007f007f00>>1
	u = u&0x00003fff00003fff | u&0x3fff00003fff0000>>2
	u = u&0x000000000fffffff | u&0x0fffffff00000000>>4
	return u | uint64(b[8])<<56 ^ uint64(b[9])<<63 ^ uint64(b[9]>>1)
}

// text reads at most limit runes from d.
func text(d []byte, limit int) string {
	out := make([]byte, 0, min(len(d), limit))
	for ; limit > 0 && len(d) > 0; limit-- {
		r := rune(d[0])
		n := 1
		if r == runeMark {
			r = 0
			for n < 4 && n < len(d) {
				r |= rune(d[n]) << (digitBits * (n - 1))
				n++
			}
		}
		out, d = utf8.AppendRune(out, r), d[n:]
	}
	return string(out)
}
