package rl

import (
	"math"
	"math/rand/v2"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/archive"
	"github.com/espalier-go/espalier/internal/engine"
)

// A Guide makes the choices of a generator and learns from the outcome of each input:
// the guide of RLCheck, definition 3.1. [New] makes one.
//
// A Guide serves one run of a generator at a time. An episode is a call of Begin or
// Replay, the run, and one call of Valid or Invalid. A call out of this order has no
// effect. A Guide must not be used by several goroutines at once.
type Guide struct {
	options
	r       *rand.Rand
	random  choices.Source // for runes that are not decided digit by digit
	learner learner
	trie    *trie                          // nil if inputs may be made twice
	usual   float32                        // rarity of a valid input
	seen    *table[uint32]                 // how often valid inputs have had a characteristic
	archive *archive.Archive[choices.Tree] // valid inputs that were worth much, to revisit

	bandit   *engine.Bandit // of strategies; nil if there is one
	strategy int            // the episode's
	found    bool           // an input was valid
	tried    int            // invalid inputs before that

	// The episode.
	open       bool
	follow     choices.Source // the source that the episode replays, or nil
	revisit    revisit
	path       Path
	transcript transcript
	rejects    int    // values that filters have rejected
	rejected   bool   // the next question is the first of another attempt
	input      uint64 // hash of the decisions
	alike      uint32 // valid inputs with its characteristic, itself included

	// The question.
	wish  wish
	avoid int // the slot to avoid, or -1
}

// New returns a Guide that takes its randomness from r. It has the default policy unless
// an option replaces it.
func New(r *rand.Rand, opts ...Option) *Guide {
	g := &Guide{options: newOptions(opts), r: r, random: choices.Random(r), usual: 1}
	g.path.structural = map[uint64]struct{}{}
	g.seen = newTable[uint32](g.memory/8, 0, 8)
	g.archive = archive.New[choices.Tree](g.memory / 8)
	if !g.plain {
		g.bandit = newBandit()
	}
	if g.newLearner == nil {
		g.newLearner = func(g *Guide) learner { return newFactors(g) }
	}
	g.learner = g.newLearner(g)
	if g.policy != nil {
		g.startFrom(g.policy)
	}
	if g.readOnly {
		g.stopLearning()
	}
	if !g.plain {
		g.trie = newTrie(g.memory / 2)
	}
	return g
}

// Begin begins an episode and returns the source of its choices, for one run of a
// generator. [Guide.Valid] or [Guide.Invalid] ends the episode. Begin drops an episode
// that is still open: the Guide learns nothing from it.
func (g *Guide) Begin() choices.Source {
	g.begin(nil)
	if g.bandit == nil {
		return (*source)(g)
	}
	g.strategy = g.bandit.Choose(g.r.Uint64())
	if g.archive.Len() == 0 {
		g.strategy &^= 1
	}
	if strategies[g.strategy].revisits {
		g.revisit.begin(g.archive.Draw(g.r), g.r)
	}
	return (*source)(g)
}

// Replay begins an episode that answers from t as [choices.Replay] does. It teaches the
// Guide a valid example, or an earlier input, so that the first valid input need not be
// found by chance:
//
//	t, err := bigen.Choices(gen, example)
//	...
//	bigen.Run(gen, guide.Replay(t))
//	guide.Valid(guide.Input())
func (g *Guide) Replay(t choices.Tree) choices.Source {
	g.begin(choices.Replay(t, g.r))
	return (*source)(g)
}

// Input returns a hash of the choices of the episode. As a characteristic for
// [Guide.Valid], it makes every input count as different.
func (g *Guide) Input() uint64 { return g.input }

// Valid ends the episode and records its input as valid. Pass a hash of the
// characteristic by which inputs should differ, the xi of RLCheck, definition 3.3:
// [Guide.Input], or a hash of the value, a label, a structural feature or the coverage.
// Valid reports whether the input is unique: as far as the Guide remembers, no earlier
// valid input had the same hash. An input on which a test fails is valid.
func (g *Guide) Valid(xi uint64) (isUnique bool) {
	if !g.open {
		return false
	}
	n := g.seen.row(g.seen.at(xi))
	*n += min(1, math.MaxUint32-*n)
	g.alike = *n
	g.seen.tidy()
	if isUnique = g.alike == 1; isUnique {
		g.end(unique)
	} else {
		g.end(valid)
	}
	return isUnique
}

// Invalid ends the episode and records its input as invalid. Call it also when the
// generator rejected the run.
func (g *Guide) Invalid() { g.end(invalid) }

func (g *Guide) begin(follow choices.Source) {
	if g.trie != nil {
		g.trie.end(dropped, 0)
	}
	g.learner.end(dropped)
	g.open, g.follow, g.rejects, g.rejected, g.input = true, follow, 0, false, 0
	g.revisit.to = nil
	g.path.reset()
	if g.readOnly {
		g.forgetPoints()
	}
	g.transcript.reset()
}

func (g *Guide) end(o outcome) {
	if !g.open {
		return
	}
	g.open = false
	worth := g.worth(o)
	if g.trie != nil {
		g.trie.end(o, min(worth, 1))
	}
	if o == invalid && !g.plain && !g.found {
		g.learner.end(dropped) // without a valid input, nothing shows what is to blame
		g.tried++
		return
	}
	g.found = g.found || o == valid || o == unique
	g.learner.end(o)
	if g.follow == nil && g.bandit != nil {
		g.bandit.Reward(g.strategy, float64(worth)/maxReward)
	}
	if c := g.revisit.to; c != nil {
		c.Tries++
		if worth >= muchWorth {
			c.Tries = 0
		}
	}
	if t := &g.transcript; !g.plain && worth >= muchWorth && len(t.tree) > 0 {
		bytes, class := t.size()
		if e, isNew := g.archive.Add(g.input, class, bytes, g.r); isNew {
			e.Value = slices.Clone(t.tree)
		}
	}
}

const (
	maxWorth  = 10
	muchWorth = 0.5
)

// worth returns what an episode is worth: 0 if its input is invalid, and otherwise more if
// its characteristic is rarer. About 1 is usual.
func (g *Guide) worth(o outcome) float32 {
	if o != valid && o != unique {
		return 0
	}
	rarity := 1 / float32(math.Sqrt(float64(g.alike)))
	worth := min(rarity/g.usual, maxWorth)
	g.usual += float32((rarity - g.usual) / yieldWindow)
	return worth
}
