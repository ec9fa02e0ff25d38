package api

import (
	"math/rand/v2"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/archive"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/explore"
)

// A code is what sequences have reached in the code of the package, if that is instrumented. States
// of values do not tell how far calls get that refuse their arguments, as parsers do. So sequences
// that reach new code are kept beside sequences that reach new states, to edit their arguments: also
// as the comparisons of their last calls suggest.
type code struct {
	link     *engine.Link // nil if the code is not instrumented
	watching bool         // the sequence that runs, not one that runs again
	observed bool         // calls of it
	seen     *engine.Coverage
	kept     *archive.Archive[*sequence] // sequences that reach new code
	guesses  explore.Guesses[*sequence]
	comparer *engine.Comparer
}

func newCode(link *engine.Link) code {
	if link == nil {
		return code{}
	}
	return code{
		link: link, seen: engine.NewCoverage(len(link.Counters)),
		kept: archive.New[*sequence](maxArchive), comparer: engine.NewComparer(1),
	}
}

// observe has the next call of a sequence observed, if it is watched. Only the comparisons of the
// last call are recorded.
func (c *code) observe(last bool) {
	if !c.watching || c.link == nil {
		return
	}
	if !c.observed {
		clear(c.link.Counters)
		c.observed = true
	}
	c.link.Trace.Reset()
	c.link.Trace.Recording.Store(last)
}

// news reports whether the sequence that has run reaches new code.
func (c *code) news() bool {
	c.watching = false
	if !c.observed {
		return false
	}
	c.link.Trace.Recording.Store(false)
	c.observed = false
	return c.seen.Add(c.link.Counters) > 0
}

// learn keeps a sequence that has run if it reaches new code. It learns from its comparisons, and
// from the comparisons of one in 16 others.
func (g *generator) learn(s *sequence, reaches, passed bool) {
	if g.code.link == nil || !reaches && g.rand.IntN(16) > 0 {
		return
	}
	s = s.own()
	s.passed = passed
	if reaches {
		g.tell(g.opts.Kept)
		class := archive.ClassOf(len(s.calls))
		if e, isNew := g.code.kept.Add(s.sum(), class, len(s.tree), g.rand); isNew {
			e.Value = s
		}
	}
	g.code.guesses.Push(s, explore.Substitutions(g.code.comparer, s.tree, g.code.link.Trace))
	g.mutator.Dictionary = explore.Marks(g.code.comparer)
}

// draw returns a sequence that has reached new code, half of the time, if more calls may follow it.
func (c *code) draw(r *rand.Rand) *archive.Entry[*sequence] {
	if c.link == nil || r.IntN(2) == 0 {
		return nil
	}
	if e := c.kept.Draw(r); e != nil && e.Value.passed {
		e.Tries++
		return e
	}
	return nil
}

// argue returns a sequence that has reached new code, and its tree with other arguments. It returns
// nil if it is not the turn of one.
func (g *generator) argue() (parent *sequence, edited choices.Tree) {
	if g.code.link == nil || g.rand.IntN(2) == 0 {
		return nil, nil
	}
	if guess, ok := g.code.guesses.Pop(); ok && g.rand.IntN(4) != 0 {
		parent, edited = guess.Entry, guess.Apply(guess.Entry.tree)
	} else if e := g.code.kept.Draw(g.rand); e != nil {
		e.Tries++
		g.mutator.Corpus = []choices.Tree{g.code.kept.Draw(g.rand).Value.tree}
		parent = e.Value
		woven := false
		if edited = parent.tree; g.rand.IntN(2) == 0 {
			edited, woven = weave(&g.mutator, edited, g.rand)
		}
		if !woven || g.rand.IntN(2) == 0 {
			edited, _ = g.mutator.Havoc(edited, g.rand)
		}
	} else {
		return nil, nil
	}
	g.renumber(edited, false)
	return parent, edited
}
