package values

import (
	"math/rand/v2"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/mutate"
	"golang.org/x/exp/slices"
)

// A climb makes values by mutating those with the highest scores so far. Bandits choose the
// operators, and how many edits there are, by what has led to higher scores.
type climb struct {
	hills     []hill // one for each call of Target
	operators *engine.Bandit
	strengths *engine.Bandit // 1, 2, 4 or 8 edits
	last      struct {
		operator, strength, hill int
		from                     float64 // the score of the value that was mutated
		open                     bool    // the score of the mutant is not known
	}
}

// A hill has the values with the highest scores, the highest first, of equal ones the latest. It
// differs from package archive, which keeps one value for each thing reached and never asks
// which is better.
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

// begun reports whether there is a value to mutate.
func (c *climb) begun() bool { return len(c.hills) > 0 }

// learn learns from the scores of a run on the value of a tree.
func (c *climb) learn(scores []Score, tree choices.Tree) {
	for _, s := range scores {
		i := slices.IndexFunc(c.hills, func(h hill) bool { return h.site == s.Site })
		if i < 0 {
			i = len(c.hills)
			c.hills = append(c.hills, hill{site: s.Site})
		}
		if c.last.open && i == c.last.hill && s.Value > c.last.from {
			c.operators.Reward(c.last.operator, 1)
			c.strengths.Reward(c.last.strength, 1)
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

// source returns the source of a mutant of one of the best values. It reports false if there
// are none.
func (c *climb) source(r *rand.Rand) (choices.Source, bool) {
	if len(c.hills) == 0 {
		return nil, false
	}
	if c.operators == nil {
		c.operators, c.strengths = engine.NewBandit(len(operators)), engine.NewBandit(4)
	}
	c.last.hill = r.IntN(len(c.hills))
	top := c.hills[c.last.hill].top
	best := &top[0]
	if r.IntN(2) == 0 {
		best = &top[r.IntN(len(top))]
	}
	c.last.from, c.last.open = best.score, true
	c.last.operator, c.last.strength = c.operators.Choose(r.Uint64()), c.strengths.Choose(r.Uint64())
	var m mutate.Mutator
	edited, ok := operators[c.last.operator].Apply(&m, best.tree, r)
	for range 1<<c.last.strength - 1 {
		edited, _ = operators[c.operators.Choose(r.Uint64())].Apply(&m, edited, r)
	}
	return Bound(choices.Replay(edited, r), MostQuestions), ok
}

var operators = mutate.Operators()
