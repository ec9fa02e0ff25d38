package mutate

import (
	"math/rand/v2"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
)

// A Compat reports whether the part that Pick a made can replace the part that b made. It
// must be an equivalence. Picks of different types should not be compatible: a replay would
// regenerate one of the parts ("Bigenerators, Exposed!", section 6.2.2).
type Compat func(a, b *choices.Choice) bool

// SameTag is the [Compat] of the paper: Picks that took equal tags are compatible.
func SameTag(a, b *choices.Choice) bool { return a.Tag == b.Tag }

// SameFamily is a [Compat]: Picks that offer the same alternatives are compatible, so that
// a leaf and a node can change places.
func SameFamily(a, b *choices.Choice) bool { return a.Family == b.Family }

// Reroll marks one choice that has alternatives to be made again (rerollMut). A replay
// with a random source keeps the other choices as far as they remain possible. If there is
// no such choice, Reroll returns a copy of the tree.
func Reroll(t choices.Tree, r *rand.Rand) choices.Tree {
	return edited(t, r, (*Mutator).reroll, nil)
}

// Shrink replaces a Pick by a compatible one from below it, so that a value becomes one of
// its parts (shrinkMut; the paper replaces the topmost Pick, Shrink any). If it finds no
// such Pick, it returns a copy of the tree.
func Shrink(t choices.Tree, eq Compat, r *rand.Rand) choices.Tree {
	return edited(t, r, (*Mutator).shrink, eq)
}

// Swap exchanges two compatible Picks whose choices differ, if neither is below
// the other (swapMut). If it finds no such Picks, it returns a copy of the tree.
func Swap(t choices.Tree, eq Compat, r *rand.Rand) choices.Tree {
	return edited(t, r, (*Mutator).swap, eq)
}

// Any applies Reroll, Shrink or Swap, each equally often (manipulate, section 6.2.3).
// [Mutator.Havoc] chooses among more edits.
func Any(t choices.Tree, eq Compat, r *rand.Rand) choices.Tree {
	switch r.IntN(3) {
	case 0:
		return Reroll(t, r)
	case 1:
		return Shrink(t, eq, r)
	}
	return Swap(t, eq, r)
}

// edited returns the tree after an edit, or a copy if there is nothing to edit.
func edited(
	t choices.Tree, r *rand.Rand,
	edit func(*Mutator, choices.Tree, *rand.Rand) (choices.Tree, bool), eq Compat,
) choices.Tree {
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
	return m.transplant(t, t, r, below(t), func(i, j int) bool { return true })
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

// exchange returns a copy of t in which the subtrees at i and j have changed places. The
// subtree at j must come after the one at i.
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
