package rl

import "github.com/espalier-go/espalier/choices"

// source is what a generator sees of a Guide.
type source Guide

var _ choices.Rejecter = (*source)(nil)

// Pick implements [choices.Source].
func (s *source) Pick(q *choices.Question) int {
	g := (*Guide)(s)
	point := g.path.pointOf(q)
	g.ask()
	var past *answered
	if g.follow != nil {
		n := g.follow.Pick(q)
		if uint(n) >= uint(len(q.Alts)) {
			n = 0
		}
		g.want(int64(n), true)
	} else if a, anew := g.back.find(q); a != nil {
		past = a
		if anew {
			if len(q.Alts) <= slots {
				g.avoid = int(a.n)
			}
		} else if int(a.n) < len(q.Alts) {
			g.want(a.n, false)
		}
	}
	n := 0
	if len(q.Alts) > 1 {
		n = g.pick(q, point)
	}
	g.back.enter(past, past == nil || int64(n) != past.n)
	g.record.add(q, int64(n), "", len(q.Alts) > 1)
	g.record.enter()
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
	g.back.leave()
	g.record.leave()
}

// Int implements [choices.Source].
func (s *source) Int(q *choices.Question) int64 {
	g := (*Guide)(s)
	point := g.path.pointOf(q)
	g.ask()
	if g.follow != nil {
		g.want(q.Kind.Clamp(g.follow.Int(q), q.Lo, q.Hi), true)
	} else if a, anew := g.back.find(q); a != nil {
		g.back.pass()
		if anew {
			if q.Lo>>4 == q.Hi>>4 {
				g.avoid = int(a.n & 15)
			}
		} else if q.Kind.Clamp(a.n, q.Lo, q.Hi) == a.n {
			g.want(a.n, false)
		}
	}
	n := g.integer(q, point)
	g.record.add(q, n, "", true)
	g.path.answer(q, point, uint64(n))
	return n
}

// Text implements [choices.Source].
func (s *source) Text(q *choices.Question) string {
	g := (*Guide)(s)
	point := g.path.pointOf(q)
	g.ask()
	if g.follow != nil {
		g.wantText(q.FitText(g.follow.Text(q)), true)
	} else if a, anew := g.back.find(q); a != nil {
		g.back.pass()
		if !anew && q.FitText(a.text) == a.text {
			g.wantText(a.text, false)
		}
	}
	text := g.text(q, point)
	g.record.add(q, 0, text, true)
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
