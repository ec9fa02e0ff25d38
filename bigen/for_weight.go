package bigen

import (
	"math"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
)

// Weights of derived types
//
// A recursive type is a branching process ("Branching Processes for QuickCheck
// Generators", sections 3 to 5). Its individuals are the choices of pointers,
// slices, maps and interfaces that lead back to themselves; entry i, j of its mean
// matrix M is how many of kind j follow on one of kind i, on average. The spectral
// radius of M is the growth from one generation to the next. If it is below 1, values
// are finite; but if it is the same for all generations, either most values are the
// smallest or some are huge.
//
// So weights depend on the level, which is the number of recursive choices around.
// The weight to continue, the odds, is as high for each choice as it can be with
// (Mv)i <= r*vi, where r is the growth at the level, and the vector v is above 0: then
// the radius is at most r, by the theorem of Collatz and Wielandt. To continue
// is to have a value at a pointer, another element in a slice or map, and in an interface
// one of the variants that lead back to it. v is 1 for a choice that can end at
// once. For one after which something always follows, v is so large that with odds of 0
// the growth is half of the limit.
//
// Where a tag sets the odds, they are the same at all levels, and the choice counts as little as a
// struct: what follows on it follows on the choice around.

const (
	maxOdds = 9.0 // to 1

	// pointerOdds and elementOdds are the odds where nothing is recursive.
	pointerOdds = 3.0
	elementOdds = 8.0

	// maxExpected is how many choices a value has on average at most. Where it
	// would have more, since its types are wide or nest slices, all of growth and
	// elementOdds is scaled down.
	maxExpected = 100.0
	minScale    = 0.05

	// enoughChoices is how many choices a value has before it ends as soon as it can;
	// or four times as many as an average value has, if that is more.
	enoughChoices = 1000
)

// finish sets the weights of all nodes, for values of root. It panics if there are misuses.
func (d *derivation) finish(root *typeNode) {
	d.panicIfMisused()
	d.checkFinite()
	d.panicIfMisused()
	weigh(root, d.all)
}

// weigh sets the weights of all nodes, for values of root.
func weigh(root *typeNode, all []*typeNode) {
	findComponents(all)
	for _, n := range all {
		n.findExits()
	}
	for scale := 1.0; ; scale *= 0.8 {
		for _, n := range all {
			n.value = 0
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
	root.room = int(max(enoughChoices, min(maxChoices, 4*expected(root, all))))
}

func (n *typeNode) setOdds(scale float64) {
	n.odds = n.odds[:0]
	switch {
	case n.asked > 0:
		n.odds = append(n.odds, n.asked)
	case n.recursive:
		for _, r := range growth {
			n.odds = append(n.odds, n.solve(r*scale, scale))
		}
	case n.form == many:
		n.odds = append(n.odds, min(elementOdds*scale, (float64(n.hi)-float64(n.lo)+1)/2))
	default:
		n.odds = append(n.odds, pointerOdds)
	}
}

// solve returns the highest odds, up to maxOdds, with which the growth is at most r.
func (n *typeNode) solve(r, scale float64) float64 {
	limit := r * n.valueOf(scale)
	if n.follows(maxOdds, scale) <= limit {
		return maxOdds
	}
	lo, hi := 0.0, maxOdds
	for range 30 {
		if mid := (lo + hi) / 2; n.follows(mid, scale) <= limit {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// valueOf returns the entry of v for n or, if n is not a choice, for what follows on it.
func (n *typeNode) valueOf(scale float64) float64 {
	if n.value == 0 {
		n.value = 1 // meanwhile, for one that the odds of a tag lead back to
		v := n.follows(n.asked, scale)
		if n.isChoice() && n.asked == 0 {
			v = max(1, 2*v/(scale*growth[len(growth)-1]))
		}
		n.value = v
	}
	return n.value
}

// follows returns the entry of Mv for n, with the given odds.
func (n *typeNode) follows(odds, scale float64) (sum float64) {
	for i, kid := range n.kids {
		if kid.component != n.component {
			continue
		}
		if m := n.mean(i, odds); m > 0 {
			sum += m * kid.valueOf(scale)
		}
	}
	return sum
}

func (n *typeNode) setWeights() {
	if !n.isChoice() {
		return
	}
	for _, odds := range n.odds {
		n.levels = append(n.levels, n.weighted(odds))
	}
	n.end = n.weighted(0)
}

// weighted returns the alternatives with the given odds to continue.
func (n *typeNode) weighted(odds float64) []choices.Alt {
	alts := slices.Clone(n.alts)
	for i := range alts {
		if n.form == oneOf && !n.exits[i] || n.form != oneOf && i == 1 {
			alts[i].Weight = odds
		}
	}
	return alts
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

// expect computes the expected number of choices at a level from the numbers of the kids.
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
	return min(e, 1e9) // the odds of tags may have no limit
}
