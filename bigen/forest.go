package bigen

import (
	"iter"
	"math"
	"math/rand/v2"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/chance"
	"golang.org/x/exp/slices"
)

// A Trees holds all trees that make one value, packed: if several answers lead to the
// value, the forest holds each of them once, whatever surrounds them. So a value with 2^40
// trees has a small forest. It replaces the list of UnGenChoices ("Bigenerators,
// Exposed!", section 5.1) by an and-or graph: a tree takes all points, and one way of each.
type Trees struct {
	points []*point

	// Inexact says that Prob is the probability not of the value but of the choices of
	// the forest. The two differ if the generator throws values away and draws them
	// again, or records them otherwise than it draws them.
	Inexact bool
}

// A point is a question that a tree must answer.
type point struct {
	question choices.Question // only what determines the probabilities of the answers
	ways     []way            // the answers that lead to the value, leftmost first; at least one
}

// A way is one answer, with the questions that its branch asks.
type way struct {
	choice choices.Choice // Size is not set
	below  []*point
}

// First returns the leftmost tree.
func (f *Trees) First() choices.Tree {
	return unpack(nil, f.points, func(*point) int { return 0 })
}

// Sample returns one of the trees, each equally likely. If it draws one that has
// more choices than a generator makes, it returns the leftmost.
func (f *Trees) Sample(r *rand.Rand) choices.Tree {
	trees := weighing{known: map[*point]weighed{}, way: func(*point, *way) float64 { return 0 }}
	t := unpack(nil, f.points, func(p *point) (n int) {
		if len(p.ways) > 1 {
			at := trees.point(p)
			for u := r.Float64(); n < len(p.ways)-1; n++ {
				if u -= math.Exp(at.ways[n] - at.sum); u < 0 {
					break
				}
			}
		}
		return n
	})
	if len(t) > maxTree {
		return f.First()
	}
	return t
}

// maxTree is about the number of choices that a generator makes at most. A forest may hold
// larger trees, because it does not say which ways go together.
const maxTree = 1 << 17

// unpack appends the tree that takes the chosen way at each point. It stops once the tree is
// too large.
func unpack(t choices.Tree, points []*point, choose func(*point) int) choices.Tree {
	for _, p := range points {
		if len(t) > maxTree {
			break
		}
		i, way := len(t), &p.ways[choose(p)]
		t = append(t, way.choice)
		t = unpack(t, way.below, choose)
		t[i].Size = int32(len(t) - i)
	}
	return t
}

// All yields every tree that is not too large for a generator, the leftmost first. Count
// says how many there are.
func (f *Trees) All() iter.Seq[choices.Tree] {
	return func(yield func(choices.Tree) bool) {
		all(nil, f.points, func(t choices.Tree) bool {
			return yield(append(choices.Tree(nil), t...))
		})
	}
}

// all calls yield with t extended by each tree of points. It reports whether all calls have
// returned true.
func all(t choices.Tree, points []*point, yield func(choices.Tree) bool) bool {
	switch {
	case len(points) == 0:
		return yield(t)
	case len(t) > maxTree:
		return true
	}
	for _, way := range points[0].ways {
		i := len(t)
		ok := all(append(t, way.choice), way.below, func(t choices.Tree) bool {
			t[i].Size = int32(len(t) - i)
			return all(t, points[1:], yield)
		})
		if !ok {
			return false
		}
	}
	return true
}

// Has reports whether t is one of the trees.
func (f *Trees) Has(t choices.Tree) bool { return has(f.points, t) }

func has(points []*point, t choices.Tree) bool {
	i := 0
	for _, p := range points {
		if i >= len(t) || !p.has(t.At(i)) {
			return false
		}
		i = t.End(i)
	}
	return i == len(t)
}

func (p *point) has(t choices.Tree) bool {
	c := t[0]
	c.Size = 0
	for _, way := range p.ways {
		if way.choice == c && has(way.below, t[1:]) {
			return true
		}
	}
	return false
}

// Count returns the number of trees, or +Inf beyond the largest float64.
func (f *Trees) Count() float64 {
	known := map[*point]float64{}
	var count func([]*point) float64
	count = func(points []*point) float64 {
		product := 1.0
		for _, p := range points {
			n, ok := known[p]
			if !ok {
				for _, way := range p.ways {
					n += count(way.below)
				}
				known[p] = n
			}
			product *= n
		}
		return product
	}
	return count(f.points)
}

// Prob returns the probability that [choices.Random], biased by [bias.Weighted](w) unless w is nil,
// makes one of the trees, and so the value: the sum over ways of the product over points
// (UnGenProb of "Bigenerators, Exposed!", section 4.2). It is exact except for rounding,
// unless the forest is Inexact. The probability of a large value may be too small for a
// float64: see LogProb.
func (f *Trees) Prob(w func(tag string, weight float64) float64) float64 {
	return math.Exp(f.LogProb(w))
}

// LogProb returns the natural logarithm of Prob, and -Inf if Prob is 0.
func (f *Trees) LogProb(w func(tag string, weight float64) float64) float64 {
	var alts []choices.Alt
	probs := weighing{known: map[*point]weighed{}, way: func(p *point, way *way) float64 {
		q := &p.question
		if w == nil || q.Kind != choices.Pick {
			return q.LogProb(&way.choice)
		}
		alts = append(alts[:0], q.Alts...)
		for i := range alts {
			alts[i].Weight = chance.LimitWeight(w(alts[i].Tag, alts[i].Weight))
		}
		weighed := choices.Question{Kind: choices.Pick, Alts: alts}
		return weighed.LogProb(&way.choice)
	}}
	return probs.product(f.points)
}

// A weighing weighs the trees of points by the weights of their ways, each point once. All
// weights are logarithms.
type weighing struct {
	way   func(*point, *way) float64 // the weight of a way, without what is below
	known map[*point]weighed
}

// weighed has the weights of the ways of a point, with what is below, and their sum.
type weighed struct {
	ways []float64
	sum  float64
}

// product returns the weight of all trees of points.
func (s *weighing) product(points []*point) (sum float64) {
	for _, p := range points {
		sum += s.point(p).sum
	}
	return sum
}

func (s *weighing) point(p *point) weighed {
	at, ok := s.known[p]
	if !ok {
		at.ways = make([]float64, len(p.ways))
		for n := range p.ways {
			way := &p.ways[n]
			at.ways[n] = s.way(p, way) + s.product(way.below)
		}
		at.sum = logSum(at.ways)
		s.known[p] = at
	}
	return at
}

// logSum returns the logarithm of the sum of numbers, given their logarithms.
func logSum(logs []float64) float64 {
	most := slices.Max(logs)
	if len(logs) == 1 || math.IsInf(most, -1) {
		return most
	}
	sum := 0.0
	for _, x := range logs {
		sum += math.Exp(x - most)
	}
	return most + math.Log(sum)
}
