package explore

import (
	"hash/maphash"

	"github.com/espalier-go/espalier/choices"
)

// guesses is a stack of edits that the comparisons of entries suggest.
type guesses struct {
	stack []guess
	tried map[uint64]uint8 // by hash: how often a comparison was given an answer
	seed  maphash.Seed
}

type guess struct {
	substitution
	entry int
}

const (
	maxGuesses = 1 << 14
	maxTried   = 1 << 16
	// sameGuess is how often a comparison is given the same answer. In another value, the
	// answer may lead elsewhere.
	sameGuess = 4
)

// push adds edits of an entry, the first on top.
func (g *guesses) push(entry int, edits []substitution) {
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
			g.stack = append(g.stack, guess{edits[i], entry})
		}
	}
}

func (g *guesses) pop() (guess, bool) {
	if len(g.stack) == 0 {
		return guess{}, false
	}
	last := g.stack[len(g.stack)-1]
	g.stack = g.stack[:len(g.stack)-1]
	return last, true
}

// compare runs the property again on an entry, records what the code compares, and guesses
// what to put in. It reports false if the run ends the exploration.
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
	e.guesses.push(entry, substitutions(e.comparer, tree, e.link.Trace))
	e.mutator.Dictionary = marks(e.comparer)
	return true
}
