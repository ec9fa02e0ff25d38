package values

import (
	"math/rand/v2"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/combinations"
	"github.com/espalier-go/espalier/choices/varied"
	"golang.org/x/exp/slices"
)

// A Seeding chooses seeds. It makes values at random ([varied.Source]; half of them by the policy
// or model, if there is one) and, once one has turned out invalid, with guidance. Of these it takes
// those first that add most to the coverage of pairs of choices ([combinations.Coverage.Thin]).
type Seeding struct {
	Subject
	// runs the property, unless it does not return; nil if all values count as valid
	Judge func(v any) (run Outcome, ok bool)
	Most  int // choices of a seed
	// of choices that may still be looked at for the coverage
	Pairs        int
	seed, stream uint64
	r            *rand.Rand

	covered  *combinations.Coverage
	known    []choices.Tree // valid values, to learn from
	guidance *guidance
	seen     map[string]bool // values, by their keys
	seeds    []candidate     // to choose from; the property fails for the first of them, if for any

	// data of values to choose from for which the property fails
	Failing                  map[string]bool
	Draws, Rejected, Invalid int
	Hangs                    bool // the property has not returned
}

// A candidate is a value to choose or not.
type candidate struct {
	data   []byte
	tree   choices.Tree
	unique bool
}

// SeedRunLimit is how long a run of the property on a value that may become a seed takes at most.
const SeedRunLimit = 5 * time.Second

// maxPool is how many seeds the guidance learns from at most.
const maxPool = 256

// NewSeeding returns a Seeding. Its values are a function of the seed, of the stream, and of which
// values are valid.
func NewSeeding(s Subject, seed, stream uint64) *Seeding {
	return &Seeding{
		Subject: s,
		Most:    1 << 20,
		Pairs:   1 << 22,
		seed:    seed,
		stream:  stream,
		r:       rand.New(rand.NewPCG(seed, stream)),
		covered: combinations.New(2, nil),
		seen:    map[string]bool{},
		Failing: map[string]bool{},
	}
}

// Len returns how many values there are to choose from.
func (c *Seeding) Len() int { return len(c.seeds) }

// Exclude records a value that is a seed already: it will not be chosen, but learned from.
// Rejected values are none.
func (c *Seeding) Exclude(src choices.Source) {
	v, t, err := bigen.Run(c.Gen, src)
	if err != nil {
		return
	}
	_, key := Entry(c.Gen, v, t)
	c.seen[key] = true
	if c.affords(t) {
		c.covered.Add(t)
	}
	if len(c.known) < maxPool {
		if c.judge(v).Verdict != Invalid {
			c.known = append(c.known, t)
		}
	}
}

// affords reports whether there is time for looking at the pairs of choices of a tree, and
// spends it.
func (c *Seeding) affords(t choices.Tree) bool {
	n := len(t) * len(t) / 2
	if n > c.Pairs {
		return false
	}
	c.Pairs -= n
	return true
}

// Draw makes a value, and keeps it if it is new and valid. It reports whether there may be others.
func (c *Seeding) Draw() (more bool) {
	v, t, err := c.make()
	if c.guidance != nil && c.guidance.spent {
		return false
	}
	c.Draws++
	if err != nil {
		c.Rejected++
		c.learn()
		c.guidance.end(false)
		return true
	}
	data, key := Entry(c.Gen, v, t)
	if c.seen[key] && c.guidance == nil {
		return true
	}
	run := c.judge(v)
	valid, unique := run.Verdict != Invalid, true
	if !valid {
		c.Invalid++
		c.learn()
	}
	if c.guidance != nil {
		c.guidance.say(run.Key)
		unique = c.guidance.end(valid) || run.Key == 0 && c.Unique == nil
	} else {
		c.known = append(c.known, t)
	}
	if valid && !c.seen[key] && len(t) <= c.Most {
		c.seen[key] = true
		c.seeds = append(c.seeds, candidate{data, t, unique})
		if run.Verdict == Failed {
			if last := len(c.seeds) - 1; len(c.Failing) == 0 {
				c.seeds[0], c.seeds[last] = c.seeds[last], c.seeds[0]
			}
			c.Failing[string(data)] = true
		}
	}
	return !c.Hangs || c.guidance == nil
}

func (c *Seeding) make() (v any, t choices.Tree, err error) {
	if c.guidance != nil {
		v, t, err = c.guidance.next()
		return v, slices.Clone(t), err
	}
	src := varied.Source(c.r, c.Draws)
	if c.Prior != nil && c.Draws&1 == 1 {
		src = ByPrior(c.Prior, c.r)
	}
	return bigen.Run(c.Gen, Bound(src, UsualQuestions))
}

// learn begins the guidance.
func (c *Seeding) learn() {
	if c.guidance != nil {
		return
	}
	c.guidance = newGuidance(c.Subject, c.seed, c.stream)
	for _, t := range c.known[max(0, len(c.known)-maxPool):] {
		c.guidance.teach(choices.Replay(t, nil), true)
	}
}

// judge runs the property on a value. If it does not return, it fails, and runs no more.
func (c *Seeding) judge(v any) Outcome {
	if c.Judge == nil {
		return Outcome{}
	}
	run, ok := c.Judge(v)
	if !ok {
		c.Hangs, c.Judge = true, nil
		run.Verdict = Failed
	}
	return run
}

// Choose returns at most n seeds: one for which the property fails, if there is one, and
// those that the coverage prefers. If fill is true, or the coverage prefers none, it adds
// others.
func (c *Seeding) Choose(n int, fill bool) [][]byte {
	var chosen [][]byte
	taken := make([]bool, len(c.seeds))
	take := func(i int) {
		if !taken[i] && len(chosen) < n {
			taken[i] = true
			chosen = append(chosen, c.seeds[i].data)
		}
	}
	if len(c.Failing) > 0 {
		take(0)
		c.covered.Add(c.seeds[0].tree)
	}
	for _, i := range c.preferred() {
		take(i)
	}
	if fill || len(chosen) == 0 {
		unique, repeated := c.byUniqueness()
		for _, i := range append(unique, repeated...) {
			take(i)
		}
	}
	return chosen
}

// preferred returns the seeds that the coverage prefers.
func (c *Seeding) preferred() (seeds []int) {
	var trees []choices.Tree
	var at []int
	for i, s := range c.seeds {
		if s.unique && c.affords(s.tree) {
			trees, at = append(trees, s.tree), append(at, i)
		}
	}
	for _, i := range c.covered.Thin(trees) {
		seeds = append(seeds, at[i])
	}
	return seeds
}

func (c *Seeding) byUniqueness() (unique, repeated []int) {
	for i, s := range c.seeds {
		if s.unique {
			unique = append(unique, i)
		} else {
			repeated = append(repeated, i)
		}
	}
	return unique, repeated
}
