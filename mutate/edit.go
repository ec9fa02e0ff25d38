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
	t = slices.Clone(t)
	if i := pickOne(t, r, func(i int) bool { return t[i].Asked() }); i >= 0 {
		t[i].Reroll = true
	}
	return t
}

// Shrink replaces a Pick by a compatible one from below it, so that a value
// becomes one of its parts (shrinkMut; there, the topmost Pick of all, here, any).
// A tree in which no such Pick is found comes back unchanged.
func Shrink(t choices.Tree, eq Compat, r *rand.Rand) choices.Tree {
	for i := range rotated(len(t), r) {
		if t[i].Kind != choices.Pick {
			continue
		}
		below := t.At(i)
		j := pickOne(below, r, func(j int) bool {
			return j > 0 && below[j].Kind == choices.Pick && eq(&below[j], &t[i])
		})
		if j >= 0 {
			return t.Splice(i, below.At(j))
		}
	}
	return slices.Clone(t)
}

// Swap exchanges two compatible Picks, neither of which is below the other and
// whose choices differ (swapMut). A tree in which no such Picks are found comes
// back unchanged.
func Swap(t choices.Tree, eq Compat, r *rand.Rand) choices.Tree {
	for i := range rotated(len(t), r) {
		if t[i].Kind != choices.Pick {
			continue
		}
		j := pickOne(t, r, func(j int) bool {
			apart := t.End(j) <= i || j >= t.End(i)
			return apart && t[j].Kind == choices.Pick && eq(&t[j], &t[i]) && !sameChoices(t.At(i), t.At(j))
		})
		if j >= 0 {
			first, second := min(i, j), max(i, j)
			return t.Splice(second, t.At(first)).Splice(first, t.At(second))
		}
	}
	return slices.Clone(t)
}

// Any applies Reroll, Shrink or Swap, each equally often (the manipulate of
// section 6.2.3).
func Any(t choices.Tree, eq Compat, r *rand.Rand) choices.Tree {
	switch r.IntN(3) {
	case 0:
		return Reroll(t, r)
	case 1:
		return Shrink(t, eq, r)
	}
	return Swap(t, eq, r)
}

// pickOne returns an index of t that ok accepts, all equally often, or -1.
func pickOne(t choices.Tree, r *rand.Rand, ok func(i int) bool) int {
	found, seen := -1, 0
	for i := range t {
		if ok(i) {
			if seen++; r.IntN(seen) == 0 {
				found = i
			}
		}
	}
	return found
}

// rotated yields up to 100 successive numbers of 0 to n-1, beginning anywhere.
func rotated(n int, r *rand.Rand) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		if n == 0 {
			return
		}
		start := r.IntN(n)
		for k := range min(n, 100) {
			if !yield((start + k) % n) {
				return
			}
		}
	}
}

// sameChoices reports whether two trees make the same choices, wherever they stand.
func sameChoices(a, b choices.Tree) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Kind != b[i].Kind || a[i].Tag != b[i].Tag || a[i].N != b[i].N {
			return false
		}
	}
	return true
}
