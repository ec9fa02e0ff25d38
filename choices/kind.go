package choices

// A Kind says what a question asks for.
type Kind uint8

const (
	Pick Kind = iota // which of several tagged alternatives
	Int              // which signed integer of a range
	Uint             // which unsigned integer of a range
	Text             // which string of so many runes of an alphabet
	// not an answer: an edit's mark by which [Replay] makes this Pick at random
	Regenerate
)

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
