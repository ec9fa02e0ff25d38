package mutate

import (
	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
)

// layout describes the structure of a tree.
type layout struct {
	parent []int // of each choice, -1 if there is none
	run    []int // how many elements of a sequence begin with a choice, itself included
	next   []int // see later, which makes it
}

func layoutOf(t choices.Tree) layout {
	l := layout{parent: make([]int, len(t)), run: make([]int, len(t))}
	for i, around := range t.Walk() {
		l.parent[i] = -1
		if n := len(around); n > 0 {
			l.parent[i] = around[n-1]
		}
	}
	for i := len(t) - 1; i >= 0; i-- {
		l.run[i] = 1
		if j := t.End(i); l.sameSlot(t, i, j) && t[i].Kind == choices.Pick &&
			t[j].Kind == choices.Pick && t[j].Index == t[i].Index+1 {
			l.run[i] += l.run[j]
		}
	}
	return l
}

// nested returns t or, if its sizes are wrong, a copy of it with sizes that nest.
func nested(t choices.Tree) choices.Tree {
	out := slices.Clone(t)
	for i, around := range t.Walk() {
		end := len(t)
		if n := len(around); n > 0 {
			end = out.End(around[n-1])
		}
		out[i].Size = int32(min(t.End(i), end) - i)
	}
	if slices.Equal(t, out) {
		return t
	}
	return out
}

// sameSlot reports whether i and j are siblings of one slot.
func (l *layout) sameSlot(t choices.Tree, i, j int) bool {
	return j < len(t) && l.parent[i] == l.parent[j] && t[i].Slot == t[j].Slot
}

// later returns, for each choice, the index of the next element of its sequence, or 0. Other
// choices may stand between the elements.
func (l *layout) later(t choices.Tree) []int {
	if l.next != nil {
		return l.next
	}
	type sequence struct {
		parent int
		slot   uint32
	}
	l.next = make([]int, len(t))
	after := map[sequence]int{}
	for i := len(t) - 1; i >= 0; i-- {
		if t[i].Kind != choices.Pick {
			continue
		}
		s := sequence{l.parent[i], t[i].Slot}
		if j := after[s]; j > 0 && t[j].Index == t[i].Index+1 {
			l.next[i] = j
		}
		after[s] = i
	}
	return l.next
}

// element returns the index of the choice n elements after i.
func element(t choices.Tree, i, n int) int {
	for range n {
		i = t.End(i)
	}
	return i
}

// stops reports whether c ends a sequence, or is as good as absent elsewhere: a Pick of
// the first of several alternatives with nothing below.
func stops(c *choices.Choice) bool {
	return c.Kind == choices.Pick && c.N == 0 && c.Hi > 0 && c.Size == 1
}

// children returns where the choices below i begin and end. It returns all choices for -1,
// and none if there is no choice i.
func children(t choices.Tree, i int) (begin, end int) {
	switch {
	case i < 0:
		return 0, len(t)
	case i >= len(t):
		return i, i
	}
	return i + 1, t.End(i)
}

// alike reports whether two choices seem to answer the same question of values of the
// same type.
func alike(a, b *choices.Choice) bool {
	return a.Kind == b.Kind && a.Slot == b.Slot && (a.Kind != choices.Pick || a.Family == b.Family)
}

// with returns a copy of t in which f has changed the choices at the given indices.
func with(t choices.Tree, indices []int, f func(c *choices.Choice)) choices.Tree {
	t = slices.Clone(t)
	for _, i := range indices {
		f(&t[i])
	}
	return t
}

// toIndex makes a Pick take the n-th alternative.
func toIndex(n int64) func(c *choices.Choice) {
	return func(c *choices.Choice) { c.TakeIndex(n) }
}

// added returns a copy of t in which n is added to the integers at the given indices.
func added(t choices.Tree, indices []int, n int64) choices.Tree {
	return with(t, indices, func(c *choices.Choice) { c.N += n })
}

// moved returns a copy of best in which f has changed integers or texts. The ranges of later
// ones may depend on these, and those that are the simplest of their range stay so. The copy is
// valid until m.edit edits another tree.
func (m *minimizer) moved(indices []int, f func(c *choices.Choice)) choices.Tree {
	out := m.edit.clone(m.best)
	for i := slices.Min(indices); i < len(out); i++ {
		if c := &out[i]; isInt(c) && c.IsSimplest() {
			c.N = 0 // a replay takes what is nearest in the new range
		}
	}
	for _, i := range indices {
		out[i] = m.best[i]
		f(&out[i])
	}
	return out
}
