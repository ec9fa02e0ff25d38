package rl

import (
	"cmp"
	"errors"
	"maps"
	"math/rand/v2"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
)

// A Policy is what a [Guide] has learned: a snapshot, which nothing changes. It can be
// saved to a file ([Policy.Save], [LoadPolicy]) and serves as
//
//   - the beginning of another Guide, which learns on: the option [FromPolicy];
//   - a Guide that learns nothing: with the option [ReadOnly], too;
//   - an opinion on what bytes leave open: [Policy.Prior].
//
// It is about one generator, whose alternatives and slots it knows by their tags and
// numbers. To another, or where the generator has changed since, it says nothing. The
// zero Policy has learned nothing.
//
// A policy may be used by many goroutines.
type Policy struct {
	packed     []packedRow            // sorted by key
	structural map[uint64]struct{}    // see Path
	rows       *generation[factorRow] // of packed; nil for the zero Policy
}

// Policy returns what the default policy of g has learned so far, rounded as in a file,
// so that saving changes nothing. What a file of 256 KiB has no room for is left out: that
// with the least evidence. Only the default policy can be had so: with [MonteCarlo] it is
// an error.
func (g *Guide) Policy() (*Policy, error) {
	l, ok := g.learner.(*factors)
	if !ok {
		return nil, errors.New("rl: MonteCarlo has no policy that could be saved: only the default policy has")
	}
	if g.readOnly {
		return cmp.Or(g.policy, new(Policy)), nil
	}
	return newPolicy(l.packed(), maps.Clone(g.path.structural)), nil
}

// newPolicy returns the policy of rows sorted by key, without those that a file has no
// room for. It takes over what it is given.
func newPolicy(packed []packedRow, structural map[uint64]struct{}) *Policy {
	p := &Policy{packed: packed, structural: structural}
	p.fit()
	p.rows = unpackRows(p.packed)
	return p
}

// FromPolicy has a Guide begin with what p has learned, and learn on. Of p, it keeps
// what it has come across when its own memory is half full. [New] panics if the Guide
// is to have another policy than the default.
func FromPolicy(p *Policy) Option { return func(o *options) { o.policy = p } }

// ReadOnly has a Guide learn nothing, and so make inputs more than once: its choices
// are a function of its policy and of its random numbers plain, on every platform. [New]
// panics if the Guide is to have another policy than the default.
func ReadOnly() Option {
	return func(o *options) { o.readOnly, o.plain = true, true }
}

// adopt is called before the first episode.
func (g *Guide) startFrom(p *Policy) {
	l, ok := g.learner.(*factors)
	if !ok {
		panic("rl.New: FromPolicy is about the default policy, and another option replaces that")
	}
	g.path.structural = maps.Clone(p.structural)
	if g.path.structural == nil {
		g.path.init()
	}
	if p.rows != nil {
		l.table.old = p.rows // in which nothing is written
		g.found = len(p.packed) > 0
	}
}

// freeze is called after adopt.
func (g *Guide) stopLearning() {
	l, ok := g.learner.(*factors)
	if !ok {
		panic("rl.New: ReadOnly is about the default policy, and another option replaces that")
	}
	if l.table.old != nil {
		l.table.young = l.table.old
	}
	l.table.frozen = true
}

// thaw has the path of a read-only Guide forget what it has learned in the last episode.
func (g *Guide) forgetPoints() {
	known := map[uint64]struct{}(nil)
	if g.policy != nil {
		known = g.policy.structural
	}
	if len(g.path.structural) > len(known) {
		maps.DeleteFunc(g.path.structural, func(point uint64, _ struct{}) bool {
			_, ok := known[point]
			return !ok
		})
	}
}

// Prior returns an opinion on the questions that bytes leave open: an answer is drawn
// as by a Guide with the options [FromPolicy] and [ReadOnly], with the random bits of
// the question.
//
//	bigen.Value(gen, choices.FromBytesBy(b, prior))
func (p *Policy) Prior() choices.Prior {
	words := new(words)
	return &prior{words, New(rand.New(words), FromPolicy(p), ReadOnly())}
}

// prior is that of a [Policy].
type prior struct {
	words *words
	guide *Guide
}

// words are random words that follow from one.
type words struct{ state uint64 }

// Uint64 implements [rand.Source].
func (w *words) Uint64() uint64 {
	w.state += 0x9E3779B97F4A7C15
	return hash.Mix(w.state, 0)
}

// Begin implements [choices.Prior].
func (p *prior) Begin() { p.guide.Begin() }

// Pick implements [choices.Prior].
func (p *prior) Pick(q *choices.Question, word uint64) int {
	p.words.state = word
	p.guide.wish.set, p.guide.avoid = false, -1
	return p.guide.pick(q, p.guide.path.pointOf(q))
}

// Int implements [choices.Prior].
func (p *prior) Int(q *choices.Question, word uint64) int64 {
	p.words.state = word
	p.guide.wish.set, p.guide.avoid = false, -1
	return p.guide.integer(q, p.guide.path.pointOf(q))
}

// Text implements [choices.Prior].
func (p *prior) Text(q *choices.Question, word uint64) string {
	p.words.state = word
	p.guide.wish.set, p.guide.avoid = false, -1
	return p.guide.text(q, p.guide.path.pointOf(q))
}

// Picked implements [choices.Prior].
func (p *prior) Picked(q *choices.Question, n int) {
	p.guide.path.enter(q, p.guide.path.pointOf(q), n)
}

// Leave implements [choices.Prior].
func (p *prior) Leave() { p.guide.path.leave() }

// IntGiven implements [choices.Prior].
func (p *prior) IntGiven(q *choices.Question, n int64) {
	p.guide.path.answer(q, uint64(n))
}

// TextGiven implements [choices.Prior].
func (p *prior) TextGiven(q *choices.Question, text string) {
	p.guide.path.answer(q, hash.FNV64(text))
}
