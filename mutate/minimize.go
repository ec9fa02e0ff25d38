package mutate

import (
	"errors"
	"math"

	"github.com/espalier-go/espalier/choices"
)

// ErrStop is the error that remake returns to end [Minimize] early.
var ErrStop = errors.New("mutate: stop minimizing")

// Minimize looks for the simplest tree, in the order of [Compare], whose value still fails.
// remake runs the generator on a tree, usually by a replay with a nil random source, and
// returns the value and the tree that was recorded. Minimize skips a tree for which remake
// returns an error; [ErrStop] ends the search. fails reports whether the value still fails.
// It is called at most calls times, and never twice for the same tree; remake is called at
// most 10*calls+100 times. Minimize returns the last recorded tree that failed (or t), how
// often the tree became simpler, and how often fails was called.
//
// remake must not keep the tree that it is given. It may reuse the memory of a tree that it
// has returned, unless the value failed.
//
// t may be any tree whose value fails, such as one that a run has recorded, or one
// recovered from a value. Minimize is deterministic if remake and fails are.
//
// It repeats the following passes until none of them helps. Each edits the tree in one way,
// wherever it can. From raise on, a pass ends when 32 trees in a row did not help. In a large tree,
// hoist, uniform and cut skip most edits that did not help before, if only integers and texts have
// changed since, and zero and lower skip most integers that lower has already lowered. Before all
// passes, the integers and texts of a tree of more than 500 choices become the simplest, all at
// once, because one of them may keep the tree large.
//
//   - hoist: a value becomes a part of itself that is of the same type.
//   - uniform: the integers or texts of a long sequence become the simplest, and as few as a power of
//     two. Of equal elements, two to four are deleted at once, as often as possible.
//   - cut: elements of a sequence are deleted, runs of them at once. Picks that named what was
//     deleted take their first alternative, and integers whose ranges now end earlier, as
//     positions do, follow. A new pick, such as whether an empty map is nil, takes its second
//     alternative if the first does not fail. A pick takes its first alternative.
//   - merge: neighbors in a sequence, such as lists or texts in a list, become one.
//   - zero: integers become the simplest of their range, and texts become as short
//     and plain as possible, many at once.
//   - absorb: an integer is deleted, and added to the next or previous one.
//   - lower: an integer moves towards the simplest of its range, a text becomes
//     shorter and plainer, a pick takes an earlier alternative. Of huge integers, round ones
//     are tried. An integer that bounds later ones waits for them; they keep their distances from
//     the bound.
//   - together: the same for integers or texts that are equal, at once.
//   - raise: a pick takes an earlier alternative, and another part becomes the first part of
//     it.
//   - arrange: elements of a sequence are sorted, and adjacent parts of the same
//     type exchanged, so that the simpler one comes first.
//   - twins: parts that are equal are cut, hoisted and lowered at once.
//   - trade: an integer moves towards the simplest of its range while a later one moves to the end
//     of its own, and then back as far as the value still fails, whatever relation they keep.
//   - pairs: an integer moves towards the simplest of its range while another moves as
//     far, to keep their sum or difference.
//   - graft: of two parts of the same type, one becomes a part of the other.
//   - cutTwo: two elements of a sequence are deleted. They are not neighbors, or have
//     taken different alternatives.
//   - refer: an element is deleted, and integers that are positions of later ones follow,
//     even if their ranges do not say so.
//   - reorder: neighbors in a sequence are exchanged if that makes other parts simpler.
//   - rename: two integers are exchanged wherever they occur, or in all choices of one slot.
//   - scale: a huge integer becomes an integer of one digit, and the integer next to it,
//     which may be an exponent, follows.
//   - reduceTwo: hoist and raise work at two places at once.
//   - lengths: any rounds of a loop are deleted, and an integer that counts them is lowered.
//   - capacities: an element of a sequence is deleted, and an integer before it is lowered, or
//     raised.
//   - shiftAll: integers move by one common amount towards 0, or the simplest of their
//     ranges, to keep their differences.
//
// When none of them helps, and the tree has at most 100 choices, one more pass, alone, tries what
// they have left out of the edits of one part: each part is deleted, becomes the simplest, or becomes
// any part of itself that is of the same type; a pick takes any earlier alternative. If one helps, all
// passes follow.
func Minimize[V any](
	t choices.Tree, remake func(choices.Tree) (V, choices.Tree, error), fails func(V) bool, calls int,
) (simplest choices.Tree, steps, used int) {
	m := minimizer{
		edit:    Mutator{Reuse: true},
		left:    max(0, calls),
		edits:   100 + 10*max(0, calls),
		seen:    map[uint64]bool{},
		lowered: map[lowered]bool{},
		bounds:  map[lowered]bool{},
		inVain:  map[uint64]bool{},
	}
	m.become(nested(t))
	var v V
	m.remake = func(edited choices.Tree) (made choices.Tree, err error) {
		v, made, err = remake(edited)
		return made, err
	}
	m.fails = func() bool { return fails(v) }
	m.run()
	if m.steps == 0 {
		m.best = t
	}
	return m.best, m.steps, max(0, calls) - m.left
}

// run applies the passes until none of them helps. When a later pass has made the tree
// smaller, the first passes may help again. When it has only moved something, the other
// passes follow: two passes that undo each other's work take small steps, where a third
// may leap. A pass that would try the same again does not run.
func (m *minimizer) run() {
	m.patience = patience
	m.try(nil)
	if len(m.best) > 500 {
		m.zeroAll()
	}
	cheap := []func(){m.hoist, m.uniform, m.cut, m.merge, m.zero, m.absorb, m.lower, m.together}
	passes := append(cheap, m.raise, m.arrange, m.twins, m.trade, m.pairs, m.graft, m.cutTwo, m.refer,
		m.reorder,
		m.rename, m.scale, m.reduceTwo, m.lengths, m.capacities, m.shiftAll)
	idle := make([]int, len(passes)) // one more than the steps when the pass last made none
	for m.mayTry() {
		before := m.steps
		if smaller := m.round(passes, len(cheap), idle); smaller || m.steps > before {
			continue
		}
		if m.alone(); m.steps == before {
			return
		}
	}
}

// round runs the passes, or the cheap ones if the tree is large, until one after the first four
// makes the tree smaller.
func (m *minimizer) round(passes []func(), cheap int, idle []int) (smaller bool) {
	for i, pass := range passes {
		if !m.mayTry() || i >= cheap && len(m.best) > large {
			return false
		}
		if idle[i] == m.steps+1 {
			continue
		}
		steps, before := m.steps, size(m.best)
		m.pass, m.patience, m.repeats = i, patience, repeats
		if i < cheap {
			m.patience = math.MaxInt
		}
		pass()
		if m.steps == steps {
			idle[i] = steps + 1
		}
		if size(m.best) < before && i > 3 {
			return true
		}
	}
	return false
}
