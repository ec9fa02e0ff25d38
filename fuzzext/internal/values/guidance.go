package values

import (
	"encoding/binary"
	"math"
	"math/rand/v2"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/varied"
	"github.com/espalier-go/espalier/internal/archive"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/hash"
	"github.com/espalier-go/espalier/mutate"
	"github.com/espalier-go/espalier/rl"
)

// A guidance makes values of a generator. Some are invalid. It makes no value twice.
//
// While most values are valid, it makes values as if all were: plain ones. Once learning from the
// others pays ([gauge]), it begins to guide. From then on it makes values in three ways, which are
// the arms of a bandit:
//
//   - plain values;
//   - mutants of valid values of all sizes ([archive.Archive]), some with parts that change
//     together ([mutate.Agreeing]);
//   - values by a guide, which learns what leads to valid values with rare keys ([rl.Guide]): from
//     its own values, and from others that are valid with a key that has been had once, twice, four
//     times, and so on, as long as their choices are half as many as its own.
//
// A valid value pays 1/√n if n values have had its key, and an invalid one nothing. A value costs
// as many choices as were made for it.
//
// The values are a function of the seed and of which values before were valid.
type guidance struct {
	Subject
	plain    plainMaker // other than the usual
	learner  *rl.Guide  // nil until it learns
	newGuide func() *rl.Guide
	bandit   *engine.Bandit // of ways to make a value
	r        *rand.Rand
	mutator  mutate.Mutator
	bounded  Bounded
	gauge    gauge

	// by hashes of choices, also of values taught: whether they are valid; at most maxMade
	made   map[uint64]bool
	said   map[uint64]uint64 // keys that runs have said, by hashes of choices; at most maxMade
	keys   map[uint64]uint32 // how often valid values have had a key; at most maxMade
	memory choices.Tree
	tree   choices.Tree // of the last value
	last   uint64       // its hash
	noted  bool         // made has it
	known  bool         // as valid, before
	key    uint64       // its key, if it is valid
	how    how          // it was made
	open   bool         // end has not been called for it
	spent  bool         // there seem to be no other values

	guided, shown int // choices that the guide has made, and that it has been shown

	most int // questions of a value: the others get the simplest answers
	// of valid values, by shape; a value is tried if it is drawn, or if another has its shape
	kept *archive.Archive[choices.Tree]
}

// A Subject is what a guidance makes values of.
type Subject struct {
	Gen     bigen.Gen[any]
	Unique  func(choices.Tree) uint64 // the key of a valid value; nil for its shape
	Prior   choices.Prior             // by which some values are made; or nil
	Options []rl.Option               // of the guide
}

// ByPrior returns a source of a value that follows a policy or a model.
func ByPrior(p choices.Prior, r *rand.Rand) choices.Source {
	var seed [8]byte
	binary.LittleEndian.PutUint64(seed[:], r.Uint64())
	return choices.FromBytesBy(seed[:], p)
}

// A plainMaker makes the next plain value, with its choices in the memory of dst. It returns
// an error for one that has been made before.
type plainMaker func(dst choices.Tree) (any, choices.Tree, error)

// how a value was made.
type how int

const (
	isPlain how = iota
	byMutation
	byGuide
	arms
	taught = arms
)

// plainKept is how many valid values are kept before guiding begins, in case it does.
const plainKept = 256

// guideCost is what a choice of the guide costs, in choices of plain values.
const guideCost = 4

const (
	// maxMade bounds the values that are remembered.
	maxMade = 1 << 20

	// triesForNew is how many values in a row may be old before there seem to be no
	// others. Those of the guide are new as long as there are any.
	triesForNew = 1000
)

