package rl

import (
	"math"
	"math/rand/v2"
	"os"
	"strconv"

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
	frozen  bool           // nothing is learned
	input   uint64         // hash of the decisions

	record  recorder
	archive archive
	back    returning
	yield   [maxArms]float64 // of episodes from nothing and of returns
	arm     int
	picking bool
	pulls   [maxArms]float64
	wish    wish
	avoid   int // the slot not to be taken, or -1
}

// wish is the answer that a question should have.
type wish struct {
	n    int64
	text string
	is   bool // there is one, and the decisions so far agree with it
	must bool // even if that makes an input twice
}

func (g *Guide) ask()                         { g.wish.is, g.avoid = false, -1 }
func (g *Guide) want(n int64, must bool)      { g.wish = wish{n: n, is: true, must: must} }
func (g *Guide) wantText(s string, must bool) { g.wish = wish{text: s, is: true, must: must} }

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
	point uint64 // which one it is
	first bool
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
	g.archive.most = g.memory / 8
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
	g.arm = 0
	if g.returns {
		var w [maxArms]float64
		total := 0.0
		for i := range w[:nArms] {
			if i%2 == 1 && len(g.archive.kept) == 0 {
				continue
			}
			w[i] = math.Pow(g.yield[i]+.02, rlp)
			total += w[i]
		}
		for i := range w[:nArms] {
			if i%2 == 1 && len(g.archive.kept) == 0 {
				continue
			}
			w[i] += total * rlm
		}
		x := 0.0
		for _, y := range w {
			x += y
		}
		x *= g.r.Float64()
		for i := range w[:nArms] {
			if w[i] > 0 {
				g.arm = i
			}
			if x -= w[i]; x < 0 {
				break
			}
		}
		g.greed = greeds[g.arm/2]
		if g.arm%2 == 1 {
			i := g.archive.pick(g.r, func(x, y int) bool { return x < y })
			g.back.begin(g.archive.kept[i], g.r)
		}
	}
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
	g.record.reset()
	g.back.from = nil
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
	got := 0.0
	if o == unique {
		got = 1
	}
	if m := g.back.from; m != nil {
		if o == unique {
			m.fruitless = 0
		} else {
			m.fruitless++
		}
	}
	if o != dropped {
		g.pulls[g.arm]++
		g.yield[g.arm] += (got - g.yield[g.arm]) / min(200, g.pulls[g.arm])
	}
	if g.returns && o == unique {
		g.archive.add(g.record.answers, g.r)
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
	d := decision{point: point, free: full, prior: prior, first: g.picking}
	g.picking = false
	if g.trie != nil {
		d.trie = g.trie
		if free := g.trie.at(full); free != 0 {
			d.free = free
		}
	}
	slot := want
	switch {
	case g.wish.is && want >= 0 && (g.wish.must || d.free>>want&1 == 1):
		if learned {
			g.learner.note(&g.path, &d, want)
		}
	default:
		g.wish.is = false
		if g.avoid >= 0 && d.free&^(1<<g.avoid) != 0 {
			d.free &^= 1 << g.avoid
		}
		if learned {
			slot = g.learner.choose(&g.path, &d)
		} else {
			slot = d.draw(g.r)
		}
	}
	if g.trie != nil {
		g.trie.step(slot)
	}
	g.input = mix(g.input, uint64(slot)+1)
	return slot
}

var rlp, _ = strconv.ParseFloat(os.Getenv("RLP"), 64)

func (g *Guide) Yield() [maxArms]float64 { return g.yield }

const maxArms = 6

var nArms, _ = strconv.Atoi(os.Getenv("RLA"))

var greeds = [maxArms / 2]float32{2, .5, 4}
var rlm, _ = strconv.ParseFloat(os.Getenv("RLM"), 64)
