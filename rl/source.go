package rl

import "github.com/espalier-go/espalier/choices"

// source is what a generator sees of a Guide.
type source Guide

var _ choices.Rejecter = (*source)(nil)

// Pick implements [choices.Source].
func (s *source) Pick(q *choices.Question) int {
	g := (*Guide)(s)
	point := g.path.pointOf(q)
	m := g.ask(q)
	var past *answered
	if g.follow != nil {
		n := g.follow.Pick(q)
		if uint(n) >= uint(len(q.Alts)) {
			n = 0
		}
		g.wish = wish{n: int64(n), is: true, must: true}
	} else if a, other := g.back.find(q); a != nil {
		past = a
		switch {
		case other && len(q.Alts) <= slots:
			g.avoid = int(a.n)
		case !other && a.n < int64(len(q.Alts)):
			g.wish = wish{n: a.n, is: true}
		}
	}
	n := 0
	if len(q.Alts) > 1 {
		n = g.pick(q, point)
	}
	g.back.enter(past, past != nil && int64(n) == past.n)
	g.transcript.pick(q, n, m)
	g.path.enter(q, point, n)
	return n
}

// Leave implements [choices.Source].
func (s *source) Leave() {
	g := (*Guide)(s)
	if g.follow != nil {
		g.follow.Leave()
	}
	g.back.leave()
	g.transcript.leave()
	g.path.leave()
}

// Int implements [choices.Source].
func (s *source) Int(q *choices.Question) int64 {
	g := (*Guide)(s)
	m := g.ask(q)
	if g.follow != nil {
		g.wish = wish{n: q.Kind.Clamp(g.follow.Int(q), q.Lo, q.Hi), is: true, must: true}
	} else if a, other := g.back.find(q); a != nil {
		g.back.pass(a)
		switch {
		case !other && q.Kind.Clamp(a.n, q.Lo, q.Hi) == a.n:
			g.wish = wish{n: a.n, is: true}
		case other && q.Lo>>4 == q.Hi>>4: // one decision
			g.avoid = int(a.n & 15)
		}
	}
	n := g.integer(q, g.path.pointOf(q))
	g.transcript.add(q, n, "", true, m)
	g.path.answer(q, uint64(n))
	return n
}

// Text implements [choices.Source].
func (s *source) Text(q *choices.Question) string {
	g := (*Guide)(s)
	m := g.ask(q)
	if g.follow != nil {
		g.wish = wish{text: q.FitText(g.follow.Text(q)), is: true, must: true}
	} else if a, other := g.back.find(q); a != nil {
		g.back.pass(a)
		if !other && q.FitText(a.text) == a.text {
			g.wish = wish{text: a.text, is: true}
		}
	}
	text := g.text(q, g.path.pointOf(q))
	g.transcript.add(q, 0, text, true, m)
	g.path.answer(q, hashText(text))
	return text
}

// maxRejects bounds the values that filters may throw away in an episode.
const maxRejects = 1000

// Reject implements [choices.Rejecter].
func (s *source) Reject() bool {
	s.rejected = true
	s.rejects++
	return s.rejects > maxRejects
}

// ask begins a question. If a filter has thrown away what was made of the same one, the
// learner is told, and the transcript is as before.
func (g *Guide) ask(q *choices.Question) mark {
	g.wish.is, g.avoid = false, -1
	if g.rejected {
		g.rejected = false
		if i := g.transcript.find(q); i >= 0 {
			g.learner.reject(g.transcript.answers[i].mark)
			g.transcript.answers = g.transcript.answers[:i]
		}
	}
	return g.learner.mark()
}
