// Package stream makes the values of a Check.
package stream

import (
	"errors"
	"math/rand/v2"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/varied"
	"github.com/espalier-go/espalier/fuzzext/internal/bound"
	"github.com/espalier-go/espalier/fuzzext/internal/guide"
	"github.com/espalier-go/espalier/fuzzext/internal/outcome"
	"github.com/espalier-go/espalier/mutate"
	"github.com/espalier-go/espalier/rl"
)

// Values makes the values of a Check:
//
//  1. those that have failed before;
//  2. the examples;
//  3. values of a stream, which is a function of the seed and the name of the test;
//  4. once a value has turned out invalid, values with a [guide.Guidance];
//  5. once there are scores, three of four are mutants of values with high ones;
//  6. at the end, independent draws, if shares of the values are required.
//
// Before these, it makes no random value twice, except large ones of the stream.
type Values struct {
	Source
	Made
	drawn    int // values of the stream
	repeats  repeats
	guidance *guide.Guidance // nil as long as all values are valid
	examples []int           // valid ones

	Draws bool // the values are independent draws from now on
	draws int

	climb    climb
	turns    int    // values made at random
	climbing uint64 // mutants tried for climb

	pcg     rand.PCG
	rand    *rand.Rand // by pcg
	mutator mutate.Mutator
	bounded bound.Source // the source of a mutant
	basis   choices.Tree // of the next mutant of the stream
	based   int          // the number of its value in the stream, from 1; 0 for none

	watched bool         // the last value is that of guidance
	climbs  bool         // the last value is a mutant of one with a high score
	tree    choices.Tree // of the last value
	memory  choices.Tree // for trees
}

// A Source is what values are made of.
type Source struct {
	guide.Subject
	Seed, Stream    uint64                     // of the Check, and of its test
	Saved, Examples int                        // values that are given: failures first
	Given           func(i int) choices.Source // the i-th of them
	Two             bool                       // of three values made from nothing, two are by the prior, not one
	Guides          bool                       // guidance begins to guide at the first invalid value
}

// Made says what has been made.
type Made struct {
	Spent         bool // there seem to be no other values
	Guided        bool // the last value is a guided one
	Learned       bool // some values are guided
	ValidExamples int
}

// New returns the values of a Check.
func New(s Source) *Values {
	return &Values{Source: s, repeats: repeats{}, mutator: mutate.Mutator{Reuse: true}, memory: make(choices.Tree, 0, 48)}
}

// errNoOthers is the error in place of a value if there seem to be no others.
var errNoOthers = errors.New("there seem to be no other values")

// Make makes the i-th value, and its choices, which are valid until the next call.
func (m *Values) Make(i int) (v any, t choices.Tree, err error) {
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
	if v, m.tree, err = m.guidance.Value(); m.guidance.Spent {
		m.Spent, err = true, errNoOthers
	}
	m.watched, m.Guided = true, m.guidance.Guided()
	m.Learned = m.Learned || m.Guided
	return v, m.tree, err
}

// from makes the value of a source.
func (m *Values) from(src choices.Source) (v any, t choices.Tree, err error) {
	v, m.memory, err = bigen.RunInto(m.memory, m.Gen, src)
	m.tree = m.memory
	return v, m.tree, err
}

// climbsNow reports whether the next value is to have a high score.
func (m *Values) climbsNow() bool {
	m.turns++
	m.climbs = m.climb.begun() && m.turns%4 != 0
	return m.climbs
}

