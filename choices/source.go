package choices

import "github.com/espalier-go/espalier/internal/hash"

// An Alt is one alternative of a Pick, as a source sees it.
type Alt struct {
	Tag    string
	Weight float64 // at least 0; random sources take it in proportion
	code   uint8   // of the tag, for the byte format
}

// MakeAlt returns an alternative. It does the work that the byte format needs
// done once for each tag.
func MakeAlt(tag string, weight float64) Alt { return Alt{tag, weight, tagCode(tag)} }

// Code returns the 7-bit hash of the tag that names the alternative in the byte
// format.
func (a *Alt) Code() uint8 { return a.code }

// Family returns a hash of the tags of alternatives. Picks of equal families offer
// the same alternatives, unless the hash is equal by accident, and so, most likely,
// make values of the same type.
func Family(alts []Alt) uint16 {
	h := uint32(len(alts))
	for i := range alts {
		h = (h + uint32(alts[i].code)) * 0x9E3779B1
	}
	return uint16(h >> 16)
}

// A Question is what a generator asks of a [Source].
type Question struct {
	Kind   Kind
	Alts   []Alt  // Pick: the alternatives, one at least; valid during the call only
	Lo, Hi int64  // Int, Uint (bits): the range, Lo below Hi
	Edges  bool   // Int, Uint: random sources favour the ends, powers of two and what is near the origin
	Min    int    // Text: the fewest runes, 0 to Max
	Max    int    // Text: the most runes, 1 or more
	Branch uint64 // hash of the way to the enclosing Pick's branch
	Slot   uint32 // see Choice.Slot
	Index  int32  // see Choice.Index

	Alphabet *Alphabet // Text: the runes to choose from; nil for all of valid UTF-8

	// Retry is 0, unless a filter has thrown values away at this place: then it
	// differs with every attempt, and answers should too.
	Retry uint32
}

// Path identifies the place of the question: it depends on the slots that lead to
// it, not on the answers given on the way.
func (q *Question) Path() uint64 {
	h := subPath(q.Branch, q.Slot, q.Index)
	if q.Retry != 0 {
		h = hash.Mix(h, uint64(q.Retry))
	}
	return h
}

// A Source answers the questions of a generator that runs forward. A source may
// be wrong, never harmful: the generator brings an answer out of range back into
// it, as [Kind.Clamp] and [Question.FitText] do. A source is used by one run at a time.
type Source interface {
	// Pick returns the index of an alternative. It is also told of picks of one
	// alternative. Every Pick is followed by a Leave, and what is asked between
	// the two is asked by the branch that was picked.
	Pick(q *Question) int
	Leave()

	// Int returns an integer from q.Lo to q.Hi; if q.Kind is Uint, the bits of one.
	Int(q *Question) int64

	// Text returns a string of q.Min to q.Max runes of q.Alphabet.
	Text(q *Question) string
}

// A Rejecter is a source that is told of values thrown away by filters.
type Rejecter interface {
	Source

	// Reject is called when a filter, or what else throws values away, has
	// rejected one and is about to draw another. It reports whether the run should
	// be rejected instead.
	Reject() bool
}

// subPath returns the path of a question. That of the first must not be 0, or it
// would be its own sub-path.
func subPath(branch uint64, slot uint32, index int32) uint64 {
	if branch == 0 {
		branch = 0x9E3779B97F4A7C15
	}
	return hash.Mix(branch, uint64(slot)<<32|uint64(uint32(index)))
}

// Less orders two values of an integer question.
func (k Kind) Less(a, b int64) bool {
	if k == Uint {
		return uint64(a) < uint64(b)
	}
	return a < b
}

// Origin returns the simplest integer of a range: the one nearest to zero.
func (k Kind) Origin(lo, hi int64) int64 {
	switch {
	case k == Uint || lo > 0:
		return lo
	case hi < 0:
		return hi
	}
	return 0
}

// Clamp returns the integer of the range that is nearest to n.
func (k Kind) Clamp(n, lo, hi int64) int64 {
	switch {
	case k.Less(n, lo):
		return lo
	case k.Less(hi, n):
		return hi
	}
	return n
}

// wrap brings n into the range so that distinct integers mostly stay distinct.
func (k Kind) wrap(n, lo, hi int64) int64 {
	if !k.Less(n, lo) && !k.Less(hi, n) {
		return n
	}
	span := uint64(hi) - uint64(lo) + 1 // not 0: something is out of range
	return int64(uint64(lo) + (uint64(n)-uint64(lo))%span)
}
