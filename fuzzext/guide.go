package fuzzext

import (
	"math/rand/v2"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
	"github.com/espalier-go/espalier/mutate"
	"github.com/espalier-go/espalier/rl"
)

// A guidance makes values of a generator of which some are invalid. It makes none twice. Of
// each eight values,
//
//   - four are made by a guide, which learns from all values what leads to valid values with
//     rare keys ([rl.Guide]);
//   - three are mutants of valid values of all sizes ([pool]), once there are some;
//   - one is made as if all values were valid ([choices.Varied]).
//
// As long as fewer than one value in twenty is valid, four are mutants.
// The values are a function of the seed and of which values before were valid.
type guidance[V any] struct {
	gen    bigen.Gen[V]
	unique func(choices.Tree) uint64 // the key of a valid value; nil for its shape
	guide  *rl.Guide
	r      *rand.Rand

	n     int             // values made
	made  map[uint64]bool // by hashes of choices, also of values taught: whether they are valid; at most maxMade
	tree  choices.Tree    // of the last value
	last  uint64          // its hash
	key   uint64          // its key, if it is valid
	open  bool            // the guide waits for what becomes of it
	spent bool            // there seem to be no other values

	most  int  // questions of a value: the others get the simplest answers
	tags  tags // of the values
	pool  pool // of valid values
	valid int  // how many have been added
}

const (
	maxPool  = 256 // values of a stream or of seeds that are learned from
	maxMade  = 1 << 20
	maxAsks  = 512         // guidance.most, unless larger values have been taught
	mostAsks = 8 * maxAsks // guidance.most at most

	// attempts is how many values are made, at most, for each that should be valid.
	attempts = 20

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
		most:   maxAsks,
	}
}

// value makes the next value. The caller must then call end, unless the property fails for
// the value.
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
	chance, mutation := 1, 3 // of eight
	if g.valid == 0 {
		mutation = 0
	} else if g.valid*attempts < g.n+attempts {
		chance, mutation = 1, 4
	}
	n := g.r.IntN(8)
	if n < chance {
		return bound(choices.Varied(g.r, g.n), maxAsks), false
	}
	if n < chance+mutation {
		var m mutate.Mutator
		if edited, ok := m.Havoc(g.pool.draw(g.r), g.r); ok {
			return bound(choices.Replay(edited, g.r), g.most), false
		}
	}
	return bound(g.guide.Begin(), g.most), true
}

// note records choices, and reports whether they are made for the first time.
func (g *guidance[V]) note(t choices.Tree) (isNew bool) {
	g.last = hash.FNV64(choices.Encode(t))
	_, old := g.made[g.last]
	if !old && len(g.made) < maxMade {
		g.made[g.last] = false
	}
	g.tags.note(t, false)
	return !old
}

// end records whether the last value is valid, and reports whether it is valid and its key is
// new. Without the option Unique the key is the shape: otherwise there would be something new in
// another integer of a small value for ever.
func (g *guidance[V]) end(valid bool) (isUnique bool) {
	switch {
	case !g.open: // rejected, or old
	case valid:
		if g.unique != nil {
			g.key = g.unique(g.tree)
		} else {
			_, g.key = sizeAndShape(g.tree)
		}
		isUnique = g.guide.Valid(g.key)
		g.tags.note(g.tree, true)
		if old, ok := g.made[g.last]; ok && !old {
			g.made[g.last] = true
			g.valid++
			g.pool.add(g.tree, g.r)
		}
	default:
		g.guide.Invalid()
	}
	g.open = false
	return isUnique
}

// teach makes it learn from a value that it has not made.
func (g *guidance[V]) teach(src choices.Source, valid bool) {
	_, t, err := bigen.Run(g.gen, src)
	if err == nil {
		_, t, err = bigen.Run(g.gen, g.guide.Replay(t))
	}
	if err == nil {
		g.note(t)
		g.most = min(max(g.most, len(t)), mostAsks)
		g.tree, g.open = t, true
		g.end(valid)
	}
}
