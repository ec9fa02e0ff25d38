package rl

import (
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/archive"
)

// transcript is the choice tree of an episode so far. Picks have the index that they took, but no
// tag: a Guide knows one generator, whose tags need not be compared.
type transcript struct {
	tree  choices.Tree
	marks []mark // of the learner, before the questions
	open  []int  // the picks whose branches are open
}

func (t *transcript) reset() { t.tree, t.marks, t.open = t.tree[:0], t.marks[:0], t.open[:0] }

func (t *transcript) enter(q *choices.Question, n int, m mark) {
	t.open = append(t.open, len(t.tree))
	t.add(q, choices.Choice{N: int64(n), Hi: int64(len(q.Alts) - 1)}, m)
}

func (t *transcript) leave() {
	last := len(t.open) - 1
	i := t.open[last]
	t.tree[i].Size = int32(len(t.tree) - i)
	t.open = t.open[:last]
}

func (t *transcript) add(q *choices.Question, c choices.Choice, m mark) {
	c.Kind, c.Slot, c.Index, c.Size = q.Kind, q.Slot, q.Index, 1
	t.tree, t.marks = append(t.tree, c), append(t.marks, m)
}

// forget removes the last answer to q in the innermost branch and everything after it. It
// returns the mark before it; ok is false if there is none.
func (t *transcript) forget(q *choices.Question) (m mark, ok bool) {
	i, found := 0, -1
	if n := len(t.open); n > 0 {
		i = t.open[n-1] + 1
	}
	for ; i < len(t.tree); i = t.tree.End(i) {
		if c := &t.tree[i]; c.Slot == q.Slot && c.Index == q.Index && c.Kind == q.Kind {
			found = i
		}
	}
	if found < 0 {
		return m, false
	}
	m = t.marks[found]
	t.tree, t.marks = t.tree[:found], t.marks[:found]
	return m, true
}

// choiceBytes is the memory of a choice.
const choiceBytes = 72

// size returns how much memory a copy of the tree takes, and the class of the input's size: the
// number of picks with parts.
func (t *transcript) size() (bytes, class int) {
	parts := 0
	for i := range t.tree {
		c := &t.tree[i]
		bytes += choiceBytes + len(c.Tag)
		if c.Size > 1 {
			parts++
		}
	}
	return bytes, archive.ClassOf(parts)
}
