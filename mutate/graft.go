package mutate

import (
	"math/rand/v2"

	"github.com/espalier-go/espalier/choices"
)

// grow regenerates a small subtree at random, so that it usually becomes larger. If some
// Pick takes the first alternative, as leaves do, and another one of its alternatives has
// led to more elsewhere in the tree, the Pick takes another alternative. A sequence gets
// one or more elements at its end. It applies the random mutation of Nautilus and the
// generation of LangFuzz to small subtrees.
func (m *Mutator) grow(t choices.Tree, r *rand.Rand) (edited choices.Tree, ok bool) {
	const mostSize = 8
	var sizes [256]int32 // the largest of each family, except for collisions
	for i := range t {
		if c := &t[i]; c.Kind == choices.Pick {
			size := &sizes[c.Family%256]
			*size = max(*size, c.Size)
		}
	}
	small := func(c *choices.Choice) bool {
		return c.Kind == choices.Pick && c.N == 0 && c.Hi > 0 && c.Size <= mostSize
	}
	i := pickOne(t, r, func(c *choices.Choice) bool {
		return small(c) && c.Size < sizes[c.Family%256]
	})
	if i < 0 {
		if i = pickOne(t, r, small); i < 0 {
			return t, false
		}
	}
	c := regenerated(t[i])
	if c.Index == 0 { // no sequence, or an empty one
		return m.replace(t, i, t.End(i), choices.Tree{c})
	}
	return m.replace(t, i, t.End(i), choices.Tree{c, c, c, c, c, c, c, c}[:upTo(8, r)], t.At(i))
}

// regenerated returns the mark that makes a replay answer c differently, and everything
// below it at random.
func regenerated(c choices.Choice) choices.Choice {
	c.Kind, c.Reroll, c.Size = choices.Regenerate, true, 1
	return c
}

// nest replaces a subtree by a copy of a compatible one above it, so that a value becomes a
// part of itself: a step of the random recursive mutation of Nautilus, and the inverse of
// [Shrink].
func (m *Mutator) nest(t choices.Tree, r *rand.Rand) (edited choices.Tree, ok bool) {
	i, j, ok := m.pair(t, t, r, below(t), func(i, j int) bool { return true })
	if !ok {
		return t, false
	}
	return m.graft(t, j, t.At(i))
}

// copy replaces a subtree by a copy of a compatible one that is neither above nor below it,
// so that the value has two equal parts.
func (m *Mutator) copy(t choices.Tree, r *rand.Rand) (edited choices.Tree, ok bool) {
	return m.transplant(t, t, r, anywhere(t), func(i, j int) bool {
		return apart(t, i, j) && tells(&t[j])
	})
}

// splice replaces a subtree by a compatible one of a tree of the Corpus. LangFuzz replaces
// code fragments this way, Superion and Nautilus replace subtrees.
func (m *Mutator) splice(t choices.Tree, r *rand.Rand) (edited choices.Tree, ok bool) {
	u, ok := m.other(r)
	if !ok {
		return t, false
	}
	return m.transplant(t, u, r, anywhere(u), func(i, j int) bool { return tells(&u[j]) })
}

// tells reports whether the subtree of c is more than a first alternative.
func tells(c *choices.Choice) bool { return c.Size > 1 || c.N != 0 }

// other returns a tree of the Corpus.
func (m *Mutator) other(r *rand.Rand) (choices.Tree, bool) {
	if len(m.Corpus) == 0 {
		return nil, false
	}
	return m.Corpus[r.IntN(len(m.Corpus))], true
}
