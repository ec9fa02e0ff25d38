package choices

import (
	"iter"
	"math"
	"math/rand/v2"

	"golang.org/x/exp/slices"
)

// A Forest holds all trees that make one value, packed: if several answers lead to the
// value, the forest holds each of them once, whatever is around them. So a value with 2^40
// trees has a small forest. It replaces the list of UnGenChoices ("Bigenerators,
// Exposed!", section 5.1) by an and-or graph: a tree takes all points, and one way of each.
type Forest struct {
	Points []*Point

	// Inexact says that Prob is the probability not of the value but of the choices of
	// the forest. The two differ if the generator throws values away and draws them
	// again, or records them otherwise than it draws them.
	Inexact bool
}

// A Point is a question that a tree must answer.
type Point struct {
	Question Question // only what determines the probabilities of the answers
	Ways     []Way    // the answers that lead to the value, the leftmost first; at least one
}

// A Way is one answer, with the questions that its branch asks.
type Way struct {
	Choice Choice // Size is not set
	Below  []*Point
}

// First returns the leftmost tree.
func (f *Forest) First() Tree {
	return unpack(nil, f.Points, func(*Point) int { return 0 })
}

// Sample returns one of the trees, each equally likely. If it comes upon one that has
// more choices than a generator makes, it returns the leftmost.
func (f *Forest) Sample(r *rand.Rand) Tree {
	trees := weighing{known: map[*Point]weighed{}, way: func(*Point, *Way) float64 { return 0 }}
	t := unpack(nil, f.Points, func(p *Point) (n int) {
		if len(p.Ways) > 1 {
			at := trees.point(p)
			for u := r.Float64(); n < len(p.Ways)-1; n++ {
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
func unpack(t Tree, points []*Point, choose func(*Point) int) Tree {
	for _, p := range points {
		if len(t) > maxTree {
			break
		}
		i, way := len(t), &p.Ways[choose(p)]
		t = append(t, way.Choice)
		t = unpack(t, way.Below, choose)
		t[i].Size = int32(len(t) - i)
	}
	return t
}

// All yields every tree that is not too large for a generator, the leftmost first. Count
// says how many there are.
func (f *Forest) All() iter.Seq[Tree] {
	return func(yield func(Tree) bool) {
		all(nil, f.Points, func(t Tree) bool { return yield(append(Tree(nil), t...)) })
	}
}

// all calls yield with t extended by each tree of points. It reports whether all calls have
// returned true.
func all(t Tree, points []*Point, yield func(Tree) bool) bool {
	switch {
	case len(points) == 0:
		return yield(t)
	case len(t) > maxTree:
		return true
	}
	for _, way := range points[0].Ways {
		i := len(t)
		ok := all(append(t, way.Choice), way.Below, func(t Tree) bool {
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
func (f *Forest) Has(t Tree) bool { return has(f.Points, t) }

func has(points []*Point, t Tree) bool {
	i := 0
	for _, p := range points {
		if i >= len(t) || !p.has(t.At(i)) {
			return false
		}
		i = t.End(i)
	}
	return i == len(t)
}

func (p *Point) has(t Tree) bool {
	c := t[0]
	c.Size = 0
	for _, way := range p.Ways {
		if way.Choice == c && has(way.Below, t[1:]) {
			return true
		}
	}
	return false
}

// Count returns the number of trees, or +Inf beyond the largest float64.
func (f *Forest) Count() float64 {
	known := map[*Point]float64{}
	var count func([]*Point) float64
	count = func(points []*Point) float64 {
		product := 1.0
		for _, p := range points {
			n, ok := known[p]
			if !ok {
				for _, way := range p.Ways {
					n += count(way.Below)
				}
				known[p] = n
			}
			product *= n
		}
		return product
	}
	return count(f.Points)
}

// Prob returns the probability that [Random], biased by [Weighted](w) unless w is nil,
// makes one of the trees, and so the value: the sum over ways of the product over points
// (UnGenProb of "Bigenerators, Exposed!", section 4.2). It is exact except for rounding,
// unless the forest is Inexact. The probability of a large value may be too small for a
// float64: see LogProb.
func (f *Forest) Prob(w func(tag string, weight float64) float64) float64 {
	return math.Exp(f.LogProb(w))
}

// LogProb returns the natural logarithm of Prob, and -Inf if Prob is 0.
func (f *Forest) LogProb(w func(tag string, weight float64) float64) float64 {
	probs := weighing{known: map[*Point]weighed{}, way: func(p *Point, way *Way) float64 { return p.Question.logProb(&way.Choice, w) }}
	return probs.product(f.Points)
}

// A weighing weighs the trees of points by the weights of their ways, each point once. All
// weights are logarithms.
type weighing struct {
	way   func(*Point, *Way) float64 // the weight of a way, without what is below
	known map[*Point]weighed
}

// weighed is the weights of the ways of a point, with what is below, and their sum.
type weighed struct {
	ways []float64
	sum  float64
}

// product returns the weight of all trees of points.
func (s *weighing) product(points []*Point) (sum float64) {
	for _, p := range points {
		sum += s.point(p).sum
	}
	return sum
}

func (s *weighing) point(p *Point) weighed {
	at, ok := s.known[p]
	if !ok {
		at.ways = make([]float64, len(p.Ways))
		for n := range p.Ways {
			way := &p.Ways[n]
			at.ways[n] = s.way(p, way) + s.product(way.Below)
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

// logProb returns the natural logarithm of the probability that [Random], biased by
// [Weighted](w) unless w is nil, answers q with c. It is exact except for rounding.
func (q *Question) logProb(c *Choice, w func(tag string, weight float64) float64) float64 {
	switch {
	case !c.Asked():
		return 0
	case q.Kind == Pick:
		return math.Log(pickProb(q.Alts, int(c.N), w))
	case q.Kind == Text:
		return textLogProb(q, c.Tag)
	}
	return math.Log(intProb(q, c.N))
}

func pickProb(alts []Alt, n int, w func(tag string, weight float64) float64) float64 {
	total, mine := 0.0, math.NaN()
	for i := range alts {
		x := alts[i].Weight
		if w != nil {
			x = limitWeight(w(alts[i].Tag, x))
		}
		total += x
		if i == n {
			mine = x
		}
	}
	switch {
	case total > 0:
		return mine / total
	case n == 0: // what a source takes if nothing has weight
		return 1
	}
	return 0
}
