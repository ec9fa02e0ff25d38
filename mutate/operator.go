package mutate

import (
	"math/rand/v2"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
)

// An Operator is an edit with a name.
type Operator struct {
	Name  string
	Apply func(m *Mutator, t choices.Tree, r *rand.Rand) (edited choices.Tree, ok bool)
}

var operators = [...]Operator{
	{"reroll", (*Mutator).reroll},
	{"shrink", (*Mutator).shrink},
	{"swap", (*Mutator).swap},
	{"nudge", (*Mutator).nudge},
	{"equalize", (*Mutator).equalize},
	{"constant", (*Mutator).constant},
	{"grow", (*Mutator).grow},
	{"nest", (*Mutator).nest},
	{"copy", (*Mutator).copy},
	{"splice", (*Mutator).splice},
	{"duplicate", (*Mutator).duplicate},
	{"delete", (*Mutator).delete},
	{"permute", (*Mutator).permute},
	{"crossover", (*Mutator).crossover},
}

// Operators returns all operators, always in the same order. Each makes one edit; for more
// edits, apply one to the result of another.
//
//   - reroll, shrink and swap are [Reroll], [Shrink] and [Swap].
//   - nudge changes one integer or text a little, or the length of a sequence by one.
//   - equalize gives one integer or text the value of another.
//   - constant puts in a constant of the Dictionary.
//   - grow regenerates a small subtree, which usually becomes larger.
//   - nest replaces a subtree by a copy of a compatible one above it.
//   - copy replaces a subtree by a copy of a compatible one elsewhere in the tree.
//   - splice replaces a subtree by a compatible one of a tree of the Corpus.
//   - duplicate, delete and permute repeat, delete and reorder elements of a sequence.
//   - crossover ends a sequence as a sequence of the Corpus ends.
func Operators() []Operator { return slices.Clone(operators[:]) }

// Agreeing returns more operators, for values that are mostly invalid because their parts must
// agree, such as heights in a tree, or lengths of blocks. There, no edit of a single choice leads
// from a valid value to a larger one.
//
//   - extend adds a small part, and changes the parts around it in step.
//   - recolor changes a part in step with the parts directly below it.
func Agreeing() []Operator {
	return []Operator{{"extend", (*Mutator).extend}, {"recolor", (*Mutator).recolor}}
}

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
		at := r.IntN(len(from))
		for range from {
			var done bool
			if t, done = from[at].Apply(m, t, r); done {
				ok = true
				break
			}
			at = r.IntN(len(from)) // not the next one, which would get the share of all before it
		}
	}
	return t, ok
}
