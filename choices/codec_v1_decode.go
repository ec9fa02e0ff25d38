package choices

import (
	"cmp"
	"encoding/binary"
	"math/bits"

	"github.com/espalier-go/espalier/internal/hash"
)

// bytesSource reads version 1. While each question finds its record next in line, as in
// every canonical encoding, the source is a cursor. At the first question that does not,
// it indexes the remaining records by address.
//
// Under Go's fuzzer each block of this code is a coverage counter. A block that runs in
// proportion to something that differs between inputs makes inputs look new that are not.
// So there are few loops here, and few rare cases.
type bytesSource struct {
	b      []byte   // with a padding of eight bytes
	pos    int      // start of the first unused record, until index is set
	spare  []byte   // the last pick's digits that are left,
	join   bool     // for the next question to read unless it is a pick
	depth  int32    // number of picks around, from the root of a subtree that is regenerated; 0 outside
	edit   uint64   // hash of the bytes that edit the next number or text, or 0
	seed   uint64   // hash of the last record that served as a seed
	index  *records // nil while pos suffices
	drawn  *drawn   // records how an answer was drawn at random, unless nil
	supply supply   // of alternatives that no record names
}

// decodeV1 is [FromBytes]. Unless told is nil, the source records there how it drew each
// answer that b leaves open.
func decodeV1(b []byte, told *drawn) Source { return &bytesSource{b: pad(b), drawn: told} }

func pad(b []byte) []byte {
	padded := make([]byte, len(b), len(b)+len(padding))
	copy(padded, b)
	return append(padded, padding...)
}

// padding ends the last record. Beyond, eight bytes can be read at once.
const padding = "\xff\xff\xff\xff\xff\xff\xff\xff"

func (s *bytesSource) Pick(q *Question) int {
	s.closePick()
	if s.depth > 0 {
		s.depth++
		return s.supply.draw(q, s.drawPick(q.Alts, -1, hash.Mix(s.seed, q.Path())), mostDrawn)
	}
	if len(q.Alts) == 1 {
		return 0
	}
	path := q.Path()
	digits, edit, ok := s.take(address(path, Pick))
	if !ok || len(digits) == 0 {
		word, code := s.word(path, ok)
		return s.supply.draw(q, s.drawPick(q.Alts, withCode(q.Alts, code), word), mostDrawn)
	}
	n, rest := s.named(q.Alts, digits, path)
	s.spare, s.join = rest, true
	if edit == 0 {
		return n
	}
	if edit&1 != 0 { // and all below it
		s.join = false
		s.seed, s.depth = edit, 1
	}
	return s.drawPick(q.Alts, n, hash.Mix(edit, path))
}

// named returns the index of the alternative that digits name, or else a random one, and
// the digits behind.
func (s *bytesSource) named(alts []Alt, digits []byte, path uint64) (n int, rest []byte) {
	code, rest := digits[0], digits[1:]
	n, peers := -1, uint64(0)
	for i := range alts {
		if alts[i].code == code {
			if peers == 0 {
				n = i
			}
			peers++
		}
	}
	if peers == 1 {
		return n, rest
	}
	if peers == 0 {
		for i := range alts {
			if bits.OnesCount8(code^alts[i].code) == 1 {
				n = i
			}
		}
		return s.drawPick(alts, n, hash.Mix(path, uint64(code))), rest
	}
	r, rest := rank(rest)
	for r %= peers; r > 0; r-- {
		for n++; alts[n].code != code; n++ {
		}
	}
	return n, rest
}

func (s *bytesSource) drawPick(alts []Alt, avoid int, word uint64) int {
	s.drawn.by(word, avoid)
	return drawPick(alts, avoid, word)
}

// withCode returns the index of an alternative whose tag has the code, or -1.
func withCode(alts []Alt, code uint8) int {
	n := -1
	for i := range alts {
		if alts[i].code == code {
			n = i
		}
	}
	return n
}

