package predict

import (
	"fmt"
	"math"
)

// Weights are weights of constructors. They take the place of a generator's own.
type Weights map[Constructor]float64

// Weights returns the weights of the grammar. If a constructor has several, as in generators
// whose weights depend on depth, it is that of the first type.
func (g *Grammar) Weights() Weights {
	w := Weights{}
	for i := range g.types {
		for _, a := range g.types[i].alts {
			if a.constructor < 0 || a.absent {
				continue
			}
			c := g.constructors[a.constructor]
			if _, ok := w[c]; !ok {
				w[c] = a.weight
			}
		}
	}
	return w
}

// With returns the grammar with other weights, at all levels. Constructors that w does not have
// keep theirs, and so do those to which the generator gives weight 0. It panics if w has a constructor that the grammar has not, or a weight that is
// negative, infinite or NaN.
func (g *Grammar) With(w Weights) *Grammar {
	index := map[Constructor]int{}
	for i, c := range g.constructors {
		index[c] = i
	}
	weights := make([]float64, len(g.constructors))
	for i := range weights {
		weights[i] = math.NaN()
	}
	for c, x := range w {
		i, ok := index[c]
		if !ok {
			panic(fmt.Sprintf("predict: the grammar has no constructor %q of family %d at place %d", c.Tag, c.Family, c.Place))
		}
		if !(x >= 0) || math.IsInf(x, 1) {
			panic(fmt.Sprintf("predict: weight %v of tag %q", x, c.Tag))
		}
		weights[i] = x
	}
	return g.with(weights)
}

// with is With for weights by constructor, of which NaN changes nothing.
func (g *Grammar) with(weights []float64) *Grammar {
	out := &Grammar{types: make([]typ, len(g.types)), constructors: g.constructors, familyOf: g.familyOf, families: append([]family(nil), g.families...)}
	for i, t := range g.types {
		t.alts = append([]alternative(nil), t.alts...)
		for n := range t.alts {
			if a := &t.alts[n]; a.constructor >= 0 && !a.absent && !math.IsNaN(weights[a.constructor]) {
				a.weight = weights[a.constructor]
			}
		}
		t.normalize()
		out.types[i] = t
	}
	out.findLast()
	return out
}
