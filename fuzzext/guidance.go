package fuzzext

import (
	"fmt"
	"math/rand/v2"
	"runtime/debug"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
	"github.com/espalier-go/espalier/mutate"
	"github.com/espalier-go/espalier/rl"
)

// A guidance makes values of a generator of which some are invalid. It makes none
// twice. Of each four,
//
//   - two are made by a guide, which learns from all of them what leads to valid
//     values that differ ([rl.Guide]);
//   - one is a mutant of a valid one, once there is one;
//   - one is made as if all were valid ([choices.Varied]).
//
// As long as fewer than one in twenty are valid, most are mutants of those that are.
// The values are a function of the seed and of what has become of those before.
type guidance[V any] struct {
	gen    bigen.Gen[V]
	unique func(choices.Tree) uint64 // the characteristic of a valid value
	guide  *rl.Guide
	r      *rand.Rand
	first  int // index of the first value

	n     int             // values made
	made  map[uint64]bool // by hashes of choices, those taught included: whether they are valid; not all of many
	tree  choices.Tree    // of the last one
	last  uint64          // its hash
	key   uint64          // what it is unique by, if it is valid
	open  bool            // the guide has made it, or knows of it
	spent bool            // there seem to be no others

	asks  int            // questions of values that are like those before
	tags  tags           // of the values
	pool  []choices.Tree // valid ones, a random sample
	valid int
}

const (
	maxPool  = 256
	maxMade  = 1 << 20
	maxAsks  = 512         // questions of a value, which then gets the simplest answers, unless
	mostAsks = 8 * maxAsks // larger values have been taught

	// triesForNew is how many values in a row may be old before there seem to be no
	// others. Those of the guide are new as long as there are any.
	triesForNew = 1000
)

func newGuidance[V any](gen bigen.Gen[V], seed, stream uint64, unique func(choices.Tree) uint64, opts ...rl.Option) *guidance[V] {
	return &guidance[V]{
		gen:    gen,
		unique: unique,
		guide:  rl.New(rand.New(rand.NewPCG(seed, ^stream)), opts...),
		r:      rand.New(rand.NewPCG(^seed, stream)),
		made:   map[uint64]bool{},
		tags:   tags{},
		asks:   maxAsks,
	}
}

// value makes the next value. [guidance.end] is to be told what becomes of it,
// unless it fails.
func (g *guidance[V]) value() (v V, t choices.Tree, err error) {
	g.n++
	for range triesForNew {
		src, guided := g.source()
		v, g.tree, err = bigen.Run(g.gen, src)
		g.open = guided
		if err == nil && !g.note(g.tree) {
			g.end(g.made[g.last])
			continue
		}
		if err == nil && !guided {
			v, g.tree, err = bigen.Run(g.gen, g.guide.Replay(g.tree))
			g.open = true
		}
		return v, g.tree, err
	}
	g.spent = true
	return v, g.tree, err
}

// source returns the source of a value, and reports whether it is the guide.
func (g *guidance[V]) source() (src choices.Source, guided bool) {
	chance, mutation := 2, 2 // of eight
	if len(g.pool) == 0 {
		mutation = 0
	} else if g.valid*attempts < g.n+attempts {
		chance, mutation = 1, 5
	}
	n := g.r.IntN(8)
	if n < chance {
		return bound(choices.Varied(g.r, g.n), maxAsks), false
	}
	if n < chance+mutation {
		var m mutate.Mutator
		valid := g.pool[g.r.IntN(len(g.pool))]
		if edited, ok := m.Havoc(valid, g.r); ok {
			return bound(choices.Replay(edited, g.r), g.asks), false
		}
	}
	return bound(g.guide.Begin(), g.asks), true
}

// note reports whether choices are made for the first time.
func (g *guidance[V]) note(t choices.Tree) (isNew bool) {
	g.last = hash.FNV64(choices.Encode(t))
	_, old := g.made[g.last]
	if !old && len(g.made) < maxMade {
		g.made[g.last] = false
	}
	g.tags.note(t, false)
	return !old
}

