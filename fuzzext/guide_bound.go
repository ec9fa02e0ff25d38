package fuzzext

import "github.com/espalier-go/espalier/choices"

// bounded answers the first few questions as another source does, and the others with their
// simplest answers. So a generator that would make infinite values terminates.
type bounded struct {
	source choices.Source
	left   int            // questions for source
	rest   choices.Source // answers the others
	depth  int            // of the picks that rest has answered
}

// bound returns a source whose first n answers are those of s.
func bound(s choices.Source, n int) choices.Source { return new(bounded).of(s, n) }

// of makes b a source whose first n answers are those of s, and returns it.
func (b *bounded) of(s choices.Source, n int) choices.Source {
	*b = bounded{source: s, left: n, rest: b.rest}
	if b.rest == nil {
		b.rest = choices.Replay(nil, nil)
	}
	return b
}

// next returns the source of the next answer.
func (b *bounded) next() choices.Source {
	if b.left == 0 {
		return b.rest
	}
	b.left--
	return b.source
}

// Pick implements [choices.Source].
func (b *bounded) Pick(q *choices.Question) int {
	s := b.next()
	if s == b.rest {
		b.depth++
	}
	return s.Pick(q)
}

// Leave implements [choices.Source].
func (b *bounded) Leave() {
	if b.depth > 0 {
		b.depth--
		b.rest.Leave()
	} else {
		b.source.Leave()
	}
}

// Int implements [choices.Source].
func (b *bounded) Int(q *choices.Question) int64 { return b.next().Int(q) }

// Text implements [choices.Source].
func (b *bounded) Text(q *choices.Question) string { return b.next().Text(q) }

// Reject implements [choices.Rejecter].
func (b *bounded) Reject() bool {
	r, ok := b.source.(choices.Rejecter)
	return ok && r.Reject()
}
