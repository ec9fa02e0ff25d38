package fuzzext

import (
	"math"
	"math/rand/v2"
	"runtime"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/bound"
	"github.com/espalier-go/espalier/mutate"
)

// Target says how far the value has come toward something rare: how deep a tree is, how full a
// buffer, how large a rounding error. Once a run has given scores, a share of all new values
// are mutants of those with the highest. So tests reach values that chance does not. Each call
// of Target in the code is a goal of its own. If a run makes it several times, the highest
// score counts. NaN counts as no score.
//
// It works in [Check], in fuzz targets, and under corpusgen fuzz. The idea is that of targeted
// property-based testing (Löscher and Sagonas, ISSTA 2017).
func (t *T) Target(score float64) { t.score(score) }

// AssumeNear ends the run unless distance is 0 or less, and marks its value as invalid, like
// [T.Assume]. It mutates invalid values with a small distance, as [T.Target] does with high
// scores. So values meet a precondition sooner.
func (t *T) AssumeNear(distance float64) {
	if distance <= 0 {
		return
	}
	t.score(-distance)
	t.SkipNow()
}

// A score is what a call of Target has been given.
type score struct {
	site  uintptr // the call in the code
	value float64
}

// score records a score for the caller of its caller.
func (t *T) score(value float64) {
	var pc [1]uintptr
	if value != value || runtime.Callers(3, pc[:]) == 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended {
		return
	}
	r := t.recording()
	for i := range r.scores {
		if s := &r.scores[i]; s.site == pc[0] {
			s.value = max(s.value, value)
			return
		}
	}
	r.scores = append(r.scores, score{pc[0], value})
}

// scores returns the scores of the run, which has ended and is not recycled.
func (t *T) scores() []score {
	if t.rec == nil {
		return nil
	}
	return t.rec.scores
}

// passOnScores tells the engine of the scores of a run, at its end.
func (t *T) passOnScores() {
	for _, s := range t.scores() {
		switch p := t.trial.probe; {
		case p == nil && fuzzing() && t.index == 0:
			coverAltitude(altitude(s.value))
		case p != nil && p.score != nil && t.index != minimizing:
			p.score(uint64(s.site), s.value)
		}
	}
}

// A climb makes values by mutating those with the highest scores so far. It chooses more
// often the operators that have led to higher scores.
type climb struct {
	hills []hill // one for each call of Target
	ways  []way  // one for each operator
	gains [strengths]gain
	last  struct {
		way      int
		strength int
		hill     int
		from     float64 // the score of the value that was mutated
		open     bool    // the score of the mutant is not known
	}
}

// way is what has become of the values that an operator has made.
type way struct{ tried, higher float64 }

// strengths is how many numbers of edits are tried: 1, 2, 4 and 8.
const strengths = 4

// gain is by how much values with so many edits have been higher, of late.
type gain struct{ tried, sum float64 }

// A hill has the values with the highest scores, the highest first, of equal ones the latest.
type hill struct {
	site uintptr
	top  []scored
}

// scored is a value with a score.
type scored struct {
	score float64
	tree  choices.Tree
}

// hillTop is how many values a hill keeps.
const hillTop = 8

// learn learns from the scores of a run on the value of a tree.
func (c *climb) learn(scores []score, tree choices.Tree) {
	for _, s := range scores {
		i := slices.IndexFunc(c.hills, func(h hill) bool { return h.site == s.site })
		if i < 0 {
			i = len(c.hills)
			c.hills = append(c.hills, hill{site: s.site})
		}
		if c.last.open && i == c.last.hill && s.value > c.last.from {
			c.ways[c.last.way].higher++
			c.gains[c.last.strength].sum += min(s.value-c.last.from, math.MaxFloat32)
		}
		c.hills[i].add(s.value, tree)
	}
	c.last.open = false
}

func (h *hill) add(value float64, tree choices.Tree) {
	i := slices.IndexFunc(h.top, func(x scored) bool { return x.score <= value })
	if i < 0 {
		i = len(h.top)
	}
	if i == hillTop {
		return
	}
	h.top = slices.Insert(h.top, i, scored{value, slices.Clone(tree)})
	h.top = h.top[:min(len(h.top), hillTop)]
}

// source returns the source of a mutant of one of the best values. It reports false if there
// are none.
func (c *climb) source(r *rand.Rand) (choices.Source, bool) {
	if len(c.hills) == 0 {
		return nil, false
	}
	c.last.hill = r.IntN(len(c.hills))
	top := c.hills[c.last.hill].top
	best := &top[0]
	if r.IntN(2) == 0 {
		best = &top[r.IntN(len(top))]
	}
	c.last.from, c.last.way, c.last.open = best.score, c.choose(r), true
	var m mutate.Mutator
	edited, ok := operators[c.last.way].Apply(&m, best.tree, r)
	c.ways[c.last.way].tried++
	for range 1<<c.strength(r) - 1 {
		edited, _ = operators[c.choose(r)].Apply(&m, edited, r)
	}
	if !ok {
		return nil, false
	}
	return bound.Of(choices.Replay(edited, r), bound.Most), true
}

var operators = mutate.Operators()

// strength chooses a number of edits: mostly the one that has gained most.
func (c *climb) strength(r *rand.Rand) int {
	best := 0
	for i := range c.gains {
		g := &c.gains[i]
		g.tried, g.sum = g.tried*.95, g.sum*.95
		if b := &c.gains[best]; g.sum*(1+b.tried) > b.sum*(1+g.tried) {
			best = i
		}
	}
	if r.IntN(4) == 0 {
		best = r.IntN(strengths)
	}
	c.gains[best].tried++
	c.last.strength = best
	return best
}

// choose chooses an operator, in proportion to the share of its values with higher scores.
func (c *climb) choose(r *rand.Rand) int {
	if c.ways == nil {
		c.ways = make([]way, len(operators))
	}
	share := func(w way) float64 { return (1 + w.higher) / (8 + w.tried) }
	sum := 0.0
	for _, w := range c.ways {
		sum += share(w)
	}
	x := r.Float64() * sum
	for i, w := range c.ways {
		if x -= share(w); x < 0 {
			return i
		}
	}
	return len(operators) - 1
}

// altitude is a number from 0 to 255 that grows with a score. From 8 on, it distinguishes
// scores that differ by a quarter.
func altitude(score float64) int {
	if score < 0 {
		return altitudes/2 - 1 - level(math.Ceil(-score))
	}
	return altitudes/2 + level(score)
}

const altitudes = 256

// level is a number from 0 to 127 that grows with n, which is not negative.
func level(n float64) int {
	const flat, steps = 8, 4
	if n < flat {
		return int(n)
	}
	fraction, doubled := math.Frexp(min(n, math.MaxFloat64) / flat)
	return min(flat+steps*(doubled-1)+int(steps*(2*fraction-1)), altitudes/2-1)
}
