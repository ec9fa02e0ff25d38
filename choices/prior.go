package choices

import (
	"math"
	"math/rand/v2"

	"github.com/espalier-go/espalier/internal/chance"
)

// A Prior answers questions in place of a generator's own distribution, such as a policy that has
// been learned or a model that has been tuned; see [RandomBy] and [FromBytesBy]. Its answers must
// be a function of the calls since Begin and of the words that it gets. It serves one run of a
// generator at a time.
type Prior interface {
	// Begin precedes a run.
	Begin()

	// Pick, Int and Text answer q, as the methods of a [Source] do, with 64 random bits. A pick
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
	s := &byPrior{prior: p, most: math.MaxInt}
	s.source = &allOpen{random{r}, &s.drawn}
	p.Begin()
	return s
}

// allOpen is a random source that leaves every question to a prior, unless a filter has thrown away
// values.
type allOpen struct {
	random
	drawn *drawn
}

// leaves reports whether q is left to the prior.
func (s *allOpen) leaves(q *Question) bool {
	if q.Retry == 0 {
		s.drawn.by(s.r.Uint64(), -1)
	}
	return q.Retry == 0
}

// Pick implements [Source].
func (s *allOpen) Pick(q *Question) int {
	if len(q.Alts) == 1 || s.leaves(q) {
		return 0
	}
	return s.random.Pick(q)
}

// Int implements [Source].
func (s *allOpen) Int(q *Question) int64 {
	if s.leaves(q) {
		return q.Lo
	}
	return s.random.Int(q)
}

// Text implements [Source].
func (s *allOpen) Text(q *Question) string {
	if s.leaves(q) {
		return ""
	}
	return s.random.Text(q)
}

// FromBytesBy is [FromBytes], but p makes the random answers instead of the generator's own
// distribution. Exceptions are integers and texts that an edit changes, and questions whose
// answers a filter has thrown away before. The answers are a function of b and of p.
//
// The prior does not change what bytes do answer. So the encoding of the tree that a run
// records, which leaves nothing open, stands for the same value with p, with another prior
// and without any.
func FromBytesBy(b []byte, p Prior) Source {
	s := &byPrior{prior: p, most: chance.MostDrawn}
	s.source = decodeV1(b, &s.drawn)
	p.Begin()
	return s
}

// byPrior is the source of [RandomBy] and [FromBytesBy].
type byPrior struct {
	source Source
	prior  Prior
	drawn  drawn         // by the source
	supply chance.Supply // of the alternatives that prior makes:
	most   int
}

// open reports whether the source left q, which has just been answered, to the prior.
func (s *byPrior) open(q *Question) bool { return s.drawn.ok && q.Retry == 0 }

// Pick implements [Source].
func (s *byPrior) Pick(q *Question) int {
	s.drawn.ok = false
	n := s.source.Pick(q)
	if s.open(q) && len(q.Alts) > 1 {
		m := s.prior.Pick(q, s.drawn.word)
		if uint(m) < uint(len(q.Alts)) && m != s.drawn.avoid {
			n = s.supply.Draw(m, s.most, q.bounded())
		}
	}
	s.prior.Picked(q, n)
	return n
}

// Leave implements [Source].
func (s *byPrior) Leave() {
	s.source.Leave()
	s.prior.Leave()
}

// Int implements [Source].
func (s *byPrior) Int(q *Question) int64 {
	s.drawn.ok = false
	n := s.source.Int(q)
	if s.open(q) {
		n = q.Kind.Clamp(s.prior.Int(q, s.drawn.word), q.Lo, q.Hi)
	}
	s.prior.IntGiven(q, n)
	return n
}

// Text implements [Source].
func (s *byPrior) Text(q *Question) string {
	s.drawn.ok = false
	text := s.source.Text(q)
	if s.open(q) {
		text = q.FitText(s.prior.Text(q, s.drawn.word))
	}
	s.prior.TextGiven(q, text)
	return text
}
