// Package values makes the values on which a property runs, and says what has become of them.
//
//	     Check               Fuzz, corpusgen seed
//	       |                          |
//	    Stream                     Seeding
//	    /    \                       /
//	climb    guidance --------------     once a value has turned out invalid
//	           |
//	  plain values, mutants, rl.Guide    the arms of a bandit
//	           |
//	 Bounded sources, Make               a value and its choices
//	           |
//	        Outcome                      of the run: what the makers learn from
package values

import (
	"errors"
	"math/rand/v2"
	"sync"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/varied"
	"github.com/espalier-go/espalier/mutate"
	"github.com/espalier-go/espalier/rl"
)

// A Stream makes the values of a Check:
//
//  1. those that have failed before;
//  2. the examples;
//  3. values of a stream, which is a function of the seed and the name of the test;
//  4. once a value has turned out invalid, values with a [guidance];
//  5. once there are scores, three of four are mutants of values with high ones;
//  6. at the end, independent draws, if shares of the values are required.
//
// Before these, it makes no random value twice, except large ones of the stream.
type Stream struct {
	Plan
	Made
	drawn    int // values of the stream
	repeats  repeats
	guidance *guidance // nil as long as all values are valid
	examples []int     // valid ones

	Draws bool // the values are independent draws from now on
	draws int

	climb    climb
	turns    int    // values made at random
	climbing uint64 // mutants tried for climb

	pcg     rand.PCG
	rand    *rand.Rand // by pcg
	mutator mutate.Mutator
	bounded Bounded      // the source of a mutant
	basis   choices.Tree // of the next mutant of the stream
	based   int          // the number of its value in the stream, from 1; 0 for none

	watched bool         // guidance made the last value
	climbs  bool         // the last value is a mutant of one with a high score
	tree    choices.Tree // of the last value
	memory  choices.Tree // for trees
	longest int          // tree in memory
}

// A Plan says what the values of a Check are made of.
type Plan struct {
	Subject
	Seed, Stream    uint64                     // of the Check, and of its test
	Saved, Examples int                        // values that are given: failures first
	Given           func(i int) choices.Source // the i-th of them
	// of three values made from nothing, two are by the prior, not one
	Two    bool
	Guides bool // guidance begins to guide at the first invalid value
}

// Made says what has been made.
type Made struct {
	Spent         bool // there seem to be no other values
	Guided        bool // the last value is a guided one
	Learned       bool // some values are guided
	ValidExamples int
}

// NewStream returns the values of a Check.
func NewStream(p Plan) *Stream {
	m := &Stream{Plan: p, repeats: repeats{}, mutator: mutate.Mutator{Reuse: true}}
	if memory, ok := memories.Get().(*choices.Tree); ok {
		m.memory = *memory
	} else {
		m.memory = make(choices.Tree, 0, 48)
	}
	return m
}

// memories has the memory for trees of Streams that have ended. To grow a new one is a quarter of
// what a Check of one value costs.
var memories sync.Pool

// mostMemory is how many choices a memory has at most that another Stream can use.
const mostMemory = 4096

// End ends the use of the Stream. The choices of its last value are not valid any more.
func (m *Stream) End() {
	memory := m.memory[:0]
	m.memory, m.tree = nil, nil
	if 0 < cap(memory) && cap(memory) <= mostMemory {
		clear(memory[:min(m.longest, cap(memory))]) // let go of tags
		memories.Put(&memory)
	}
}

// errNoOthers is the error in place of a value if there seem to be no others.
var errNoOthers = errors.New("there seem to be no other values")

// Make makes the i-th value, and its choices, which are valid until the next call.
func (m *Stream) Make(i int) (v any, t choices.Tree, err error) {
	switch {
	case i < m.Saved+m.Examples:
		return m.from(m.Given(i))
	case m.Draws:
		return m.from(m.draw())
	case m.climbsNow() && m.fromClimb(&v, &t):
		return v, t, nil
	case m.guidance == nil:
		return m.fromStream()
	}
	if v, m.tree, err = m.guidance.next(); m.guidance.spent {
		m.Spent, err = true, errNoOthers
	}
	m.watched, m.Guided = true, m.guidance.isGuided()
	m.Learned = m.Learned || m.Guided
	return v, m.tree, err
}

// from makes the value of a source.
func (m *Stream) from(src choices.Source) (v any, t choices.Tree, err error) {
	v, t, err = bigen.RunInto(m.memory, m.Gen, src)
	m.remember(t)
	return v, t, err
}

// remember makes a tree, in the memory, the last one.
func (m *Stream) remember(t choices.Tree) {
	m.tree, m.memory, m.longest = t, t, max(m.longest, len(t))
}

// climbsNow reports whether the next value should have a high score.
func (m *Stream) climbsNow() bool {
	m.turns++
	m.climbs = m.climb.begun() && m.turns%4 != 0
	return m.climbs
}

// fromClimb makes a mutant of a value with a high score. It reports false if none is new.
func (m *Stream) fromClimb(v *any, t *choices.Tree) bool {
	m.watched, m.Guided = false, false
	for range 10 {
		m.climbing++
		r := rand.New(rand.NewPCG(^m.Seed+m.climbing*0x9E3779B97F4A7C15, m.Stream))
		src, ok := m.climb.source(r)
		if !ok {
			continue
		}
		var err error
		if *v, *t, err = m.from(src); err == nil && !m.repeats.has(*t) {
			return true
		}
	}
	m.climbs = false
	return false
}

// fromStream makes the next value of the stream that is new.
func (m *Stream) fromStream() (v any, t choices.Tree, err error) {
	for range triesForNew {
		v, t, err = m.nextOfStream(m.memory)
		if m.remember(t); err != nil || !m.repeats.has(t) {
			return v, t, err
		}
	}
	m.Spent = true
	return v, m.tree, errNoOthers
}