// newGuidance returns a guidance. Its random values are a function of the seed and the stream.
func newGuidance(s Subject, seed, stream uint64) *guidance {
	g := &guidance{
		Subject:  s,
		bandit:   engine.NewBandit(int(arms)),
		newGuide: func() *rl.Guide { return rl.New(rand.New(rand.NewPCG(seed, ^stream)), s.Options...) },
		r:        rand.New(rand.NewPCG(^seed, stream)),
		mutator: mutate.Mutator{
			Reuse:     true,
			Operators: append(mutate.Operators(), mutate.Agreeing()...),
		},
		made: map[uint64]bool{},
		kept: archive.New[choices.Tree](1 << 16), // of size 1 each
		keys: map[uint64]uint32{},
		most: UsualQuestions,
	}
	// Each way keeps a tenth of the cost: one that pays rarely may be the only one that pays at
	// all.
	g.bandit.Focus, g.bandit.Fixed, g.bandit.Doubt, g.bandit.Memory = 2, .3, .5, 100
	plain := 0
	g.plain = func(dst choices.Tree) (any, choices.Tree, error) {
		plain++ // also of one that has been made before
		return bigen.RunInto(dst, s.Gen, g.bounded.Of(varied.Source(g.r, plain), UsualQuestions))
	}
	return g
}

// next makes the next value, and returns its choices, which are valid until the next call. The
// caller must then call end, unless the property fails for the value.
func (g *guidance) next() (v any, t choices.Tree, err error) {
	for range triesForNew {
		v, err = g.make()
		g.open = true
		g.spend()
		if err != nil || g.note(g.tree) {
			return v, g.tree, err
		}
		g.again()
	}
	g.spent = true
	return v, g.tree, err
}

// make makes a value, which may be old.
func (g *guidance) make() (v any, err error) {
	src := choices.Source(nil)
	if g.how = g.way(); g.how == byMutation {
		e := g.kept.Draw(g.r)
		e.Tries++
		if edited, ok := g.mutator.Havoc(e.Value, g.r); ok {
			src = choices.Replay(edited, g.r)
		} else {
			g.how = byGuide
		}
	}
	switch g.how {
	case isPlain:
		v, g.memory, err = g.plain(g.memory)
		g.tree = g.memory
		return v, err
	case byGuide:
		src = g.learner.Begin()
	}
	v, g.memory, err = bigen.RunInto(g.memory, g.Gen, g.bounded.Of(src, g.most))
	g.tree = g.memory
	return v, err
}

// way returns how to make the next value.
func (g *guidance) way() how {
	if g.learner == nil {
		return isPlain
	}
	h := how(g.bandit.Choose(g.r.Uint64()))
	if h == byMutation && g.kept.Len() == 0 {
		return byGuide
	}
	return h
}

// spend tells the bandit what the last value has cost.
func (g *guidance) spend() {
	const unit = 16 // so that the choice itself, which costs 1, does not count
	cost := 1 + len(g.tree)
	if g.how == byGuide {
		g.guided += cost
		cost *= guideCost
	}
	g.bandit.Spend(int(g.how), float64(cost)/unit)
}

// note records choices, and reports whether they are made for the first time.
func (g *guidance) note(t choices.Tree) (isNew bool) {
	g.last = Hash(t)
	valid, old := g.made[g.last]
	if g.noted, g.known = old || len(g.made) < maxMade, valid; g.noted && !old {
		g.made[g.last] = false
	}
	return !old
}

// again ends a value that has been made before.
func (g *guidance) again() {
	g.open = false
	if g.how != byGuide {
		return
	}
	if g.made[g.last] {
		g.learner.Valid(g.keyOf(g.tree))
	} else {
		g.learner.Invalid()
	}
}

// end records whether the last value is valid, and reports whether it is valid and its key is
// new. Without the option Unique the key is the shape: otherwise there would be something new in
// another integer of a small value for ever.
func (g *guidance) end(valid bool) (isUnique bool) {
	if !g.open {
		return false
	}
	g.open = false
	size, shape := SizeAndShape(g.tree)
	class := archive.ClassOf(size)
	pays := g.how == isPlain && g.learner == nil && g.gauge.watch(g.tree, class, valid)
	switch {
	case valid:
		isUnique = g.endValid(shape, class)
	case g.how == byGuide:
		g.learner.Invalid()
	}
	if pays {
		g.begin()
	}
	return isUnique
}