// fromClimb makes a mutant of a value with a high score. It reports false if none is new.
func (m *Values) fromClimb(v *any, t *choices.Tree) bool {
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
func (m *Values) fromStream() (v any, t choices.Tree, err error) {
	for range guide.TriesForNew {
		v, m.memory, err = m.nextOfStream(m.memory)
		m.tree = m.memory
		if err != nil || !m.repeats.has(m.tree) {
			return v, m.tree, err
		}
	}
	m.Spent = true
	return v, m.tree, errNoOthers
}

// nextOfStream makes the next value of the stream, with its choices in the memory of dst.
func (m *Values) nextOfStream(dst choices.Tree) (v any, t choices.Tree, err error) {
	i := m.drawn
	m.drawn++
	v, t, err = bigen.RunInto(dst, m.Gen, m.At(i))
	if err == nil && i == m.basisOf(i) {
		m.basis, m.based = append(m.basis[:0], t...), i+1
	}
	return v, t, err
}

// mutantOf is how many values of the stream there are for each mutant, with the mutant.
const mutantOf = 4

// unmutated is how many values of the stream come before the first mutant.
const unmutated = 8

// At returns the source of the i-th value of the stream. Of each four, three are made
// from nothing, with a policy the first of them by that, with a model the first two, and the
// fourth is a mutant of one of the three.
func (m *Values) At(i int) choices.Source {
	block, n := i/mutantOf, i%mutantOf
	switch {
	case n == 0 && m.Prior != nil, n == 1 && m.Two:
		return guide.ByPrior(m.Prior, m.randomOf(i))
	case i < unmutated:
		return varied.Source(m.randomOf(i), i)
	case n < mutantOf-1:
		return varied.Source(m.randomOf(i), block*(mutantOf-1)+n+unmutated/mutantOf)
	}
	basis, j, err := m.basis, m.basisOf(i), error(nil)
	if m.based != j+1 {
		_, basis, err = bigen.Run(m.Gen, m.At(j))
	}
	r := m.randomOf(i)
	r.Uint64() // which basisOf has used
	if err == nil {
		if edited, ok := m.mutator.Havoc(basis, r); ok {
			return m.bounded.Of(choices.Replay(edited, r), max(bound.Most, 2*len(basis)))
		}
	}
	return choices.Random(r)
}

// basisOf returns the number of the value that is mutated in the block of the i-th value.
func (m *Values) basisOf(i int) int {
	last := i - i%mutantOf + mutantOf - 1
	return last - 1 - int(m.randomOf(last).Uint64()%(mutantOf-1))
}

// randomOf returns the generator of the i-th value of the stream. It is valid until the next call.
func (m *Values) randomOf(i int) *rand.Rand {
	m.pcg.Seed(m.Seed+uint64(i)*0x9E3779B97F4A7C15, m.Stream)
	if m.rand == nil {
		m.rand = rand.New(&m.pcg)
	}
	return m.rand
}

// draw returns the source of the next independent draw.
func (m *Values) draw() choices.Source {
	r := rand.New(rand.NewPCG(m.Seed+uint64(m.draws)*0x9E3779B97F4A7C15, ^m.Stream))
	m.draws++
	if m.Prior != nil {
		return choices.RandomBy(r, m.Prior)
	}
	return choices.Random(r)
}

// Learn learns from the run on the i-th value, which is the last one. The first invalid value begins
// the guidance. It learns nothing from saved values: otherwise the values of a seed would depend on
// them.
func (m *Values) Learn(i int, run outcome.Run) {
	valid, given := run.Verdict == outcome.Valid, i < m.Saved+m.Examples
	if run.Verdict != outcome.Failed && i >= m.Saved {
		m.climb.learn(run.Scores, m.tree)
	}
	switch {
	case m.climbs && !given:
	case m.Spent || i < m.Saved || run.Verdict == outcome.Failed:
	case m.watched:
		m.guidance.Say(run.Key)
		m.guidance.End(valid)
	case valid && given:
		m.ValidExamples++
		if m.examples = append(m.examples, i); m.guidance != nil {
			m.guidance.Teach(m.Given(i), true)
		}
	case !valid && m.guidance == nil:
		m.beginGuidance(i)
	}
}

// beginGuidance begins the guidance at the i-th value, which is invalid. It learns from the
// valid examples and from what is known of the values before.
func (m *Values) beginGuidance(i int) {
	g := guide.New(m.Subject, m.Seed, m.Stream)
	g.Plain, g.Made = m.nextOfStream, m.repeats
	m.guidance = g
	if m.Guides {
		g.Begin()
	}
	for _, j := range m.examples {
		g.Teach(m.Given(j), true)
	}
	if i < m.Saved+m.Examples {
		g.Teach(m.Given(i), false)
		return
	}
	g.Made[guide.Hash(m.tree)] = false
}

// KeyOf returns the key of the last value, which is valid: what its run has said, that of the
// subject, or, since that costs little, its choices.
func (m *Values) KeyOf(run outcome.Run) uint64 {
	switch {
	case run.Key != 0:
		return run.Key
	case m.Unique == nil:
		return guide.Hash(m.tree)
	case m.watched:
		return m.guidance.Key
	}
	return m.Unique(m.tree)
}

// Learner returns the guide that has learned, or nil.
func (m *Values) Learner() *rl.Guide {
	if m.guidance == nil {
		return nil
	}
	return m.guidance.Learner
}

// NeverAgain makes the last value one that is not made again.
func (m *Values) NeverAgain() { m.repeats.has(m.tree) }

// repeats tells which values have been made before: at most guide.MaxMade, by the hashes of their
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
	h := guide.Hash(t)
	if _, ok := r[h]; ok {
		return true
	}
	if len(r) < guide.MaxMade {
		r[h] = true
	}
	return false
}
