package rl

import (
	"fmt"

	"github.com/espalier-go/espalier/internal/hash"
)

// An Abstraction tells the state in which a choice is made: a hash of what it
// regards of the path (RLCheck, definition 4.1). It is asked once for each decision,
// and must be a function of the path.
type Abstraction func(p *Path) uint64

const emptyState uint64 = 0x9E3779B97F4A7C15 // not 0: then leading zeros would not count

// Sequence regards the last w answers, whatever they are of (RLCheck, section
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

// Tree regards the last w answers that influence the choice (see [Path]), but not
// where they stand: what is to the left and to the right is the same to it (RLCheck,
// section 4.3.1). It panics if w is negative.
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

// TreeLR is [Tree] with the places of the answers: the best of the paper's study of trees
// (RLCheck, section 4.3.1). The elements of a slice do not influence each other: for
// lists, [Sequence] is better. It panics if w is negative.
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