// endValid records that the last value is valid, and reports whether its key is new.
func (g *guidance) endValid(shape uint64, class int) (isUnique bool) {
	switch said, ok := g.said[g.last]; {
	case ok:
		g.key = said
	case g.Unique != nil:
		g.key = g.Unique(g.tree)
	default:
		g.key = shape
	}
	n := g.keys[g.key] + 1
	if n > 1 || len(g.keys) < maxMade {
		g.keys[g.key] = n
	}
	if g.how < arms {
		g.bandit.Reward(int(g.how), 1/math.Sqrt(float64(n)))
	}
	if g.noted {
		g.made[g.last] = true
	}
	if !g.known && (g.learner != nil || g.kept.Len() < plainKept) {
		e, isNew := g.kept.Add(shape, class, 1, g.r)
		if e.Tries++; isNew || g.r.IntN(e.Tries) == 0 {
			e.Value = append(e.Value[:0], g.tree...)
		}
	}
	switch {
	case g.how == byGuide:
		g.learner.Valid(g.key)
	case g.learner != nil && n&(n-1) == 0 && 2*g.shown <= g.guided:
		g.shown += 1 + len(g.tree)
		g.show(g.tree)
	}
	return n == 1
}

// begin begins to guide.
func (g *guidance) begin() {
	g.learner = g.newGuide()
	g.kept.Each(g.show)
}

// say records the key that the run on the last value has said, unless it is 0.
func (g *guidance) say(key uint64) {
	if key == 0 || len(g.said) >= maxMade {
		return
	}
	if g.said == nil {
		g.said = map[uint64]uint64{}
	}
	g.said[g.last] = key
}

func (g *guidance) keyOf(t choices.Tree) uint64 {
	if g.said != nil {
		if key, ok := g.said[Hash(t)]; ok {
			return key
		}
	}
	if g.Unique != nil {
		return g.Unique(t)
	}
	_, shape := SizeAndShape(t)
	return shape
}

// show shows valid choices to the guide.
func (g *guidance) show(t choices.Tree) {
	if _, err := bigen.Value(g.Gen, g.learner.Replay(t)); err == nil {
		g.learner.Valid(g.keyOf(t))
	}
}

// teach makes it learn from a value that it has not made.
func (g *guidance) teach(src choices.Source, valid bool) {
	_, t, err := bigen.Run(g.Gen, src)
	if err == nil {
		g.tree, g.how, g.open = t, taught, true
		g.note(t)
		g.most = min(max(g.most, len(t)), MostQuestions)
		if g.end(valid); valid {
			g.bandit.Reward(int(byMutation), 1) // an example is there to be mutated
		}
	}
}

// isGuided reports whether the last value is not a plain one.
func (g *guidance) isGuided() bool { return g.how != isPlain }

// SizeAndShape returns how many alternatives of a value have parts, and a hash of all
// alternatives: of what is left without integers and texts.
func SizeAndShape(t choices.Tree) (size int, shape uint64) {
	for i := range t {
		c := &t[i]
		if c.Kind != choices.Pick {
			continue
		}
		if c.Size > 1 {
			size++
		}
		shape = hash.Mix(shape, uint64(c.Slot)<<20^uint64(c.N)<<1|1)
	}
	return size, shape
}

// Hash returns a hash of the answers in t, which say which questions have been asked.
func Hash(t choices.Tree) uint64 {
	h := uint64(len(t))
	for i := range t {
		c := &t[i]
		if h = hash.Mix(h, uint64(c.N)); c.Kind == choices.Text {
			h = hash.Mix(h, hash.FNV64(c.Tag))
		}
	}
	return h
}

// Fits reports whether a prior has answered one of the questions of a few values. Of a model of
// examples, and of a generator that panics, it assumes so.
func Fits(gen bigen.Gen[any], prior choices.Prior) (ok bool) {
	counter, counts := prior.(interface{ Answered() int })
	if !counts {
		return true
	}
	defer func() { ok = ok || recover() != nil }()
	r := rand.New(rand.NewPCG(1, 1))
	for range 100 {
		_, _, _ = bigen.Run(gen, choices.RandomBy(r, prior)) // a rejected one counts, too
		if counter.Answered() > 0 {
			return true
		}
	}
	return false
}
