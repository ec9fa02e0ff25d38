package choices

// How many alternatives other than the first a value takes at random where nothing else bounds
// it: mostDrawn if it is made from nothing, mostRedrawn below a [Regenerate].
const (
	mostDrawn   = 4 * naturalSize
	mostRedrawn = 4 * mostDrawn
)

// A supply bounds what chance adds to a value: once a value has taken so many alternatives
// other than the first at random, the questions that are left get their first. So a generator whose
// weights make infinite values on average costs little. The steps of a sequence have a bound of their
// own: they use up the supply, but do not end with it.
type supply struct{ taken int }

// draw returns the alternative that q, which n has been drawn for, takes.
func (s *supply) draw(q *Question, n, most int) int {
	s.taken += min(n, 1)
	if s.taken > most && !q.Steps && q.Alts[0].Weight > 0 {
		return 0
	}
	return n
}

// drawn records how an answer was drawn.
type drawn struct {
	ok    bool   // it was
	word  uint64 // the random bits
	avoid int    // the alternative that the answer must not be, or -1
}

// by records that an answer was drawn with the bits of word.
func (d *drawn) by(word uint64, avoid int) {
	if d != nil {
		*d = drawn{true, word, avoid}
	}
}
