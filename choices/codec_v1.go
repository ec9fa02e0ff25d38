package choices

import "github.com/espalier-go/espalier/internal/hash"

// The byte format, version 1.
//
// # Records
//
// An encoding is a sequence of records. A byte of 0x80 or more begins a record. The bytes
// below 0x80 after it are its digits.
//
//	10hhhhhh 0hhhhhhh digit*   the answer to the question whose address is hhhhhhhhhhhhh
//	11sxxxxx digit*            an edit
//	10sxxxxx                   an edit, if no digit follows
//
// For example, node(5, node(4, leaf), leaf) is four records:
//
//	ba 4f   0d   0a      ad 27   0d   08      9f 2c   55      8a 6a   55
//	└─┬─┘   │    │       └─┬─┘   │    │       └─┬─┘   │       └─┬─┘   │
//	  │    node  5         │    node  4         │    leaf       │    leaf
//	address of         of the left        of the left     of the right
//	the root           subtree            of the left     subtree
//
// The address of a question is a 13-bit hash of its kind and of the slots that lead to it
// ([Question.Path]). It does not depend on the answers given on the way. If several
// records have the address, the first one that is not yet used answers.
//
// # Digits
//
// The digits of an answer mean, by the kind of the question:
//
//   - Pick: The first digit is a 7-bit hash of the tag taken. If several alternatives have
//     that hash, the rank of the one taken among them follows, in base 64, least digit
//     first, with 0x40 set on all digits but the last. If no alternative has the hash, the
//     pick is answered at random, but not with an alternative whose hash differs in one
//     bit. A record without digits answers nothing.
//   - Int: The integer, zigzag-coded, in base 128, least digit first, without leading
//     zeros. Uint likewise, but not zigzag-coded. A number out of range is reduced into
//     the range.
//   - Text: A digit below 127 is the rune itself. 127 announces a rune in three base-128
//     digits, least digit first. What is not a rune becomes U+FFFD. [Question.FitText]
//     makes a text fit that has too few runes or runes of another alphabet.
//
// If the first question below a Pick, before any other, is an Int, Uint or Text, its
// digits follow the digits of the Pick in the same record, whatever its slot.
//
// # Edits
//
// An edit directly before an answer regenerates that answer, unless the edit has served as
// a seed (see below). The new answer is another one, and its random bits are a hash of the
// bytes of the edit. If it answers a Pick and s is set, all below the Pick is regenerated
// as well. Digits of the record of a Pick that no question reads edit the next number or
// text that has a record. So most bytes that the engine inserts change the value in one
// place or let it grow. Encode never writes edits: encoding the tree of a run writes their
// results.
//
// # Seeds
//
// A question that no record answers is answered at random, with the generator's own
// distribution. The random bits depend on its path and on a seed. The seed is the record
// after the last one that answered or served as a seed, whatever its first byte; if it is
// a single byte, the next record belongs to the seed, too. If there is no such record, or
// if the question's own record has no digits, the latest seed or edit of a subtree serves
// again.
//
// So bytes that are not an encoding decode to what the generator makes at random. If a
// mutation breaks the record of a question, the bytes of the broken record determine a new
// answer to it, and all other questions keep their answers. If the third byte of the seed
// is the hash of the tag of an alternative, another alternative is taken: most likely, the
// record was to answer this question, but its address is broken.
//
// Once 1024 of the alternatives that a value has taken at random, by a seed or below an edit
// of a subtree, were other than the first of their picks, a Pick that no record answers
// takes its first alternative, unless that has weight 0 or the Pick is a step of a sequence
// ([Question.Steps]). So bytes that leave much open stand for a value of finite size, whatever the
// weights of the generator.
//
// # Versions
//
// Encodings of version 1 are empty or begin with a byte of 0x80 or more. Bytes below 0x80
// at the beginning are reserved for later versions. Version 1 reads them as a record
// without an address, or as an edit if it is a single byte.

const (
	recordBit = 0x80 // set on the first byte of a record
	editBit   = 0x40 // set there too if the record is an edit
	digitBits = 7    // of a tag's code, too
	addrBits  = 13
	moreBit   = 0x40 // set on all digits of a rank but the last
	runeMark  = 127
)

// address returns the 13-bit address of a question of kind k at path.
func address(path uint64, k Kind) uint16 {
	return uint16(hash.Mix(path, uint64(k)) >> (64 - addrBits))
}

// header returns the two bytes that begin the record with address a.
func header(a uint16) uint16 { return recordBit<<8 | a>>digitBits<<8 | a&(1<<digitBits-1) }

// addressIn returns the address in the header that b begins with.
func addressIn(b []byte) uint16 {
	return uint16(b[0])<<digitBits&(1<<addrBits-1) | uint16(b[1])&(1<<digitBits-1)
}
