package choices

import "github.com/espalier-go/espalier/internal/hash"

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
	digitBits = 7    // codeBits, too
	addrBits  = 13
	moreBit   = 0x40 // set on all digits of a rank but the last
	runeMark  = 127
)

var formatV1 = format{
	reads:  func([]byte) bool { return true },
	encode: encodeV1,
	decode: decodeV1,
}

// address returns the 13-bit address of a question of kind k at path.
func address(path uint64, k Kind) uint16 { return uint16(hash.Mix(path, uint64(k)) >> (64 - addrBits)) }

// header returns the two bytes that begin the record with address a.
func header(a uint16) uint16 { return recordBit<<8 | a>>digitBits<<8 | a&(1<<digitBits-1) }
