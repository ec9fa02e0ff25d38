package rl

import (
	"math/rand/v2"

	"github.com/espalier-go/espalier/choices"
)

// A Guide makes the choices of a generator and learns from what becomes of its
// inputs: the guide of RLCheck, definition 3.1. It is made by [New], and serves
// one run of a generator at a time.
//
//	guide := rl.New(rand.New(rand.NewPCG(1, 2)))
//	for range 100_000 {
//		v, err := bigen.Value(gen, guide.Begin())
//		if err != nil || !valid(v) {
//			guide.Invalid()
//			continue
//		}
//		unique := guide.Valid(guide.Input())
//		...
//	}
type Guide struct {
	options
	r       *rand.Rand
	random  choices.Source // for what is not decided digit by digit
	learner learner
	trie    *trie   // nil if inputs may be made twice
	seen    *hashes // the characteristics of valid inputs

	path    Path
	open    bool           // an episode has begun
	follow  choices.Source // the episode repeats a tree
	rejects int            // values thrown away by filters in the episode
	point   uint64         // of the question being answered
	frozen  bool           // nothing is learned
	input   uint64         // hash of the decisions
}

// learner makes decisions and learns from rewards.
type learner interface {
	// choose returns one of the slots of d.free.
	choose(p *Path, d *decision) int
	// note is told of a decision that it has not made, but should learn from.
	note(p *Path, d *decision, slot int)
	// end closes the episode.
	end(outcome)
}

// outcome is what became of an input.
type outcome uint8

const (
	dropped outcome = iota // the episode does not count
	invalid
	valid // but not unique
	unique
)

// A decision is one of at most 16, its slots: a question, or a digit of one.
type decision struct {
	point uint64          // which one it is
	free  uint16          // the slots that may be taken: one at least
	prior *[slots]float32 // weights; nil if all are alike
	trie  *trie           // at the decision, or nil
}

const slots = 16

// New returns a Guide with the default policy, unless options change it, that
// takes its randomness from r.
func New(r *rand.Rand, opts ...Option) *Guide {
	g := &Guide{options: newOptions(opts), r: r, random: choices.Random(r)}
	g.path.init()
	g.seen = newHashes(g.memory / 8)
	g.learner = g.makeLearner(g)
	if g.policy != nil {
		g.adopt(g.policy)
	}
	if g.frozen = g.readOnly; g.frozen {
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
	return (*source)(g)
}

// Repeat begins an episode that answers as [choices.Replay] does from t: that of an
// example which is known to be valid, run backward, or of an earlier input.
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
	if g.open {
		g.end(dropped)
	}
	g.open, g.follow, g.rejects, g.input = true, follow, 0, 0
	g.path.reset()
	if g.frozen {
		g.thaw()
	}
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

func (g *Guide) end(o outcome) {
	if !g.open {
		return
	}
	g.open = false
	if g.frozen {
		o = dropped
	}
	g.learner.end(o)
	if g.trie != nil {
		g.trie.end(o)
	}
}

// decide makes one decision among the slots of full. A want that is not negative is
// taken in any case.
func (g *Guide) decide(point uint64, full uint16, prior *[slots]float32, want int, learned bool) int {
	if full&(full-1) == 0 {
		return trailing(full)
	}
	d := decision{point: point, free: full, prior: prior}
	if g.trie != nil {
		d.trie = g.trie
		if free := g.trie.at(full); free != 0 {
			d.free = free
		}
	}
	slot := want
	switch {
	case want >= 0:
		if learned {
			g.learner.note(&g.path, &d, want)
		}
	case learned:
		slot = g.learner.choose(&g.path, &d)
	default:
		slot = d.draw(g.r)
	}
	if g.trie != nil {
		g.trie.step(slot)
	}
	g.input = mix(g.input, uint64(slot)+1)
	return slot
}
