package predict

import (
	"github.com/espalier-go/espalier/bigen/tune/internal/exact"
	"github.com/espalier-go/espalier/choices"
)

// Types returns how many types of picks a grammar has.
func Types(g *Grammar) int { return len(g.types) - 1 }

// Constructors returns the constructors of a grammar, in the order of Expect.
func Constructors(g *Grammar) []Constructor { return g.constructors }

// A Problem is what Fit minimizes, for the test of its gradient.
type Problem struct{ *problem }

// NewProblem returns the problem of a cost.
func NewProblem(g *Grammar, cost Cost) (Problem, error) {
	p, err := newProblem(g, cost)
	return Problem{p}, err
}

// Start returns where Fit begins.
func (p Problem) Start() []float64 { return p.start() }

// Weights returns the weights whose logarithms are z.
func (p Problem) Weights(z []float64) Weights { return p.weights(z) }

// Cost returns the cost there, and its gradient.
func (p Problem) Cost(z []float64) (cost float64, gradient []float64) {
	gradient = make([]float64, len(z))
	return p.costAt(z, gradient), gradient
}

// Tally counts the constructors of trees, to compare them with what Expect predicts.
type Tally map[Constructor]int

// Add counts the picks of t.
func (n Tally) Add(t choices.Tree) {
	pointer := exact.FamilyOf([]string{"nil", "ptr"})
	for i, around := range t.Walk() {
		c := &t[i]
		if c.Kind != choices.Pick {
			continue
		}
		pick := Constructor{family: c.Family, Tag: c.Tag}
		if c.Element || c.Family == pointer && (c.Tag == "nil" || c.Tag == "ptr") {
			in := ""
			if len(around) > 0 {
				in = t[around[len(around)-1]].Tag
			}
			pick.place = point{c.Slot, in}.place()
		}
		n[pick]++
	}
}

// Place returns the place of a common constructor, and 0 for others.
func Place(c Constructor) uint64 { return c.place }
