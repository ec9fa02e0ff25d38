// Package bound bounds how many questions a source answers, so that a generator terminates that
// would make infinite values.
package bound

import "github.com/espalier-go/espalier/choices"

// How many questions of a value are usually answered, and at most.
const (
	Usual = 512
	Most  = 8 * Usual
)

// A Source answers the first few questions as another source does, and the others with their
// simplest answers.
type Source struct {
	source choices.Source
	left   int            // questions for source
	rest   choices.Source // answers the others
	depth  int            // of the picks that rest has answered
}

// Of returns a source whose first n answers are those of s.
func Of(s choices.Source, n int) choices.Source { return new(Source).Of(s, n) }

// Of makes b a source whose first n answers are those of s, and returns it.
func (b *Source) Of(s choices.Source, n int) choices.Source {
	*b = Source{source: s, left: n, rest: b.rest}
	if b.rest == nil {
		b.rest = choices.Replay(nil, nil)
	}
	return b
}

// next returns the source of the next answer.
func (b *Source) next() choices.Source {
	if b.left == 0 {
		return b.rest
	}
	b.left--
	return b.source
}

// Pick implements [choices.Source].
func (b *Source) Pick(q *choices.Question) int {
	s := b.next()
	if s == b.rest {
		b.depth++
	}
	return s.Pick(q)
}

// Leave implements [choices.Source].
func (b *Source) Leave() {
	if b.depth > 0 {
		b.depth--
		b.rest.Leave()
	} else {
		b.source.Leave()
	}
}

// Int implements [choices.Source].
func (b *Source) Int(q *choices.Question) int64 { return b.next().Int(q) }

// Text implements [choices.Source].
func (b *Source) Text(q *choices.Question) string { return b.next().Text(q) }

// Reject implements [choices.Rejecter].
func (b *Source) Reject() bool {
	r, ok := b.source.(choices.Rejecter)
	return ok && r.Reject()
}
