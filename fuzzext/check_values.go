package fuzzext

import (
	"errors"
	"math/rand/v2"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/bound"
	"github.com/espalier-go/espalier/fuzzext/internal/climb"
	"github.com/espalier-go/espalier/fuzzext/internal/guide"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/hash"
	"github.com/espalier-go/espalier/mutate"
	"github.com/espalier-go/espalier/rl"
)

// checkValues makes the values of a Check:
//
//  1. those that have failed before;
//  2. the examples;
//  3. values of a stream, which is a function of the seed and the name of the test;
//  4. once a value has turned out invalid, values with a [guide.Guidance];
//  5. once there are scores ([T.Target]), three of four are mutants of values with high ones;
//  6. at the end, independent draws, if there are required shares ([Require]).
//
// Before these, it makes no random value twice, except large ones of the stream.
type checkValues struct {
	*spec
	*tally
	saved    []corpus.Entry
	examples []choices.Tree
	stream   uint64 // seed of the test
	drawn    int    // values of the stream
	repeats  repeats
	guidance *guide.Guidance // nil as long as all values are valid

	require *requirements

	avoid func(choices.Tree) (choices.Tree, bool) // known failures, see failureClasses; or nil

	climb    climb.Climb
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

func newCheckValues(x *spec, n *tally, test string, saved []corpus.Entry, examples []choices.Tree) *checkValues {
	n.saved, n.examples = len(saved), len(examples)
	return &checkValues{
		spec:     x,
		tally:    n,
		saved:    saved,
		examples: examples,
		stream:   hash.FNV64(test),
		repeats:  repeats{made: map[uint64]bool{}},
		require:  newRequirements(x.required),
		mutator:  mutate.Mutator{Reuse: true},
	}
}

// errNoOthers is the error in place of a value if there seem to be no others.
var errNoOthers = errors.New("there seem to be no other values")

// make implements [maker].
func (m *checkValues) make(i int) (v any, t choices.Tree, err error) {
	switch {
	case i < m.given():
		return m.from(m.givenSource(i))
	case m.require.begun:
		return m.from(m.require.source(&m.options, m.seed, m.stream))
	case m.climbsNow() && m.fromClimb(&v, &t):
		return v, t, nil
	case m.guidance == nil:
		return m.fromStream()
	}
	if v, m.tree, err = m.guidance.Value(); m.guidance.Spent {
		m.spent, err = true, errNoOthers
	}
	m.watched, m.guided = true, m.guidance.Guided()
	m.learned = m.learned || m.guided
	return v, m.tree, err
}

// givenSource returns the source of the i-th value, which is saved or an example.
func (m *checkValues) givenSource(i int) choices.Source {
	if i < len(m.saved) {
		return m.decode(m.saved[i].Data)
	}
	return choices.Replay(m.examples[i-len(m.saved)], nil)
}

// from makes the value of a source.
func (m *checkValues) from(src choices.Source) (v any, t choices.Tree, err error) {
	v, m.memory, err = bigen.RunInto(m.memory, m.gen, src)
	m.tree = m.memory
	return v, m.tree, err
}

// climbsNow reports whether the next value is to have a high score.
func (m *checkValues) climbsNow() bool {
	m.turns++
	m.climbs = m.climb.Begun() && m.turns%4 != 0
	return m.climbs
}

// fromClimb makes a mutant of a value with a high score. It reports false if none is new.
func (m *checkValues) fromClimb(v *any, t *choices.Tree) bool {
	m.watched, m.guided = false, false
	for range 10 {
		m.climbing++
		r := rand.New(rand.NewPCG(^m.seed+m.climbing*0x9E3779B97F4A7C15, m.stream))
		src, ok := m.climb.Source(r)
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
func (m *checkValues) fromStream() (v any, t choices.Tree, err error) {
	for range guide.TriesForNew {
		v, m.memory, err = m.nextOfStream(m.memory)
		m.tree = m.memory
		if err != nil || !m.repeats.has(m.tree) {
			return v, m.tree, err
		}
	}
	m.spent = true
	return v, m.tree, errNoOthers
}

// nextOfStream makes the next value of the stream, with its choices in the memory of dst.
func (m *checkValues) nextOfStream(dst choices.Tree) (v any, t choices.Tree, err error) {
	i := m.drawn
	m.drawn++
	v, t, err = bigen.RunInto(dst, m.gen, m.streamed(i))
	if err == nil && i == m.basisOf(i) {
		m.basis, m.based = append(m.basis[:0], t...), i+1
	}
	if err == nil && m.avoid != nil && m.drawn%4 > 0 {
		v, t, err = m.avoiding(v, t)
	}
	return v, t, err
}

// avoiding changes a value until it has no pattern of a known failure.
func (m *checkValues) avoiding(v any, t choices.Tree) (any, choices.Tree, error) {
	r := rand.New(rand.NewPCG(m.seed^uint64(m.drawn)*0x9E3779B97F4A7C15, ^m.stream))
	for range 2 * maxParts {
		edited, ok := m.avoid(t)
		if !ok {
			break
		}
		var err error
		if v, t, err = m.from(choices.Replay(edited, r)); err != nil {
			return v, t, err
		}
	}
	return v, t, nil
}

// mutantOf is how many values of the stream there are for each mutant, with the mutant.
const mutantOf = 4

// streamed returns the source of the i-th value of the stream. Of each four, three are made
// from nothing, with a policy the first of them by that, with a model the first two, and the
// fourth is a mutant of one of the three.
func (m *checkValues) streamed(i int) choices.Source {
	block, n := i/mutantOf, i%mutantOf
	switch {
	case n == 0 && m.prior != nil, n == 1 && m.modelFile != "":
		return m.priorSource(m.randomOf(i))
	case n < mutantOf-1:
		return choices.Varied(m.randomOf(i), block*(mutantOf-1)+n)
	}
	basis, j, err := m.basis, m.basisOf(i), error(nil)
	if m.based != j+1 {
		_, basis, err = bigen.Run(m.gen, m.streamed(j))
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
func (m *checkValues) basisOf(i int) int {
	last := i - i%mutantOf + mutantOf - 1
	return last - 1 - int(m.randomOf(last).Uint64()%(mutantOf-1))
}

// randomOf returns the generator of the i-th value of the stream. It is valid until the next call.
func (m *checkValues) randomOf(i int) *rand.Rand {
	m.pcg.Seed(m.seed+uint64(i)*0x9E3779B97F4A7C15, m.stream)
	if m.rand == nil {
		m.rand = rand.New(&m.pcg)
	}
	return m.rand
}

// learn learns from the run on the i-th value, which is nil if the generator has rejected the
// value. The first invalid value begins the guidance. It learns nothing from saved values:
// otherwise the values of a seed would depend on them.
func (m *checkValues) learn(i int, run *T) {
	valid := run != nil && !run.invalid
	if run != nil && !run.failed && i >= len(m.saved) {
		m.climb.Learn(run.scores(), m.tree)
	}
	switch {
	case m.climbs && i >= m.given():
	case m.spent || i < len(m.saved) || run != nil && run.failed:
	case m.watched:
		m.guidance.Say(run.uniqueKey())
		m.guidance.End(valid)
	case valid && i < m.given():
		if m.validExamples = append(m.validExamples, i); m.guidance != nil {
			m.guidance.Teach(m.givenSource(i), true)
		}
	case !valid && m.guidance == nil:
		m.beginGuidance(i)
	}
}

// beginGuidance begins the guidance at the i-th value, which is invalid. It learns from the
// valid examples and from what is known of the values before.
func (m *checkValues) beginGuidance(i int) {
	g := guide.New(m.gen, m.seed, m.stream, m.uniqueKey(), m.guideOptions()...)
	g.Plain, g.Made = m.nextOfStream, m.repeats.made
	m.guidance = g
	if flags.policy != "" || m.policy != nil {
		g.Begin()
	}
	for _, j := range m.validExamples {
		g.Teach(m.givenSource(j), true)
	}
	if i < m.given() {
		g.Teach(m.givenSource(i), false)
		return
	}
	g.Made[guide.Hash(m.tree)] = false
}

// key returns the key of the last value, which is valid: what its run has said, that of the
// option Unique, or, since that costs little, its choices.
func (m *checkValues) key(run *T) uint64 {
	switch key := run.uniqueKey(); {
	case key != 0:
		return key
	case m.unique.key == nil:
		return guide.Hash(m.tree)
	case m.watched:
		return m.guidance.Key
	}
	return m.spec.key(m.tree)
}

// guide returns the guide that has learned, or nil.
func (m *checkValues) guide() *rl.Guide {
	if m.guidance == nil {
		return nil
	}
	return m.guidance.Learner
}

// repeats tells which values have been made before.
type repeats struct {
	made map[uint64]bool // hashes of choices, at most guide.MaxMade; true, for they were valid
}

// repeatedChoices is how many choices a value has at most that counts as made before. Larger
// values hardly repeat, and hashing them costs.
const repeatedChoices = 16

// has records the choices of a value, and reports whether they had been made before.
func (r *repeats) has(t choices.Tree) bool {
	if len(t) > repeatedChoices {
		return false
	}
	h := guide.Hash(t)
	if _, ok := r.made[h]; ok {
		return true
	}
	if len(r.made) < guide.MaxMade {
		r.made[h] = true
	}
	return false
}