// end takes note of what has become of the last value, and reports whether it is
// valid and unique.
func (g *guidance[V]) end(valid bool) (isUnique bool) {
	switch {
	case !g.open: // rejected, or old
	case valid:
		g.key = g.unique(g.tree)
		isUnique = g.guide.Valid(g.key)
		g.tags.note(g.tree, true)
		if old, ok := g.made[g.last]; ok && !old {
			g.made[g.last] = true
			g.keep(g.tree)
		}
	default:
		g.guide.Invalid()
	}
	g.open = false
	return isUnique
}

// teach has it learn from a value that it has not made.
func (g *guidance[V]) teach(src choices.Source, valid bool) {
	_, t, err := bigen.Run(g.gen, src)
	if err == nil {
		_, t, err = bigen.Run(g.gen, g.guide.Replay(t))
	}
	if err == nil {
		g.note(t)
		g.asks = min(max(g.asks, len(t)), mostAsks)
		g.tree, g.open = t, true
		g.end(valid)
	}
}

// keep keeps the choices of a valid value, for mutants.
func (g *guidance[V]) keep(t choices.Tree) {
	g.valid++
	if len(g.pool) < maxPool {
		g.pool = append(g.pool, t)
	} else if i := g.r.IntN(g.valid); i < maxPool {
		g.pool[i] = t
	}
}

// learn takes note of what has become of the i-th value of a Check. The first that is
// invalid begins the guidance. What was saved counts for nothing, or the values of a
// seed would depend on it.
func (x *execution[V]) learn(s *trial, i int, r *T) {
	c := x.check
	example, random := i-len(c.saved), i-len(c.saved)-len(c.examples)
	valid := r != nil && !r.invalid
	switch {
	case example < 0 || r != nil && r.failed:
		return
	case x.guided(i):
		c.spent = x.guidance.spent
		x.guidance.end(valid)
		if valid && !c.spent && s.observed {
			c.note(x.guidance.key)
		}
		return
	case valid && random < 0:
		if c.valued = append(c.valued, i); x.guidance != nil {
			x.guidance.teach(x.source(i), valid)
			return
		}
	case !valid && x.guidance == nil:
		g := newGuidance(x.gen, c.seed, c.stream, x.characteristic, x.guideOptions()...)
		g.first = len(c.saved) + max(len(c.examples), example+1)
		for _, j := range c.valued {
			g.teach(x.source(j), true)
		}
		for j := max(i-random, i-maxPool); j < i; j++ {
			g.teach(x.source(j), true)
		}
		g.teach(x.source(i), false)
		x.guidance, c.guided, c.tags = g, true, g.tags
		return
	}
	if valid && s.observed && random >= 0 {
		c.note(x.characteristic(s.tree))
	}
}

// guided reports whether the i-th value is made by the guidance.
func (x *execution[V]) guided(i int) bool { return x.guidance != nil && i >= x.guidance.first }

// choicesOf returns the choices of the i-th value of source, which is the last on
// which the property has run if it is guided.
func (x *execution[V]) choicesOf(s *trial, i int, source func(i int) choices.Source) (choices.Tree, error) {
	if x.guided(i) {
		return s.tree, nil
	}
	_, t, err := bigen.Run(x.gen, source(i))
	return t, err
}

// characteristic returns a hash of what a value is unique by: what the option Unique
// has it be, or the value, which is the choices that the generator, run backward,
// makes of it.
func (x *execution[V]) characteristic(t choices.Tree) uint64 {
	defer func() {
		if r := recover(); r != nil {
			x.broken = fmt.Sprintf("the function given to Unique, or the generator run backward, panics: %v\n\n%s", r, debug.Stack())
		}
	}()
	if v, _, err := x.remake(t); err != nil {
	} else if key, ok := x.unique.(func(V) uint64); ok {
		return key(v)
	} else if back, err := bigen.Choices(x.gen, v); err == nil {
		t = back
	}
	return hash.FNV64(choices.Encode(t))
}
