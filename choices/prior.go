package choices

import "math/rand/v2"

// A Prior answers questions in place of a generator's own distribution, such as a policy
// that has been learned or a model that has been tuned; see [RandomBy] and [FromBytesBy]. Its answers must be a function of the calls since Begin and
// of the words that it gets. It serves one run of a generator at a time.
type Prior interface {
	// Begin precedes a run.
	Begin()

	// Pick, Int and Text answer q, as those of a [Source] do, with 64 random bits. A pick
	// has at least two alternatives.
	Pick(q *Question, word uint64) int
	Int(q *Question, word uint64) int64
	Text(q *Question, word uint64) string

	// Picked reports the alternative that a pick has taken, even if it is the only one.
	// Leave reports the end of its branch. IntGiven and TextGiven report the other
	// answers. All answers are reported, in the order of the questions.
	Picked(q *Question, n int)
	Leave()
	IntGiven(q *Question, n int64)
	TextGiven(q *Question, text string)
}

// RandomBy is [Random], but p makes the answers. The exception is a question whose answers a
// filter has thrown away before: the generator's own distribution answers that, so that a
// filter which p knows nothing of still lets values pass.
func RandomBy(r *rand.Rand, p Prior) Source {
	p.Begin()
	return &randomBy{r, p}
}

// randomBy is the source of [RandomBy].
type randomBy struct {
	r     *rand.Rand
	prior Prior
}

// Pick implements [Source].
func (s *randomBy) Pick(q *Question) (n int) {
	switch {
	case len(q.Alts) == 1:
	case q.Retry != 0:
		n = q.DrawPick(s.r.Uint64())
	default:
		if n = s.prior.Pick(q, s.r.Uint64()); uint(n) >= uint(len(q.Alts)) {
			n = 0
		}
	}
	s.prior.Picked(q, n)
	return n
}

// Leave implements [Source].
func (s *randomBy) Leave() { s.prior.Leave() }

// Int implements [Source].
func (s *randomBy) Int(q *Question) (n int64) {
	if q.Retry != 0 {
		n = q.DrawInt(s.r.Uint64())
	} else {
		n = q.Kind.Clamp(s.prior.Int(q, s.r.Uint64()), q.Lo, q.Hi)
	}
	s.prior.IntGiven(q, n)
	return n
}

// Text implements [Source].
func (s *randomBy) Text(q *Question) (text string) {
	if q.Retry != 0 {
		text = q.DrawText(s.r.Uint64())
	} else {
		text = q.FitText(s.prior.Text(q, s.r.Uint64()))
	}
	s.prior.TextGiven(q, text)
	return text
}

// FromBytesBy is [FromBytes], but p makes the random answers instead of the generator's own
// distribution. Exceptions are integers and texts that an edit changes, and questions whose
// answers a filter has thrown away before. The answers are a function of b and of p.
//
// The prior does not change what bytes do answer. So the encoding of the tree that a run
// records, which leaves nothing open, stands for the same value with p, with another prior
// and without any.
func FromBytesBy(b []byte, p Prior) Source {
	s := &byPrior{prior: p}
	s.bytes = decode(b, &s.drawn)
	p.Begin()
	return s
}

// byPrior is the source of [FromBytesBy].
type byPrior struct {
	bytes  Source
	prior  Prior
	drawn  drawn
	supply supply // of the alternatives that prior makes
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

// open reports whether bytes left q, which has just been answered, to the prior.
func (s *byPrior) open(q *Question) bool { return s.drawn.ok && q.Retry == 0 }

// Pick implements [Source].
func (s *byPrior) Pick(q *Question) int {
	s.drawn.ok = false
	n := s.bytes.Pick(q)
	if s.open(q) && len(q.Alts) > 1 {
		m := s.prior.Pick(q, s.drawn.word)
		if uint(m) < uint(len(q.Alts)) && m != s.drawn.avoid {
			n = s.supply.draw(q, m, mostDrawn)
		}
	}
	s.prior.Picked(q, n)
	return n
}

// Leave implements [Source].
func (s *byPrior) Leave() {
	s.bytes.Leave()
	s.prior.Leave()
}

// Int implements [Source].
func (s *byPrior) Int(q *Question) int64 {
	s.drawn.ok = false
	n := s.bytes.Int(q)
	if s.open(q) {
		n = q.Kind.Clamp(s.prior.Int(q, s.drawn.word), q.Lo, q.Hi)
	}
	s.prior.IntGiven(q, n)
	return n
}

// Text implements [Source].
func (s *byPrior) Text(q *Question) string {
	s.drawn.ok = false
	text := s.bytes.Text(q)
	if s.open(q) {
		text = q.FitText(s.prior.Text(q, s.drawn.word))
	}
	s.prior.TextGiven(q, text)
	return text
}
