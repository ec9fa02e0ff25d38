package mutate

import (
	"math/rand/v2"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
)

// A Compat says whether what was made by Pick a can stand where b stood. It must be
// an equivalence. Picks of different types should not be compatible: a replay would
// have to make one of them anew ("Bigenerators, Exposed!", section 6.2.2).
type Compat func(a, b *choices.Choice) bool

// SameTag takes Picks that took equal tags for compatible, as the paper does.
func SameTag(a, b *choices.Choice) bool { return a.Tag == b.Tag }

// SameFamily takes Picks that offer the same alternatives for compatible, so that a
// leaf and a node can change places.
func SameFamily(a, b *choices.Choice) bool { return a.Family == b.Family }

// Reroll marks one choice, any of those that could have been another, to be made
// again; a replay with a random source keeps the others as far as they stay
// possible (rerollMut). A tree without such a choice comes back unchanged.
func Reroll(t choices.Tree, r *rand.Rand) choices.Tree {
	return edited(t, r, (*Mutator).reroll, nil)
}

// Shrink replaces a Pick by a compatible one from below it, so that a value
// becomes one of its parts (shrinkMut; there, the topmost Pick of all, here, any).
// A tree in which no such Pick is found comes back unchanged.
func Shrink(t choices.Tree, eq Compat, r *rand.Rand) choices.Tree {
	return edited(t, r, (*Mutator).shrink, eq)
}

// Swap exchanges two compatible Picks, neither of which is below the other and
// whose choices differ (swapMut). A tree in which no such Picks are found comes
// back unchanged.
func Swap(t choices.Tree, eq Compat, r *rand.Rand) choices.Tree {
	return edited(t, r, (*Mutator).swap, eq)
}

// Any applies Reroll, Shrink or Swap, each equally often (the manipulate of
// section 6.2.3). [Mutator.Havoc] has more edits to choose from.
func Any(t choices.Tree, eq Compat, r *rand.Rand) choices.Tree {
	switch r.IntN(3) {
	case 0:
		return Reroll(t, r)
	case 1:
		return Shrink(t, eq, r)
	}
	return Swap(t, eq, r)
}

// edited returns a tree of its own also where there is nothing to edit.
func edited(t choices.Tree, r *rand.Rand, edit func(*Mutator, choices.Tree, *rand.Rand) (choices.Tree, bool), eq Compat) choices.Tree {
	if out, ok := edit(&Mutator{Compat: eq}, t, r); ok {
		return out
	}
	return slices.Clone(t)
}

func (m *Mutator) reroll(t choices.Tree, r *rand.Rand) (choices.Tree, bool) {
	i := pickOne(t, r, asked)
	if i < 0 {
		return t, false
	}
	t = m.clone(t)
	t[i].Reroll = true
	return t, true
}

func (m *Mutator) shrink(t choices.Tree, r *rand.Rand) (choices.Tree, bool) {
	i, j, ok := m.pair(t, t, r, below(t), func(i, j int) bool { return true })
	if !ok {
		return t, false
	}
	return m.graft(t, i, t.At(j))
}

func (m *Mutator) swap(t choices.Tree, r *rand.Rand) (choices.Tree, bool) {
	i, j, ok := m.pair(t, t, r, anywhere(t), func(i, j int) bool { return apart(t, i, j) })
	if !ok {
		return t, false
	}
	return m.exchange(t, min(i, j), max(i, j)), true
}

// apart reports whether neither of t[i] and t[j] is below the other.
func apart(t choices.Tree, i, j int) bool { return t.End(j) <= i || j >= t.End(i) }

// exchange returns a copy of t in which the subtrees at i and j, which is behind that
// at i, have changed places.
func (m *Mutator) exchange(t choices.Tree, i, j int) choices.Tree {
	a, b := t.At(i), t.At(j)
	endA, endB := i+len(a), j+len(b)
	more := len(b) - len(a)
	out := m.room(len(t))
	out = append(append(append(append(append(out, t[:i]...), b...), t[endA:j]...), a...), t[endB:]...)
	out[i].Slot, out[i].Index = t[i].Slot, t[i].Index
	out[j+more].Slot, out[j+more].Index = t[j].Slot, t[j].Index
	for k := range t[:i] { // ancestors of one only
		if end := t.End(k); i < end && end <= j {
			out[k].Size += int32(more)
		}
	}
	for k := endA; k < j; k++ {
		if t.End(k) > j {
			out[k+more].Size -= int32(more)
		}
	}
	return out
}
