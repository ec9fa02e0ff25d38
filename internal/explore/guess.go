package explore

import (
	"hash/maphash"

	"github.com/espalier-go/espalier/choices"
)

// Guesses is a stack of edits that the comparisons of entries suggest. The zero value is usable.
type Guesses[E any] struct {
	stack []Guess[E]
	tried map[uint64]uint8 // by hash: how often a comparison was given an answer
	seed  maphash.Seed
}

// A Guess is an edit of the tree of an entry.
type Guess[E any] struct {
	Substitution
	Entry E
}

const (
	maxGuesses = 1 << 14
	maxTried   = 1 << 16
	// sameGuess is how often a comparison is given the same answer. In another value, the
	// answer may lead elsewhere.
	sameGuess = 4
)

// Push adds edits of an entry, the first on top.
func (g *Guesses[E]) Push(entry E, edits []Substitution) {
	if g.tried == nil || len(g.tried) > maxTried {
		g.tried, g.seed = map[uint64]uint8{}, maphash.MakeSeed()
	}
	if len(g.stack) > maxGuesses {
		g.stack = append(g.stack[:0], g.stack[len(g.stack)/2:]...)
	}
	for i := len(edits) - 1; i >= 0; i-- {
		h := maphash.Comparable(g.seed, struct {
			site uint64
			to   choices.Mark
		}{edits[i].Site, edits[i].To})
		if g.tried[h] < sameGuess {
			g.tried[h]++
			g.stack = append(g.stack, Guess[E]{edits[i], entry})
		}
	}
}

// Pop takes the edit from the top. It reports false if there is none.
func (g *Guesses[E]) Pop() (Guess[E], bool) {
	if len(g.stack) == 0 {
		return Guess[E]{}, false
	}
	last := g.stack[len(g.stack)-1]
	g.stack = g.stack[:len(g.stack)-1]
	return last, true
}

// compare runs the property again on an entry, records what the code compares, and makes
// guesses. It reports false if the run ends the exploration.
func (e *Explorer) compare(entry int) bool {
	tree := e.entries[entry].tree
	e.entries[entry].compared = true
	e.link.Trace.Reset()
	e.link.Trace.Recording.Store(true)
	o := e.again(tree)
	e.link.Trace.Recording.Store(false)
	e.count(o)
	e.link.Ran++
	if o.Result >= Failed {
		e.ends(o)
		return !e.out.over
	}
	e.guesses.Push(entry, Substitutions(e.comparer, tree, e.link.Trace))
	e.mutator.Dictionary = Marks(e.comparer)
	return true
}
