package rl

import (
	"fmt"

	"github.com/espalier-go/espalier/internal/hash"
)

// An Abstraction returns the state in which a choice is made: a hash of the part of the
// path that matters (RLCheck, definition 4.1). It is called once for each decision and
// must depend on the path alone.
type Abstraction func(p *Path) uint64

const emptyState uint64 = 0x9E3779B97F4A7C15 // not 0: then leading zeros would not count

// Sequence abstracts a path to the last w answers, wherever they stand (RLCheck, section
// 4.3.1). It panics if w is negative.
func Sequence(w int) Abstraction {
	checkWindow("Sequence", w)
	return func(p *Path) uint64 {
		h := emptyState
		for _, a := range p.answers[max(0, len(p.answers)-w):] {
			h = hash.Mix(h, a)
		}
		return h
	}
}

// Tree abstracts a path to the last w answers that influence the choice (see [Path]),
// but not to their places: it does not distinguish left from right (RLCheck, section
// 4.3.1). It panics if w is negative.
func Tree(w int) Abstraction {
	checkWindow("Tree", w)
	return func(p *Path) uint64 {
		h := emptyState
		for _, i := range p.influences[max(0, len(p.influences)-w):] {
			h = hash.Mix(h, i.Answer)
		}
		return h
	}
}

// TreeLR is [Tree] with the places of the answers: Tree L/R of RLCheck, section 4.3.1. In
// the paper's study of search trees it makes the fewest valid inputs of the three
// abstractions, but the most unique and the largest ones. The elements of a slice do
// not influence each other, so [Sequence] is better for lists. TreeLR panics if w is
// negative.
func TreeLR(w int) Abstraction {
	checkWindow("TreeLR", w)
	return func(p *Path) uint64 {
		h := emptyState
		for _, i := range p.influences[max(0, len(p.influences)-w):] {
			h = hash.Mix(h, i.Place)
		}
		return h
	}
}

func checkWindow(name string, w int) {
	if w < 0 {
		panic(fmt.Sprintf("rl.%s: a window of %d answers", name, w))
	}
}
