package mutate

import (
	"math/bits"
	"math/rand/v2"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
)

// A Mutator edits trees in more ways than the paper. Its zero value is ready to use:
//
//	m := mutate.Mutator{Corpus: others, Dictionary: choices.Marks(404, "GET")}
//	edited, ok := m.Havoc(tree, r)
//
// Each edit returns a new tree, which must be replayed, or, where it finds nothing
// to do, the tree it was given and false. It depends on nothing but its tree, the
// state of r and the fields of the Mutator, and takes time in proportion to the
// sizes of the trees. The tree may have been edited before; no edit makes one of
// more than 65,536 choices.
//
// Edits of sequences, such as slices, see those of two elements or more, and those
// of one that have room for another: siblings that share a slot.
type Mutator struct {
	// Compat says which Picks can stand for each other; nil means [SameFamily].
	// Of two that took equal tags the first choices below must also answer the
	// same question: all sequences share their tags.
	Compat Compat

	// Corpus has trees of the same generator for [Mutator.Splice] and
	// [Mutator.Crossover] to take parts from.
	Corpus []choices.Tree

	// Dictionary has integers and texts for [Mutator.Constant] to put in; see
	// [choices.Marks].
	Dictionary []choices.Mark

	// Reuse has edits put their trees into the same memory, again and again: what one
	// returns is valid until another tree is edited. It can itself be edited, and what
	// comes of it, and so on. Such a Mutator must be used by one goroutine at a time.
	Reuse   bool
	buffers [2]choices.Tree
	turn    int
}

// room returns an empty tree that has room for n choices.
func (m *Mutator) room(n int) choices.Tree {
	if !m.Reuse {
		return make(choices.Tree, 0, n)
	}
	m.turn = 1 - m.turn
	b := &m.buffers[m.turn]
	*b = slices.Grow((*b)[:0], n)
	return *b
}

func (m *Mutator) clone(t choices.Tree) choices.Tree { return append(m.room(len(t)), t...) }

// An Operator is an edit that can be chosen by its name.
type Operator struct {
	Name  string
	Apply func(m *Mutator, t choices.Tree, r *rand.Rand) (edited choices.Tree, ok bool)
}

var operators = [...]Operator{
	{"reroll", (*Mutator).reroll},
	{"shrink", (*Mutator).shrink},
	{"swap", (*Mutator).swap},
	{"nudge", (*Mutator).Nudge},
	{"equalize", (*Mutator).Equalize},
	{"constant", (*Mutator).Constant},
	{"grow", (*Mutator).Grow},
	{"nest", (*Mutator).Nest},
	{"copy", (*Mutator).Copy},
	{"splice", (*Mutator).Splice},
	{"duplicate", (*Mutator).Duplicate},
	{"delete", (*Mutator).Delete},
	{"permute", (*Mutator).Permute},
	{"crossover", (*Mutator).Crossover},
}

// Operators returns all operators, always in the same order: [Reroll], [Shrink],
// [Swap] and the methods of [Mutator], other than Havoc, under their names in lower
// case. Each makes one edit; for more, apply one to what another has returned.
func Operators() []Operator { return slices.Clone(operators[:]) }

// maxStack bounds how many edits Havoc makes.
const maxStack = 16

// Havoc makes one random edit of all [Operators], with probability 1/2 another one,
// and so on, up to 16: the stacked mutations of AFL's havoc stage. An operator that
// finds nothing to do is replaced by another.
func (m *Mutator) Havoc(t choices.Tree, r *rand.Rand) (edited choices.Tree, ok bool) {
	for range upTo(maxStack, r) {
		start := r.IntN(len(operators))
		for k := range operators {
			var done bool
			if t, done = operators[(start+k)%len(operators)].Apply(m, t, r); done {
				ok = true
				break
			}
		}
	}
	return t, ok
}

// upTo returns a number from 1 to most: 1 with probability 1/2, 2 with 1/4, and so on.
func upTo(most int, r *rand.Rand) int { return min(most, 1+bits.TrailingZeros64(r.Uint64())) }