// nextOfStream makes the next value of the stream, with its choices in the memory of dst.
func (m *Stream) nextOfStream(dst choices.Tree) (v any, t choices.Tree, err error) {
	i := m.drawn
	m.drawn++
	v, t, err = bigen.RunInto(dst, m.Gen, m.Nth(i))
	if err == nil && i == m.basisOf(i) {
		m.basis, m.based = append(m.basis[:0], t...), i+1
	}
	return v, t, err
}

// mutantOf is how many values of the stream there are for each mutant, with the mutant.
const mutantOf = 4

// unmutated is how many values of the stream come before the first mutant.
const unmutated = 8

// Nth returns the source of the i-th value of the stream. Of each four, three are made
// from nothing, with a policy the first of them by that, with a model the first two, and the
// fourth is a mutant of one of the three.
func (m *Stream) Nth(i int) choices.Source {
	block, n := i/mutantOf, i%mutantOf
	switch {
	case n == 0 && m.Prior != nil, n == 1 && m.Two:
		return ByPrior(m.Prior, m.randomOf(i))
	case i < unmutated:
		return varied.Source(m.randomOf(i), i)
	case n < mutantOf-1:
		return varied.Source(m.randomOf(i), block*(mutantOf-1)+n+unmutated/mutantOf)
	}
	basis, j, err := m.basis, m.basisOf(i), error(nil)
	if m.based != j+1 {
		_, basis, err = bigen.Run(m.Gen, m.Nth(j))
	}
	r := m.randomOf(i)
	r.Uint64() // which basisOf has used
	if err == nil {
		if edited, ok := m.mutator.Havoc(basis, r); ok {
			return m.bounded.Of(choices.Replay(edited, r), max(MostQuestions, 2*len(basis)))
		}
	}
	return choices.Random(r)
}

// basisOf returns the number of the value that is mutated in the block of the i-th value.
func (m *Stream) basisOf(i int) int {
	last := i - i%mutantOf + mutantOf - 1
	return last - 1 - int(m.randomOf(last).Uint64()%(mutantOf-1))
}

// randomOf returns the generator of the i-th value of the stream. It is valid until the next call.
func (m *Stream) randomOf(i int) *rand.Rand {
	m.pcg.Seed(m.Seed+uint64(i)*0x9E3779B97F4A7C15, m.Stream)
	if m.rand == nil {
		m.rand = rand.New(&m.pcg)
	}
	return m.rand
}

// draw returns the source of the next independent draw.
func (m *Stream) draw() choices.Source {
	r := rand.New(rand.NewPCG(m.Seed+uint64(m.draws)*0x9E3779B97F4A7C15, ^m.Stream))
	m.draws++
	if m.Prior != nil {
		return choices.RandomBy(r, m.Prior)
	}
	return choices.Random(r)
}

// Learn learns from the run on the i-th value, which is the last one. The first invalid value
// begins the guidance. It learns nothing from saved values: otherwise the values of a seed would
// depend on them.
func (m *Stream) Learn(i int, run Outcome) {
	valid, given := run.Verdict == Valid, i < m.Saved+m.Examples
	if run.Verdict != Failed && i >= m.Saved {
		m.climb.learn(run.Scores, m.tree)
	}
	switch {
	case m.climbs && !given:
	case m.Spent || i < m.Saved || run.Verdict == Failed:
	case m.watched:
		m.guidance.say(run.Key)
		m.guidance.end(valid)
	case valid && given:
		m.ValidExamples++
		if m.examples = append(m.examples, i); m.guidance != nil {
			m.guidance.teach(m.Given(i), true)
		}
	case !valid && m.guidance == nil:
		m.beginGuidance(i)
	}
}

// beginGuidance begins the guidance at the i-th value, which is invalid. It learns from the
// valid examples and from what is known of the values before.
func (m *Stream) beginGuidance(i int) {
	g := newGuidance(m.Subject, m.Seed, m.Stream)
	g.plain, g.made = m.nextOfStream, m.repeats
	m.guidance = g
	if m.Guides {
		g.begin()
	}
	for _, j := range m.examples {
		g.teach(m.Given(j), true)
	}
	if i < m.Saved+m.Examples {
		g.teach(m.Given(i), false)
		return
	}
	g.made[Hash(m.tree)] = false
}

// KeyOf returns the key of the last value, which is valid: what its run has said, the key of the
// subject, or, since that costs little, its choices.
func (m *Stream) KeyOf(run Outcome) uint64 {
	switch {
	case run.Key != 0:
		return run.Key
	case m.Unique == nil:
		return Hash(m.tree)
	case m.watched:
		return m.guidance.key
	}
	return m.Unique(m.tree)
}

// Learner returns the guide that has learned, or nil.
func (m *Stream) Learner() *rl.Guide {
	if m.guidance == nil {
		return nil
	}
	return m.guidance.learner
}

// NeverAgain makes the last value one that is not made again.
func (m *Stream) NeverAgain() { m.repeats.has(m.tree) }

// repeats tells which values have been made before: at most maxMade, by the hashes of their
// choices; true, for they were valid.
type repeats map[uint64]bool

// repeatedChoices is how many choices a value has at most that counts as made before. Larger
// values hardly repeat, and hashing them costs.
const repeatedChoices = 16

// has records the choices of a value, and reports whether they had been made before.
func (r repeats) has(t choices.Tree) bool {
	if len(t) > repeatedChoices {
		return false
	}
	h := Hash(t)
	if _, ok := r[h]; ok {
		return true
	}
	if len(r) < maxMade {
		r[h] = true
	}
	return false
}
