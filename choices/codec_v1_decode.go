package choices

import (
	"math/bits"

	"github.com/espalier-go/espalier/internal/chance"
	"github.com/espalier-go/espalier/internal/hash"
)

// bytesSource reads version 1.
//
// Under Go's fuzzer each block of this code is a coverage counter. A block that runs in
// proportion to something that differs between inputs makes inputs look new that are not.
// So what a question costs does not depend on the bytes: the answer of a record, an edit of it and
// an answer at random are all made, and arithmetic chooses. Conditions are numbers, 0 or 1.
type bytesSource struct {
	b      []byte // with a padding of eight bytes
	index  records
	spare  []byte        // the last pick's digits that are left
	join   uint64        // 1 for the next question to read spare, unless it is a pick
	depth  uint64        // enclosing picks, from the root of a regenerated subtree; 0 outside
	edit   uint64        // hash of the bytes that edit the next number or text, or 0
	seed   uint64        // hash of the last record that served as a seed
	drawn  *drawn        // records how an answer was drawn at random, unless nil
	supply chance.Supply // of alternatives that no record names
}

// decodeV1 is [FromBytes]. Unless told is nil, the source records there how it drew each
// answer that b leaves open.
func decodeV1(b []byte, told *drawn) Source {
	b = pad(b)
	s := &bytesSource{b: b, drawn: told}
	s.index.index(b)
	return s
}

func (s *bytesSource) Pick(q *Question) int {
	s.closePick()
	path, inside := q.Path(), nonzero(s.depth)
	s.depth += inside
	if len(q.Alts) == 1 {
		s.tell(inside, hash.Mix(s.seed, path), none)
		return 0
	}
	r, edit, found := s.take(path, Pick, 1-inside)
	word, seedCode := s.word(path, (1-inside)&(1-found))

	// What the record says, if it has digits.
	full := found & nonzero(uint64(r.end-r.start-2))
	code, rest := s.b[r.start+2], s.b[min(r.start+3, r.end):r.end]
	n, near, peers := named(q.Alts, code)
	if peers > 1 {
		n, rest = ranked(q.Alts, n, peers, rest)
	}
	unknown, other := 1-nonzero(peers), hash.Mix(path, uint64(code))
	n = choose(unknown, uint64(drawPick(q.Alts, int(near), other)), n)

	// Another alternative, if it has been edited, or if there is no such record.
	edit &= -full
	word = choose(full, hash.Mix(edit, path), word)
	avoid, _, _ := named(q.Alts, seedCode)
	avoid = choose(full, n, avoid)
	drawn, taken := drawPick(q.Alts, int(avoid), word), s.supply.Taken
	supplied := s.supply.Draw(drawn, chance.MostDrawn, q.bounded())
	s.supply.Taken = int(choose(full, uint64(taken), uint64(s.supply.Taken)))
	draws := nonzero(edit) | (1 - full)
	s.tell(full&unknown, other, near)
	s.tell(draws, word, avoid)
	answer := choose(draws, choose(full, uint64(drawn), uint64(supplied)), n)

	below := edit & 1 // it, too, is regenerated
	s.spare, s.join = rest, full-below
	s.seed = choose(below, edit, s.seed)
	s.depth += below
	return int(answer)
}

// none is the index of no alternative.
const none = ^uint64(0)

// tell records, if cond is 1, how an answer was drawn.
func (s *bytesSource) tell(cond, word, avoid uint64) {
	if s.drawn != nil && cond != 0 {
		s.drawn.by(word, int(avoid))
	}
}

// named returns the last alternative whose tag has a code, the last one whose code differs in one
// bit, and how many have the code.
func named(alts []Alt, code byte) (n, near, peers uint64) {
	n, near = none, none
	for i := range alts {
		same := equal(uint64(code), uint64(alts[i].Code))
		n = choose(same, uint64(i), n)
		near = choose(equal(1, uint64(bits.OnesCount8(code^alts[i].Code))), uint64(i), near)
		peers += same
	}
	return n, near, peers
}

