package fuzzext

import (
	"math/rand/v2"
	"time"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/bound"
	"github.com/espalier-go/espalier/fuzzext/internal/entry"
	"github.com/espalier-go/espalier/fuzzext/internal/guide"
)

// A seeding chooses seeds of a fuzz target that differ. It makes values at random
// ([choices.Varied]; half of them by the policy or model, if there is one) and, once one has
// turned out invalid, with guidance. Of these it takes
// those first that add most to the coverage of pairs of choices ([choices.Coverage.Thin]).
type seeding struct {
	x     *spec
	tb    *detached
	s     *trial
	blind bool // the property does not run: all values count as valid
	most  int  // choices of a seed
	pairs int  // of choices that may still be looked at for the coverage

	r        *rand.Rand
	seed     uint64
	stream   uint64
	covered  *choices.Coverage
	known    []choices.Tree // valid values, to learn from
	guidance *guide.Guidance

	seen  map[string]bool // values, by their keys
	seeds []candidate     // to choose from
	old   bool            // the last value was not new
	said  uint64          // the key that the run on it has said, or 0

	draws, rejected, invalid int
	failing                  bool // the property fails for the first of seeds
	hangs                    bool // the property has not returned
}

// A candidate is a value to choose or not.
type candidate struct {
	data   []byte
	tree   choices.Tree
	unique bool
}

// maxPool is how many seeds the guidance learns from at most.
const maxPool = 256

// runLimit is how long a run of the property on a value that may become a seed takes at most.
const runLimit = 5 * time.Second

func newSeeding(x *spec, from, stream uint64) *seeding {
	tb := &detached{name: x.target.name}
	return &seeding{
		x:       x,
		tb:      tb,
		s:       newTrial(tb),
		most:    1 << 20,
		pairs:   1 << 22,
		r:       rand.New(rand.NewPCG(from, stream)),
		seed:    from,
		stream:  stream,
		covered: choices.NewCoverage(2, nil),
		seen:    map[string]bool{},
	}
}

func (c *seeding) end() {
	c.s.end()
	c.tb.remove()
}

// exclude records a value that is a seed already: it will not be chosen, but learned from.
// Rejected values are none.
func (c *seeding) exclude(src choices.Source) {
	v, t, err := bigen.Run(c.x.gen, src)
	if err != nil {
		return
	}
	_, key := entry.Of(c.x.gen, v, t)
	c.seen[key] = true
	if c.affords(t) {
		c.covered.Add(t)
	}
	if len(c.known) < maxPool {
		if valid, _ := c.judge(v); valid {
			c.known = append(c.known, t)
		}
	}
}

// affords reports whether there is time for looking at the pairs of choices of a tree, and
// spends it.
func (c *seeding) affords(t choices.Tree) bool {
	n := len(t) * len(t) / 2
	if n > c.pairs {
		return false
	}
	c.pairs -= n
	return true
}

// draw makes a value, and keeps it if it is new and valid. It reports whether there may
// be others.
func (c *seeding) draw() (more bool) {
	var v any
	var t choices.Tree
	var err error
	c.old = true
	if c.guidance != nil {
		v, t, err = c.guidance.Value()
		t = slices.Clone(t)
		if c.guidance.Spent {
			return false
		}
	} else {
		src := choices.Varied(c.r, c.draws)
		if c.x.prior != nil && c.draws&1 == 1 {
			src = c.x.priorSource(c.r)
		}
		v, t, err = bigen.Run(c.x.gen, bound.Of(src, bound.Usual))
	}
	c.draws++
	if err != nil {
		c.rejected++
		c.learn()
		c.guidance.End(false)
		return true
	}
	data, key := entry.Of(c.x.gen, v, t)
	if c.seen[key] && c.guidance == nil {
		return true
	}
	valid, failing := c.judge(v)
	if !valid {
		c.invalid++
		c.learn()
	}
	unique := true
	if c.guidance != nil {
		c.guidance.Say(c.said)
		unique = c.guidance.End(valid) || c.said == 0 && c.x.unique.key == nil
	} else {
		c.known = append(c.known, t)
	}
	if valid && !c.seen[key] && len(t) <= c.most {
		c.seen[key], c.old = true, false
		c.seeds = append(c.seeds, candidate{data, t, unique})
		if last := len(c.seeds) - 1; failing && !c.failing {
			c.failing = true
			c.seeds[0], c.seeds[last] = c.seeds[last], c.seeds[0]
		}
	}
	return !c.hangs || c.guidance == nil
}

// learn begins the guidance.
func (c *seeding) learn() {
	if c.guidance != nil {
		return
	}
	c.guidance = guide.New(c.x.gen, c.seed, c.stream, c.x.uniqueKey(), c.x.guideOptions()...)
	for _, t := range c.known[max(0, len(c.known)-maxPool):] {
		c.guidance.Teach(choices.Replay(t, nil), true)
	}
}

// judge runs the property on a value. It reports whether the value is valid, as far as that
// is known, and whether the property fails for it.
func (c *seeding) judge(v any) (valid, failing bool) {
	c.said = 0
	if c.blind {
		return true, false
	}
	if c.s.prints {
		c.x.show(c.s, v)
	}
	t := c.x.run(c.s, v, time.Now().Add(runLimit), reducing)
	if t == nil {
		c.hangs, c.blind = true, true
		return true, true
	}
	defer c.s.recycle(t)
	c.said = t.uniqueKey()
	return t.Failed() || !t.Skipped(), t.Failed()
}

// choose returns at most n seeds: one for which the property fails, if there is one, and
// those that the coverage prefers. If fill is true, or the coverage prefers none, it adds
// others.
func (c *seeding) choose(n int, fill bool) [][]byte {
	var chosen [][]byte
	taken := make([]bool, len(c.seeds))
	take := func(i int) {
		if !taken[i] && len(chosen) < n {
			taken[i] = true
			chosen = append(chosen, c.seeds[i].data)
		}
	}
	if c.failing && len(c.seeds) > 0 {
		take(0)
		c.covered.Add(c.seeds[0].tree)
	}
	var trees []choices.Tree
	var at []int
	for i, s := range c.seeds {
		if s.unique && c.affords(s.tree) {
			trees, at = append(trees, s.tree), append(at, i)
		}
	}
	for _, i := range c.covered.Thin(trees) {
		take(at[i])
	}
	if fill || len(chosen) == 0 {
		for _, unique := range []bool{true, false} {
			for i, s := range c.seeds {
				if s.unique == unique {
					take(i)
				}
			}
		}
	}
	return chosen
}
