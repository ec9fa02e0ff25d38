// Package climb makes values with high scores by mutating those with the highest so far.
package climb

import (
	"math"
	"math/rand/v2"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/bound"
	"github.com/espalier-go/espalier/fuzzext/internal/outcome"
	"github.com/espalier-go/espalier/mutate"
)

// A Climb makes values by mutating those with the highest scores so far. It chooses more
// often the operators that have led to higher scores.
type Climb struct {
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

// Begun reports whether there is a value to mutate.
func (c *Climb) Begun() bool { return len(c.hills) > 0 }

// Learn learns from the scores of a run on the value of a tree.
func (c *Climb) Learn(scores []outcome.Score, tree choices.Tree) {
	for _, s := range scores {
		i := slices.IndexFunc(c.hills, func(h hill) bool { return h.site == s.Site })
		if i < 0 {
			i = len(c.hills)
			c.hills = append(c.hills, hill{site: s.Site})
		}
		if c.last.open && i == c.last.hill && s.Value > c.last.from {
			c.ways[c.last.way].higher++
			c.gains[c.last.strength].sum += min(s.Value-c.last.from, math.MaxFloat32)
		}
		c.hills[i].add(s.Value, tree)
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

// Source returns the source of a mutant of one of the best values. It reports false if there
// are none.
func (c *Climb) Source(r *rand.Rand) (choices.Source, bool) {
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
func (c *Climb) strength(r *rand.Rand) int {
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
func (c *Climb) choose(r *rand.Rand) int {
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