func (s *bytesSource) Leave() {
	s.closePick()
	s.depth = max(0, s.depth-1)
}

// closePick ends the time in which a question may read the digits of the last pick's
// record. Digits that no question has read edit the next number or text, not the next
// pick: that would change more.
func (s *bytesSource) closePick() {
	if s.join && len(s.spare) > 0 {
		s.edit = hashBytes(s.spare) &^ 1
	}
	s.join = false
}

func (s *bytesSource) Int(q *Question) int64 {
	digits, edit, word, ok := s.leaf(q)
	if !ok {
		s.drawn.by(word, -1)
		return q.DrawInt(word)
	}
	n := number(digits)
	if q.Kind == Uint {
		n = uint64(Uint.wrap(int64(n), q.Lo, q.Hi))
	} else {
		n = uint64(Int.wrap(unzigzag(n), q.Lo, q.Hi))
	}
	if edit != 0 {
		return drawOther(q, int64(n), edit)
	}
	return int64(n)
}

func (s *bytesSource) Text(q *Question) string {
	digits, edit, word, ok := s.leaf(q)
	if !ok {
		s.drawn.by(word, -1)
		return q.DrawText(word)
	}
	t := q.FitText(text(digits, q.Max))
	if edit != 0 {
		return q.otherText(t, edit)
	}
	return t
}

// leaf returns the digits that answer q and the hash of what edits the answer. If no record
// answers, it returns random bits.
func (s *bytesSource) leaf(q *Question) (digits []byte, edit, word uint64, ok bool) {
	path := q.Path()
	switch {
	case s.join:
		s.join = false
		digits, ok = s.spare, true
	case s.depth > 0:
		return nil, 0, hash.Mix(s.seed, path), false
	default:
		digits, edit, ok = s.take(address(path, q.Kind))
	}
	if !ok {
		word, _ = s.word(path, false)
		return nil, 0, word, false
	}
	edit = cmp.Or(edit, s.edit)
	s.edit = 0
	return digits, edit, 0, true
}

// take uses up the first unused record with address a. It returns its digits and the hash
// of what edits the answer.
func (s *bytesSource) take(a uint16) (digits []byte, edit uint64, ok bool) {
	if s.index == nil {
		i := s.pos
		if binary.BigEndian.Uint16(s.b[i:]) == header(a) {
			s.pos = endOfDigits(s.b, i+2)
			return s.b[i+2 : s.pos], 0, true
		}
		s.index = newRecords(s.b, i)
	}
	x := s.index
	i := x.first[header(a)]
	if i == 0 {
		return nil, 0, false
	}
	r := &x.all[i-1]
	x.first[header(a)] = r.next
	unused := max(int(i)-2, min(x.next, int(i)-1)) // the record before r, or r itself if that has served as a seed
	x.next = max(x.next, int(i))
	before := s.b[x.all[unused].start:r.start]
	if len(before) == 1 || len(before) > 0 && before[0] >= recordBit|editBit {
		edit = hashBytes(before)&^1 | uint64(before[0]>>5&1)
	}
	return s.b[r.start+2 : r.end], edit, true
}

// word returns random bits for the question at path, which no record answers, and the third
// byte of the record that serves as its seed. If that record was to answer the question but
// has a broken address, the byte is the code of a tag. If found is set, the question has a
// record without digits, and no further record serves as its seed.
func (s *bytesSource) word(path uint64, found bool) (word uint64, code uint8) {
	code = recordBit
	if x := s.index; x != nil && !found && x.next < len(x.all) {
		r := x.all[x.next]
		more := int(1 / uint(r.end-r.start)) // 1 if it is a single byte, else 0
		x.next += 1 + more
		end := x.all[min(x.next, len(x.all))-1].end
		s.seed = hashBytes(s.b[r.start:end])
		code = s.b[r.start+2]
	}
	return hash.Mix(s.seed, path), code
}
