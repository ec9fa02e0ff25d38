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
