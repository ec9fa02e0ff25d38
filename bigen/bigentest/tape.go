package bigentest

import (
	"sync"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
)

// A tape is a source that records the answers of another: so there is a tree even of a
// run that panics or does not terminate.
type tape struct {
	src   choices.Source
	mu    sync.Mutex // the watch reads while a run is on
	tree  choices.Tree
	open  []int // picks whose branches are being made
	asked int
}

// maxTape bounds the choices that are recorded.
const maxTape = 20_000

func (s *tape) Pick(q *choices.Question) int {
	n := s.src.Pick(q)
	if uint(n) >= uint(len(q.Alts)) {
		n = 0
	}
	var c choices.Choice
	c.Take(q.Alts, n)
	s.mu.Lock()
	s.open = append(s.open, len(s.tree))
	s.mu.Unlock()
	s.add(q, c)
	return n
}

func (s *tape) Leave() {
	s.src.Leave()
	s.mu.Lock()
	defer s.mu.Unlock()
	last := len(s.open) - 1
	if i := s.open[last]; i < maxTape {
		s.tree[i].Size = int32(len(s.tree) - i)
	}
	s.open = s.open[:last]
}

func (s *tape) Int(q *choices.Question) int64 {
	n := q.Kind.Clamp(s.src.Int(q), q.Lo, q.Hi)
	s.add(q, choices.Choice{N: n, Lo: q.Lo, Hi: q.Hi})
	return n
}

func (s *tape) Text(q *choices.Question) string {
	text := s.src.Text(q)
	s.add(q, choices.Choice{Tag: text})
	return text
}

// Reject implements [choices.Rejecter] as the other source does.
func (s *tape) Reject() bool {
	r, ok := s.src.(choices.Rejecter)
	return ok && r.Reject()
}

func (s *tape) add(q *choices.Question, c choices.Choice) {
	c.Kind, c.Slot, c.Index, c.Size = q.Kind, q.Slot, q.Index, 1
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asked++; len(s.tree) < maxTape {
		s.tree = append(s.tree, c)
	}
}

// recorded returns the choices so far.
func (s *tape) recorded() choices.Tree {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := slices.Clone(s.tree)
	for _, i := range s.open {
		if i == maxTape {
			break
		}
		t[i].Size = int32(len(t) - i)
	}
	return t
}
