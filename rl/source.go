package rl

import (
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
)

// source is the part of a Guide that a generator sees. It answers a question in three
// steps: it sets the wish of an episode that replays or revisits an input, the Guide
// decides, and the parts that follow the episode record the answer.
type source Guide

var _ choices.Rejecter = (*source)(nil)

func (s *source) Pick(q *choices.Question) int {
	g := (*Guide)(s)
	point := g.path.pointOf(q)
	m := g.ask(q)
	var past *choices.Choice
	anew := false // what is in the branch
	if g.follow != nil {
		n := g.follow.Pick(q)
		if uint(n) >= uint(len(q.Alts)) {
			n = 0
		}
		g.wish = wish{n: int64(n), set: true, must: true}
	} else if c, vary := g.revisit.find(q); c != nil {
		past = c
		anew = vary && g.revisit.anew && c.Size > 1
		switch {
		case vary && !anew && len(q.Alts) <= slots:
			g.avoid = int(c.N)
		case (!vary || anew) && c.N < int64(len(q.Alts)):
			g.wish = wish{n: c.N, set: true}
		}
	}
	n := 0
	if len(q.Alts) > 1 {
		n = g.pick(q, point)
	}
	g.revisit.enter(past, past != nil && int64(n) == past.N && !anew)
	g.transcript.enter(q, n, m)
	g.path.enter(q, point, n)
	return n
}

func (s *source) Leave() {
	g := (*Guide)(s)
	if g.follow != nil {
		g.follow.Leave()
	}
	g.revisit.leave()
	g.transcript.leave()
	g.path.leave()
}

func (s *source) Int(q *choices.Question) int64 {
	g := (*Guide)(s)
	m := g.ask(q)
	if g.follow != nil {
		g.wish = wish{n: q.Kind.Clamp(g.follow.Int(q), q.Lo, q.Hi), set: true, must: true}
	} else if c, vary := g.revisit.find(q); c != nil {
		g.revisit.pass()
		switch {
		case !vary && q.Kind.Clamp(c.N, q.Lo, q.Hi) == c.N:
			g.wish = wish{n: c.N, set: true}
		case vary && q.Lo>>4 == q.Hi>>4: // one decision
			g.avoid = int(c.N & 15)
		}
	}
	n := g.integer(q, g.path.pointOf(q))
	g.transcript.add(q, choices.Choice{N: n, Lo: q.Lo, Hi: q.Hi}, m)
	g.path.answer(q, uint64(n))
	return n
}

func (s *source) Text(q *choices.Question) string {
	g := (*Guide)(s)
	m := g.ask(q)
	if g.follow != nil {
		g.wish = wish{text: q.FitText(g.follow.Text(q)), set: true, must: true}
	} else if c, vary := g.revisit.find(q); c != nil {
		g.revisit.pass()
		if !vary && q.FitText(c.Tag) == c.Tag {
			g.wish = wish{text: c.Tag, set: true}
		}
	}
	text := g.text(q, g.path.pointOf(q))
	g.transcript.add(q, choices.Choice{Tag: text}, m)
	g.path.answer(q, hash.FNV64(text))
	return text
}

// maxRejects bounds the values that filters may reject in an episode.
const maxRejects = 1000

func (s *source) Reject() bool {
	s.rejected = true
	s.rejects++
	return s.rejects > maxRejects
}

// ask begins a question. If a filter has rejected the value that began with the same
// question, ask tells the learner and removes the value from the transcript.
func (g *Guide) ask(q *choices.Question) mark {
	g.wish.set, g.avoid = false, -1
	if g.rejected {
		g.rejected = false
		if m, ok := g.transcript.forget(q); ok {
			g.learner.reject(m)
		}
	}
	return g.learner.mark()
}
