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
// returns the tree that it was given, and false. Its result depends on nothing but its
// tree, the state of r and the fields of the Mutator; it takes time in proportion to the
// sizes of the trees. The tree may have been edited before. No edit makes a tree of more
// than 65,536 choices.
//
// Edits of sequences, such as slices, work on those that [Sequences] yields.
type Mutator struct {
	// Compat says which Picks can replace each other; nil means [SameFamily]. If two
	// Picks took equal tags, the first choices below them must answer the same question,
	// too, because all sequences share their tags.
	Compat Compat

	// Corpus has trees of the same generator for [Mutator.Splice] and
	// [Mutator.Crossover] to take parts from.
	Corpus []choices.Tree

	// Dictionary has integers and texts for [Mutator.Constant] to put in; see
	// [choices.Marks].
	Dictionary []choices.Mark

	// Operators are those that [Mutator.Havoc] chooses from; nil means all.
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

// An Operator is an edit with a name.
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
// case. Each makes one edit; for more edits, apply one to the result of another.
func Operators() []Operator { return slices.Clone(operators[:]) }

// maxStack bounds how many edits Havoc makes.
const maxStack = 16

// Havoc applies a random one of the [Operators], with probability 1/2 another one, and so
// on, up to 16: the stacked mutations of AFL's havoc stage. If an operator finds nothing to
// do, another takes its place.
func (m *Mutator) Havoc(t choices.Tree, r *rand.Rand) (edited choices.Tree, ok bool) {
	from := m.Operators
	if len(from) == 0 {
		from = operators[:]
	}
	for range upTo(maxStack, r) {
		start := r.IntN(len(from))
		for k := range from {
			var done bool
			if t, done = from[(start+k)%len(from)].Apply(m, t, r); done {
				ok = true
				break
			}
		}
	}
	return t, ok
}

// upTo returns a number from 1 to most: 1 with probability 1/2, 2 with 1/4, and so on.
func upTo(most int, r *rand.Rand) int { return min(most, 1+bits.TrailingZeros64(r.Uint64())) }
