package choices

import "github.com/espalier-go/espalier/internal/hash"

// A Question is what a generator asks of a [Source].
type Question struct {
	Kind   Kind
	Alts   []Alt  // Pick: the alternatives, one at least; valid during the call only
	Lo, Hi int64  // Int, Uint (bits): the range, Lo below Hi
	Edges  bool   // Int, Uint: random sources favor the ends, powers of two, the origin
	Min    int    // Text: the fewest runes, 0 to Max
	Max    int    // Text: the most runes, 1 or more
	Steps  bool   // Pick: whether a sequence of steps continues, by the weights
	Branch uint64 // hash of the slots that lead to the branch of the enclosing Pick
	Slot   uint32 // see Choice.Slot
	Index  int32  // see Choice.Index

	Alphabet *Alphabet // Text: the runes to choose from; nil for all of valid UTF-8

	// Retry is 0 unless a filter has thrown away values at this place. Then it differs
	// with every attempt, and so should the answers.
	Retry uint32

	set *AltSet // that Offer has given, or nil
	of  *Alt    // the first of the alternatives that Offer has given
}

// Offer sets the alternatives of a pick. If they are those of a set, or differ from them by their
// weights only, s is the set. Otherwise it is nil.
func (q *Question) Offer(s *AltSet, alts []Alt) {
	q.Alts, q.set, q.of = alts, s, &alts[0]
}

// Element reports whether the question is a pick that asks whether a sequence has another
// element. The answer that it has one is the last alternative, unless the value has become
// too large, and the first, if there are two, ends the sequence.
func (q *Question) Element() bool { return q.Kind == Pick && q.Alts[0].Element }

// Family returns a hash of the tags of the alternatives of a pick. Picks of equal families offer
// the same alternatives, unless the hashes are equal by accident. Most likely, then, they make
// values of the same type.
func (q *Question) Family() uint16 {
	if s := q.set; s != nil && q.of == &q.Alts[0] && len(q.Alts) == len(s.Alts) {
		return s.family
	}
	h := uint32(len(q.Alts))
	for i := range q.Alts {
		h = addToFamily(h, q.Alts[i].Code)
	}
	return uint16(h >> 16)
}

// bounded reports whether a pick ends a value that has taken too many alternatives at random.
func (q *Question) bounded() bool { return !q.Steps && q.Alts[0].Weight > 0 }

// Path identifies the place of the question. It depends on the slots that lead to the
// question, not on the answers given on the way.
func (q *Question) Path() uint64 {
	h := subPath(q.Branch, q.Slot, q.Index)
	if q.Retry != 0 {
		h = hash.Mix(h, uint64(q.Retry))
	}
	return h
}

// subPath returns the path of a question. The path of the first must not be 0: it would be
// its own sub-path.
func subPath(branch uint64, slot uint32, index int32) uint64 {
	if branch == 0 {
		branch = 0x9E3779B97F4A7C15
	}
	return hash.Mix(branch, uint64(slot)<<32|uint64(uint32(index)))
}
