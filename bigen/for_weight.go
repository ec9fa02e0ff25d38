package bigen

import (
	"math"

	"golang.org/x/exp/slices"
)

// Weights of derived types
//
// A recursive type is a branching process ("Branching Processes for QuickCheck
// Generators", sections 3 to 5). Its individuals are the choices of pointers,
// slices, maps and interfaces that lead back to themselves; entry i, j of its mean
// matrix is how many of kind j follow on one of kind i, on average. The largest
// eigenvalue of the matrix, its radius, says by how much each generation is larger
// than the one before. A radius below 1 keeps values finite; but with the same one in
// all generations, either most values are the smallest or a few are huge.
//
// So weights depend on the level, which is the number of recursive choices around.
// For each level, and each set of types that contain each other, the weight of going
// on, the odds, is as high as the radius that growth gives for the level allows. To go
// on is to have a value at a pointer, another element in a slice or map, and in an
// interface one of the variants that lead back to it.

// growth has the radius for each level; the last one is for all further levels.
var growth = [...]float64{2, 1.5, 1.2, 1, 0.8}

const (
	maxOdds = 9.0 // to 1, of going on

	// pointerOdds and elementOdds are the odds where nothing is recursive.
	pointerOdds = 3.0
	elementOdds = 8.0

	// maxExpected is how many choices a value has on average at most. Where it
	// would have more, since its types are wide or nest slices, all of growth and
	// elementOdds is scaled down.
	maxExpected = 100.0
	minScale    = 0.05
)

// component is a set of nodes each of which contains all others.
type component struct {
	nodes []*typeNode // the choices last, parts before wholes among the others
	odds  [len(growth)]float64
}

// weigh sets the weights of all nodes, for values of root.
func weigh(root *typeNode, all []*typeNode) {
	components := findComponents(all)
	for _, n := range all {
		n.findExits()
	}
	for scale := 1.0; ; scale *= 0.8 {
		for _, s := range components {
			for level := range growth {
				s.odds[level] = s.solve(growth[level] * scale)
			}
		}
		for _, n := range all {
			n.setOdds(scale)
		}
		if scale < minScale || expected(root, all) <= maxExpected {
			break
		}
	}
	for _, n := range all {
		n.setWeights()
	}
}

// findExits finds the variants of an interface that do not count as going on: those
// that do not lead back to it, or else those that end soonest. So, with odds of 0, a
// value always ends.
func (n *typeNode) findExits() {
	if n.form != oneOf {
		return
	}
	n.exits = make([]bool, len(n.kids))
	found := false
	for i, kid := range n.kids {
		n.exits[i] = !n.recursive || kid.component != n.component
		found = found || n.exits[i]
	}
	for i, kid := range n.kids {
		n.exits[i] = n.exits[i] || !found && kid.rank == n.kids[0].rank
	}
}

func (n *typeNode) setOdds(scale float64) {
	switch {
	case n.recursive:
		n.odds = n.component.odds[:]
	case n.form == many:
		n.odds = []float64{min(elementOdds*scale, (float64(n.hi)-float64(n.lo)+1)/2)}
	default:
		n.odds = []float64{pointerOdds}
	}
}

func (n *typeNode) setWeights() {
	if !n.isChoice() {
		return
	}
	for _, odds := range n.odds {
		alts := slices.Clone(n.alts)
		for i := range alts {
			if n.form == oneOf && !n.exits[i] || n.form != oneOf && i == 1 {
				alts[i].Weight = odds
			}
		}
		n.levels = append(n.levels, alts)
	}
}

// mean returns how many values of kid i there are in one of n, on average.
func (n *typeNode) mean(i int, odds float64) float64 {
	switch n.form {
	case optional:
		return odds / (1 + odds)
	case many:
		on := math.Pow(odds/(1+odds), float64(n.hi)-float64(n.lo))
		return float64(n.lo) + odds*(1-on)
	case oneOf:
		total, own := 0.0, 1.0
		for j, exit := range n.exits {
			w := 1.0
			if !exit {
				w = odds
			}
			total += w
			if i == j {
				own = w
			}
		}
		return own / total
	}
	return float64(n.count)
}

// solve returns the highest odds, up to maxOdds, with which the radius is not above
// the one given.
func (s *component) solve(radius float64) float64 {
	if s.radius(maxOdds) <= radius {
		return maxOdds
	}
	lo, hi := 0.0, maxOdds
	for range 20 {
		if mid := (lo + hi) / 2; s.radius(mid) <= radius {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// radius returns an upper bound of the radius of the mean matrix, close to it: for
// any vector x above 0, and so for all that the power method goes through, the
// largest of the ratios (Mx)i/xi is one (Collatz and Wielandt). The method is
// applied to I+M, since M may have a period.
func (s *component) radius(odds float64) (bound float64) {
	for _, n := range s.nodes {
		n.value = 1
	}
	for range 60 {
		bound = 0
		least := math.Inf(1)
		for _, n := range s.nodes {
			n.next = 0
			for i, kid := range n.kids {
				if kid.component == s {
					n.next += n.mean(i, odds) * kid.value
				}
			}
			if !n.isChoice() {
				n.value = n.next
				continue
			}
			bound, least = max(bound, n.next/n.value), min(least, n.next/n.value)
		}
		if bound-least < 0.001 {
			break
		}
		for _, n := range s.nodes {
			if n.isChoice() {
				n.value = (n.value + n.next) / (1 + bound)
			}
		}
	}
	return bound
}

// expected returns how many choices a value of root has on average.
func expected(root *typeNode, all []*typeNode) float64 {
	for _, n := range all {
		n.expected = [len(growth)]float64{}
	}
	for level := len(growth) - 1; level >= 0; level-- {
		for range 300 {
			change := 0.0
			for _, n := range all {
				e := n.expect(level)
				change = max(change, e-n.expected[level])
				n.expected[level] = e
			}
			if change < 0.01 {
				break
			}
		}
	}
	return root.expected[0]
}

// expect computes the expected number of choices at a level from those of the kids.
func (n *typeNode) expect(level int) float64 {
	odds := n.odds[min(level, len(n.odds)-1)]
	e := n.own()
	if n.form == many {
		e += n.mean(0, odds)
	}
	if n.recursive {
		level = min(level+1, len(growth)-1)
	}
	for i, kid := range n.kids {
		e += n.mean(i, odds) * kid.expected[level]
	}
	return e
}
