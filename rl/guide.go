package rl

import (
	"math/rand/v2"

	"github.com/espalier-go/espalier/choices"
)

// A Guide makes the choices of a generator and learns from what becomes of its
// inputs: the guide of RLCheck, definition 3.1. It is made by [New], and serves
// one run of a generator at a time: Begin or Repeat, the run, and then Valid or Invalid,
// once. What comes out of this order has no effect.
type Guide struct {
	options
	r       *rand.Rand
	random  choices.Source // for runes that are not decided digit by digit
	learner learner
	trie    *trie   // nil if inputs may be made twice
	seen    *hashes // the characteristics of valid inputs
	archive archive

	strategies []strategy
	strategy   int  // of the episode
	found      bool // a valid input
	tried      int  // inputs, until then

	// The episode.
	open       bool
	follow     choices.Source // the tree that it repeats, or nil
	back       returning
	path       Path
	transcript transcript
	rejects    int    // values that filters have thrown away
	rejected   bool   // the next question is the first of another attempt
	input      uint64 // hash of the decisions

	// The question.
	wish  wish
	avoid int // the slot not to be taken, or -1
}

// wish is the answer that a question should have.
type wish struct {
	n    int64 // Pick: the index of the alternative
	text string
	is   bool // there is one, and the decisions so far agree with it
	must bool // even if that makes an input twice
}

// learner makes decisions and learns from what comes of them.
type learner interface {
	// choose returns one of the slots of d.free.
	choose(p *Path, d *decision) int
	// repeat is told of a decision that it has not made.
	repeat(p *Path, d *decision, slot int)
	// mark returns how far the episode has come.
	mark() mark
	// reject is told that a filter has thrown away what was decided since.
	reject(since mark)
	// end closes the episode.
	end(outcome)
}

// mark is a number of things that a learner keeps about an episode.
type mark struct{ made, repeated int32 }

// outcome is what became of an input.
type outcome uint8

const (
	dropped outcome = iota // the episode does not count
	invalid
	valid // but not unique
	unique
)

// New returns a Guide with the default policy, unless options change it, that
// takes its randomness from r.
func New(r *rand.Rand, opts ...Option) *Guide {
	g := &Guide{options: newOptions(opts), r: r, random: choices.Random(r)}
	g.path.init()
	g.seen = newHashes(g.memory / 8)
	g.archive.most = g.memory / 8
	g.strategies = newStrategies(g.greeds, g.returns)
	g.learner = g.makeLearner(g)
	if g.policy != nil {
		g.adopt(g.policy)
	}
	if g.readOnly {
		g.freeze()
	}
	if g.once {
		g.trie = newTrie(g.memory / 2)
	}
	return g
}

// Begin begins an episode and returns the source of its choices, for one run of a
// generator. [Guide.Valid] or [Guide.Invalid] ends it; an episode that is still
// open is dropped: nothing is learned from it.
func (g *Guide) Begin() choices.Source {
	g.begin(nil)
	g.strategy = drawStrategy(g.strategies, len(g.archive.kept) > 0, g.r)
	if g.strategies[g.strategy].returns {
		g.back.begin(g.archive.draw(g.r), g.r)
	}
	return (*source)(g)
}

// Repeat begins an episode that answers as [choices.Replay] does from t: that of an
// example which is known to be valid, run backward, or of an earlier input. So the
// first valid input need not be luck:
//
//	t, err := bigen.Choices(gen, example)
//	...
//	bigen.Run(gen, guide.Repeat(t))
//	guide.Valid(guide.Input())
func (g *Guide) Repeat(t choices.Tree) choices.Source {
	g.begin(choices.Replay(t, g.r))
	return (*source)(g)
}

func (g *Guide) begin(follow choices.Source) {
	if g.trie != nil {
		g.trie.end(dropped)
	}
	g.learner.end(dropped)
	g.open, g.follow, g.rejects, g.rejected, g.input = true, follow, 0, false, 0
	g.back.to = nil
	g.path.reset()
	if g.readOnly {
		g.thaw()
	}
	g.transcript.reset()
}

// Input returns a hash of the choices of the episode: the characteristic by which
// every input differs.
func (g *Guide) Input() uint64 { return g.input }

// Valid ends the episode: its input was valid. xi is a hash of the input's
// characteristic of interest, the xi of RLCheck, definition 3.3: [Guide.Input], or
// that of the value, of a label, of a structural feature or of the coverage it has.
// It reports whether no valid input had the same before, among those remembered. An
// input on which a test fails is valid.
func (g *Guide) Valid(xi uint64) (isUnique bool) {
	if !g.open {
		return false
	}
	isUnique = g.seen.add(xi)
	if isUnique {
		g.end(unique)
	} else {
		g.end(valid)
	}
	return isUnique
}

// Invalid ends the episode: its input was not valid, or the generator rejected the
// run.
func (g *Guide) Invalid() { g.end(invalid) }

// Exhausted reports whether all inputs have been made, so that those to come are made
// again. It is always false where inputs may be made twice: with [MonteCarlo], [Repeats]
// and [ReadOnly].
func (g *Guide) Exhausted() bool { return g.trie != nil && g.trie.exhausted() }

func (g *Guide) end(o outcome) {
	if !g.open {
		return
	}
	g.open = false
	if g.trie != nil {
		g.trie.end(o)
	}
	if o == invalid && g.needsLuck && !g.found {
		g.learner.end(dropped) // what is to blame cannot be told from nothing valid
		g.tried++
		return
	}
	g.found = g.found || o == valid || o == unique
	g.learner.end(o)
	if g.follow == nil {
		g.strategies[g.strategy].credit(o)
	}
	if m := g.back.to; m != nil {
		m.fruitless++
		if o == unique {
			m.fruitless = 0
		}
	}
	if g.returns && o == unique {
		g.archive.add(g.transcript.answers, g.r)
	}
}
