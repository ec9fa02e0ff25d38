package mutate

import (
	"math/bits"
	"math/rand/v2"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
)

// A Mutator edits trees in more ways than the paper does. Its zero value is ready to use:
//
//	m := mutate.Mutator{Corpus: others, Dictionary: choices.Marks(404, "GET")}
//	edited, ok := m.Havoc(tree, r)
//
// Each edit returns a new tree, which must be replayed. If it finds nothing to do, it
// returns the tree that it was given, and false. Its result depends only on its tree,
// the state of r and the fields of the Mutator. It takes time in proportion to the sizes
// of the trees. The tree may have been edited before. No edit makes a tree of more than
// 65,536 choices.
//
// Edits of sequences, such as slices, work on the sequences that [Sequences] yields.
type Mutator struct {
	// Compat says which Picks can replace each other; nil means [SameFamily]. If two
	// Picks took equal tags, the first choices below them must answer the same question,
	// too, because all sequences share their tags.
	Compat Compat

	// Corpus has trees of the same generator for the operators splice and crossover to
	// take parts from.
	Corpus []choices.Tree

	// Dictionary has integers and texts for the operator constant to put in; see
	// [choices.Marks].
	Dictionary []choices.Mark

	// Operators are the edits that [Mutator.Havoc] chooses from; nil means [Operators].
	Operators []Operator

	// Reuse makes edits reuse memory. The tree that an edit returns is valid until another
	// tree is edited: it can be edited itself, as can the result of that, and so on. Only
	// one goroutine at a time may use such a Mutator.
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

// upTo returns a number from 1 to most: 1 with probability 1/2, 2 with 1/4, and so on.
func upTo(most int, r *rand.Rand) int { return min(most, 1+bits.TrailingZeros64(r.Uint64())) }
