package choices

// A Prior is an opinion on the answers to questions that bytes leave open, such as
// a policy that has been learned: see [FromBytesBy]. It must be a function of what
// it is told after Begin and of the words that it is given. It serves one run of a
// generator at a time.
type Prior interface {
	// Begin is called before a run.
	Begin()

	// Pick, Int and Text are asked what the answer to q should be, as those of a
	// [Source], with 64 random bits. A pick has two alternatives at least.
	Pick(q *Question, word uint64) int
	Int(q *Question, word uint64) int64
	Text(q *Question, word uint64) string

	// Picked is told of the alternative that a pick has taken, also of the only one,
	// and Leave that its branch ends; IntGiven and TextGiven are told of the other
	// answers: of all, in the order of the questions.
	Picked(q *Question, n int)
	Leave()
	IntGiven(q *Question, n int64)
	TextGiven(q *Question, text string)
}

// FromBytesBy is [FromBytes] where p, not the generator's own distribution, makes
// the answers that are made at random; except for integers and texts that an edit
// changes and for what a filter has thrown away before. The answers are a function of
// b and of p.
//
// What bytes do answer is not changed. So the encoding of the tree that a run
// records, which leaves nothing open, stands for the same value with p, with another
// prior and without any.
func FromBytesBy(b []byte, p Prior) Source {
	s := &byPrior{prior: p}
	s.bytes = decode(b, &s.drawn)
	p.Begin()
	return s
}

// byPrior is the source of [FromBytesBy].
type byPrior struct {
	bytes Source
	prior Prior
	drawn drawn
}

// drawn says how an answer was drawn.
type drawn struct {
	at    bool   // random
	word  uint64 // the random bits
	avoid int    // the alternative that the answer must not be, or -1
}

func (d *drawn) by(word uint64, avoid int) {
	if d != nil {
		*d = drawn{true, word, avoid}
	}
}

// open reports whether the prior is to answer q, which has just been answered.
func (s *byPrior) open(q *Question) bool { return s.drawn.at && q.Retry == 0 }

// Pick implements [Source].
func (s *byPrior) Pick(q *Question) int {
	s.drawn.at = false
	n := s.bytes.Pick(q)
	if s.open(q) && len(q.Alts) > 1 {
		m := s.prior.Pick(q, s.drawn.word)
		if uint(m) < uint(len(q.Alts)) && m != s.drawn.avoid {
			n = m
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
	s.drawn.at = false
	n := s.bytes.Int(q)
	if s.open(q) {
		n = q.Kind.Clamp(s.prior.Int(q, s.drawn.word), q.Lo, q.Hi)
	}
	s.prior.IntGiven(q, n)
	return n
}

// Text implements [Source].
func (s *byPrior) Text(q *Question) string {
	s.drawn.at = false
	text := s.bytes.Text(q)
	if s.open(q) {
		text = q.FitText(s.prior.Text(q, s.drawn.word))
	}
	s.prior.TextGiven(q, text)
	return text
}
