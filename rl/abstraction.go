package rl

import (
	"fmt"

	"github.com/espalier-go/espalier/internal/hash"
)

// An Abstraction returns the state in which a choice is made: a hash of the part of the
// path that matters (RLCheck, definition 4.1). It is called once for each decision and
// must depend only on the path.
type Abstraction func(p *Path) uint64

const emptyState uint64 = 0x9E3779B97F4A7C15 // not 0: then leading zeros would not count

// Sequence abstracts a path to the last w answers, wherever they are (RLCheck, section
// 4.3.1). It panics if w is negative.
func Sequence(w int) Abstraction {
	return last("Sequence", w, (*Path).Answers, func(answer uint64) uint64 { return answer })
}

// Tree abstracts a path to the last w answers that influence the choice (see [Path]),
// but not to their places: it does not distinguish left from right (RLCheck, section
// 4.3.1). It panics if w is negative.
func Tree(w int) Abstraction {
	return last("Tree", w, (*Path).Influences, func(i Influence) uint64 { return i.Answer })
}

// TreeLR is [Tree] with the places of the answers: Tree L/R of RLCheck, section 4.3.1. In
// the paper's study of search trees, it makes the fewest valid inputs of the three
// abstractions, but the most unique and the largest ones. The elements of a slice do not
// influence each other, so [Sequence] is better for lists. TreeLR panics if w is
// negative.
func TreeLR(w int) Abstraction {
	return last("TreeLR", w, (*Path).Influences, func(i Influence) uint64 { return i.Place })
}

// last abstracts a path to a hash of each of the last w of its items.
func last[E any](name string, w int, items func(*Path) []E, hashOf func(E) uint64) Abstraction {
	if w < 0 {
		panic(fmt.Sprintf("rl.%s: a window of %d answers", name, w))
	}
	return func(p *Path) uint64 {
		h, all := emptyState, items(p)
		for _, e := range all[max(0, len(all)-w):] {
			h = hash.Mix(h, hashOf(e))
		}
		return h
	}
}
