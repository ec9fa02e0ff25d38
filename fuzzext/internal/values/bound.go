package values

import "github.com/espalier-go/espalier/choices"

// How many questions of a value are usually answered, and at most.
const (
	UsualQuestions = 512
	MostQuestions  = 8 * UsualQuestions
)

// A Bounded source answers the first few questions as another source does, and the others with
// their simplest answers.
type Bounded struct {
	source choices.Source
	left   int            // questions for source
	rest   choices.Source // answers the others
	depth  int            // of the picks that rest has answered
}

// Bound returns a source whose first n answers come from s.
func Bound(s choices.Source, n int) choices.Source { return new(Bounded).Of(s, n) }

// Of makes b a source whose first n answers come from s, and returns it.
func (b *Bounded) Of(s choices.Source, n int) choices.Source {
	*b = Bounded{source: s, left: n, rest: b.rest}
	if b.rest == nil {
		b.rest = choices.Replay(nil, nil)
	}
	return b
}

// next returns the source of the next answer.
func (b *Bounded) next() choices.Source {
	if b.left == 0 {
		return b.rest
	}
	b.left--
	return b.source
}

// Pick implements [choices.Source].
func (b *Bounded) Pick(q *choices.Question) int {
	if b.left == 0 {
		b.depth++
		return b.rest.Pick(q)
	}
	b.left--
	return b.source.Pick(q)
}

// Leave implements [choices.Source].
func (b *Bounded) Leave() {
	if b.depth > 0 {
		b.depth--
		b.rest.Leave()
	} else {
		b.source.Leave()
	}
}

// Int implements [choices.Source].
func (b *Bounded) Int(q *choices.Question) int64 { return b.next().Int(q) }

// Text implements [choices.Source].
func (b *Bounded) Text(q *choices.Question) string { return b.next().Text(q) }

// Reject implements [choices.Rejecter].
func (b *Bounded) Reject() bool {
	r, ok := b.source.(choices.Rejecter)
	return ok && r.Reject()
}
