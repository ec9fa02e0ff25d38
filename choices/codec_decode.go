package choices

import "math/bits"

// bytesSource reads the byte format. As long as each question finds its record
// next in line, as in every canonical encoding, it is a cursor; from the first
// that does not on, the rest of the records is indexed by address.
type bytesSource struct {
	b     []byte
	pos   int     // start of the first record that is not used, until records is set
	rider []byte  // what is left of the last pick's digits,
	ride  bool    // to be used by the next question if that is no pick
	seed  uint64  // hash of the last record that served as a seed
	index *byAddr // nil as long as pos says it all
}

// byAddr lists records by address.
type byAddr struct {
	records []record
	heads   []int32 // for each hash of an address, the first unused record, or -1
	next    int     // record that serves as the next seed
}

type record struct {
	start, digits, end int // offsets
	addr               uint16
	next               int32 // the next record with the same hash, or -1
}

const noAddr = 1 << addrBits

// maxRecords bounds the records of one input that count, several times more than
// the largest value asks for.
const maxRecords = 1 << 18

// FromBytes answers questions from any bytes, without error: see the comment on
// the byte format in codec.go. It does not change b, and keeps it.
func FromBytes(b []byte) Source { return &bytesSource{b: b} }

func (s *bytesSource) Pick(q *Question) int {
	s.ride = false
	if len(q.Alts) == 1 {
		return 0
	}
	path := q.Path()
	digits, ok := s.take(address(path, Pick))
	if !ok || len(digits) == 0 {
		return drawPick(q.Alts, -1, s.word(path, ok))
	}
	code, rest := digits[0], digits[1:]
	n, peers, near := -1, uint64(0), -1
	for i := range q.Alts {
		switch c := q.Alts[i].code; {
		case c == code:
			if peers == 0 {
				n = i
			}
			peers++
		case bits.OnesCount8(c^code) == 1 && near < 0:
			near = i
		}
	}
	if peers == 0 {
		n = drawPick(q.Alts, near, mix(path, uint64(code)))
	}
	if peers > 1 {
		var r uint64
		r, rest = rank(rest)
		for r %= peers; r > 0; r-- {
			for n++; q.Alts[n].code != code; n++ {
			}
		}
	}
	s.rider, s.ride = rest, true
	return n
}

func (s *bytesSource) Leave() { s.ride = false }

func (s *bytesSource) Int(q *Question) int64 {
	digits, word, ok := s.leaf(q)
	if !ok {
		return drawInt(q, word)
	}
	u := number(digits)
	if q.Kind == Uint {
		return Uint.wrap(int64(u), q.Lo, q.Hi)
	}
	return Int.wrap(unzigzag(u), q.Lo, q.Hi)
}

func (s *bytesSource) Text(q *Question) string {
	digits, word, ok := s.leaf(q)
	if !ok {
		return drawText(q, word)
	}
	return q.FitText(text(digits, q.Max))
}

// leaf returns the digits that answer q or, if there are none, random bits.
func (s *bytesSource) leaf(q *Question) (digits []byte, word uint64, ok bool) {
	if s.ride {
		s.ride = false
		return s.rider, 0, true
	}
	path := q.Path()
	if digits, ok = s.take(address(path, q.Kind)); !ok {
		word = s.word(path, false)
	}
	return digits, word, ok
}

// take uses the first record with address a and returns its digits.
func (s *bytesSource) take(a uint16) ([]byte, bool) {
	if s.index == nil {
		i := s.pos
		if i >= len(s.b) {
			return nil, false
		}
		if i+1 < len(s.b) && s.b[i] == recordBit|byte(a>>digitBits) && s.b[i+1] == byte(a&(1<<digitBits-1)) {
			s.pos = endOfDigits(s.b, i+2)
			return s.b[i+2 : s.pos], true
		}
		s.index = newByAddr(s.b, i)
	}
	x := s.index
	link := &x.heads[int(a)&(len(x.heads)-1)]
	for ; *link >= 0; link = &x.records[*link].next {
		i := int(*link)
		if r := &x.records[i]; r.addr == a {
			*link = r.next
			x.next = max(x.next, i+1)
			return s.b[r.digits:r.end], true
		}
	}
	return nil, false
}

// word returns random bits for the question at path that no record answers. If
// its record was found, but empty, no further one serves as its seed.
func (s *bytesSource) word(path uint64, found bool) uint64 {
	if x := s.index; x != nil && !found && x.next < len(x.records) {
		s.seed = 0
		for n := 0; n < 2 && x.next < len(x.records); x.next++ {
			r := &x.records[x.next]
			for _, b := range s.b[r.start:r.end] {
				s.seed = mix(s.seed, uint64(b)+1)
				n++
			}
		}
	}
	return mix(s.seed, path)
}

// newByAddr indexes the records of b[pos:].
func newByAddr(b []byte, pos int) *byAddr {
	n := 1
	for _, x := range b[pos:] {
		n += int(x / recordBit)
	}
	n = min(n, maxRecords)
	size := 16
	for size < 2*n && size < 1<<addrBits {
		size *= 2
	}
	x := &byAddr{records: make([]record, 0, n), heads: make([]int32, size)}
	for pos < len(b) && len(x.records) < maxRecords {
		r := record{start: pos, digits: pos + 1, addr: noAddr}
		if b[pos] < seedBit|recordBit && b[pos] >= recordBit && pos+1 < len(b) && b[pos+1] < recordBit {
			r.addr = uint16(b[pos]&^recordBit)<<digitBits | uint16(b[pos+1])
			r.digits = pos + 2
		}
		pos = endOfDigits(b, r.digits)
		r.end = pos
		x.records = append(x.records, r)
	}
	for i := range x.heads {
		x.heads[i] = -1
	}
	for i := len(x.records) - 1; i >= 0; i-- {
		if r := &x.records[i]; r.addr != noAddr {
			head := &x.heads[int(r.addr)&(size-1)]
			r.next, *head = *head, int32(i)
		}
	}
	return x
}

// endOfDigits returns the index of the first byte from i on that begins a record.
func endOfDigits(b []byte, i int) int {
	for i < len(b) && b[i] < recordBit {
		i++
	}
	return i
}
