package fuzzext

import (
	"hash/maphash"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/mutate"
)

// guesses are edits that the comparisons of entries suggest, those of the latest entry
// first.
type guesses struct {
	stack []guessed
	tried map[uint64]uint8 // how often something was put in at a place in the code
	seed  maphash.Seed
}

type guessed struct {
	mutate.Substitution
	entry int
}

const (
	maxGuesses = 1 << 14
	maxTried   = 1 << 16
	// sameGuess is how often the same comparison is given the same answer: in other
	// surroundings it may lead to something else.
	sameGuess = 4
)

// push adds the edits that are to be made of an entry.
func (g *guesses) push(entry int, edits []mutate.Substitution) {
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
			g.stack = append(g.stack, guessed{edits[i], entry})
		}
	}
}

func (g *guesses) pop() (guessed, bool) {
	if len(g.stack) == 0 {
		return guessed{}, false
	}
	last := g.stack[len(g.stack)-1]
	g.stack = g.stack[:len(g.stack)-1]
	return last, true
}

// compare runs the property again on an entry to see what the code compares, and
// guesses what to put in. It reports false if the run has failed.
func (e *explorer) compare(s *trial, entry int) bool {
	tree := e.entries[entry].tree
	e.entries[entry].compared = true
	e.link.Trace.Reset()
	e.link.Trace.Recording.Store(true)
	t := e.subject.again(s, tree)
	e.link.Trace.Recording.Store(false)
	if t == nil || t.Failed() {
		e.ends(s, t)
		return !e.out.over()
	}
	e.stats.Executions++
	e.link.Ran++
	s.recycle(t)
	e.texts = e.link.Trace.Texts(e.texts[:0])
	e.dictionary.Add(tree, e.link.Trace.Numbers(), e.texts)
	e.mutator.Dictionary = e.dictionary.Marks()
	e.guesses.push(entry, mutate.Substitutions(tree, e.link.Trace.Numbers(), e.texts))
	return true
}