// ranked returns which of several alternatives with the code of alts[last] the digits of a rank
// mean, and the digits after it.
func ranked(alts []Alt, last, peers uint64, digits []byte) (n uint64, rest []byte) {
	r, rest := rank(digits)
	n = last
	for left := peers - 1 - r%peers; left > 0; left-- {
		for n--; alts[n].Code != alts[last].Code; n-- {
		}
	}
	return n, rest
}

func (s *bytesSource) Leave() {
	s.closePick()
	s.depth -= nonzero(s.depth)
}

// closePick ends the time in which a question may read the digits of the last pick's
// record. Digits that no question has read edit the next number or text, not the next
// pick: that would change more.
func (s *bytesSource) closePick() {
	s.edit = choose(s.join&nonzero(uint64(len(s.spare))), hashBytes(s.spare)&^1, s.edit)
	s.join = 0
}

func (s *bytesSource) Int(q *Question) int64 {
	digits, edit, word, ok := s.leaf(q)
	s.tell(1-ok, word, none)
	u := number(digits)
	if q.Kind == Int {
		u = uint64(unzigzag(u))
	}
	n := wrap(u, uint64(q.Lo), uint64(q.Hi))
	n = choose(nonzero(edit), uint64(drawOther(q, int64(n), edit)), n)
	return int64(choose(ok, n, uint64(q.DrawInt(word))))
}

// wrap reduces an integer into a range.
func wrap(n, lo, hi uint64) uint64 {
	if hi-lo+1 == 0 {
		return n
	}
	return lo + (n-lo)%(hi-lo+1)
}

func (s *bytesSource) Text(q *Question) string {
	digits, edit, word, ok := s.leaf(q)
	if ok == 0 {
		s.tell(1, word, none)
		return q.DrawText(word)
	}
	t := q.FitText(text(digits, q.Max))
	if edit != 0 {
		return q.otherText(t, edit)
	}
	return t
}

// leaf returns the digits that answer q and the hash of what edits the answer, or 0. If no record
// answers, it returns random bits.
func (s *bytesSource) leaf(q *Question) (digits []byte, edit, word, ok uint64) {
	path, joined := q.Path(), s.join
	s.join = 0
	looks := (1 - joined) & (1 - nonzero(s.depth))
	r, edit, ok := s.take(path, q.Kind, looks)
	word, _ = s.word(path, looks&(1-ok))
	digits = [2][]byte{s.b[r.start+2 : r.end], s.spare}[joined]
	ok |= joined
	edit = choose(nonzero(edit), edit, s.edit) & -ok
	s.edit &= ok - 1
	return digits, edit, word, ok
}

// take uses up the first unused record that answers a question of a kind at a path, if looks is 1.
// It returns the record, or the one without digits; the hash of what edits the answer, or 0; and
// whether there is such a record.
func (s *bytesSource) take(path uint64, k Kind, looks uint64) (r record, edit, found uint64) {
	x := &s.index
	i := x.take(address(path, k), looks)
	r = x.all[i]
	// The record before r, or r itself if the record before has served as a seed.
	unused := max(int(i)-1, min(x.next, int(i)))
	x.next = max(x.next, int(i)+1)
	before := s.b[x.all[unused].start:r.start]
	mark := s.b[x.all[unused].start]
	marked := equal(recordBit|editBit, uint64(mark)&(recordBit|editBit))
	edits := equal(1, uint64(len(before))) | nonzero(uint64(len(before)))&marked
	return r, (hashBytes(before)&^1 | uint64(mark>>5&1)) & -edits, nonzero(uint64(i))
}

// word returns random bits for the question at path, and the third byte of the record that serves
// as its seed, if seeds is 1 and one is left. If that record was to answer the question but has a
// broken address, the byte is the code of a tag.
func (s *bytesSource) word(path, seeds uint64) (word uint64, code byte) {
	x := &s.index
	seeds &= uint64(x.next-len(x.all)) >> 63
	r := x.all[choose(seeds, uint64(x.next), 0)]
	x.next += int(seeds * (1 + 1/uint64(r.end-r.start))) // a single byte takes the next record, too
	last := choose(seeds, uint64(min(x.next, len(x.all))-1), 0)
	s.seed = choose(seeds, hashBytes(s.b[r.start:x.all[last].end]), s.seed)
	return hash.Mix(s.seed, path), byte(choose(seeds, uint64(s.b[r.start+2]), recordBit))
}
