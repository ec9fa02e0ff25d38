package rl

import "github.com/espalier-go/espalier/choices"

// source is what a generator sees of a Guide.
type source Guide

var _ choices.Rejecter = (*source)(nil)

// Pick implements [choices.Source].
func (s *source) Pick(q *choices.Question) int {
	g := (*Guide)(s)
	point := g.path.pointOf(q)
	want := -1
	if g.follow != nil {
		want = g.follow.Pick(q)
		if uint(want) >= uint(len(q.Alts)) {
			want = 0
		}
	}
	n := 0
	if len(q.Alts) > 1 {
		n = g.pick(q, point, want)
	}
	g.path.enter(q, point, n)
	return n
}

// Leave implements [choices.Source].
func (s *source) Leave() {
	g := (*Guide)(s)
	if g.follow != nil {
		g.follow.Leave()
	}
	g.path.leave()
}

// Int implements [choices.Source].
func (s *source) Int(q *choices.Question) int64 {
	g := (*Guide)(s)
	point := g.path.pointOf(q)
	var n int64
	if g.follow != nil {
		n = g.integer(q, point, q.Kind.Clamp(g.follow.Int(q), q.Lo, q.Hi), true)
	} else {
		n = g.integer(q, point, 0, false)
	}
	g.path.answer(q, point, uint64(n))
	return n
}

// Text implements [choices.Source].
func (s *source) Text(q *choices.Question) string {
	g := (*Guide)(s)
	point := g.path.pointOf(q)
	var text string
	if g.follow != nil {
		text = g.text(q, point, q.FitText(g.follow.Text(q)), true)
	} else {
		text = g.text(q, point, "", false)
	}
	g.path.answer(q, point, hashText(text))
	return text
}

// maxRejects bounds the values that filters may throw away in an episode.
const maxRejects = 1000

// Reject implements [choices.Rejecter].
func (s *source) Reject() bool {
	s.rejects++
	return s.rejects > maxRejects
}
