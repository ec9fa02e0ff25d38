package predict

import (
	"cmp"
	"fmt"
	"math"

	"golang.org/x/exp/slices"
)

// Growth returns the factor by which the number of picks grows from one generation to the
// next, in the long run: the spectral radius of the mean matrix of types. Below 1, values and
// their mean size are finite. At 1, the mean size is infinite. Above 1, some values do not
// end: see [Grammar.Extinction]. Growth is 0 for a generator that bounds its depth itself.
func (g *Grammar) Growth() float64 { return g.worst().growth }

// Extinction returns the probability that a value ends by itself: the smallest fixed point of
// the generating functions (appendix B.1), by iteration from 0.
func (g *Grammar) Extinction() float64 {
	const rounds, near = 200_000, 1e-16
	ends := make([]float64, len(g.types))
	for _, c := range g.circles() { // kids before parents
		dies := g.dies(c, ends)
		for n, change := 0, 1.0; n < rounds && change > near; n++ {
			change = 0
			for _, i := range c.types {
				x := g.types[i].ends(ends)
				if dies && x > 0 { // iteration comes near 1 slowly
					x = 1
				}
				change = max(change, x-ends[i])
				ends[i] = x
			}
		}
	}
	return ends[0]
}

// dies reports whether all picks of a circle end that can end: the circle does not grow, and
// everything that it leads to ends.
func (g *Grammar) dies(c circle, ends []float64) bool {
	dies := c.growth <= 1
	for _, i := range c.types {
		for n := range g.types[i].alts {
			if a := &g.types[i].alts[n]; a.prob > 0 {
				a.each(func(k int) { dies = dies && (ends[k] == 1 || slices.Contains(c.types, k)) })
			}
		}
	}
	return dies
}

// ends returns the probability that a pick of the type ends, from the probabilities of what
// follows it.
func (t *typ) ends(of []float64) (sum float64) {
	for n := range t.alts {
		product := t.alts[n].prob
		if product > 0 {
			t.alts[n].each(func(k int) { product *= of[k] })
		}
		sum += product
	}
	return min(1, sum)
}

// Advice returns a sentence that names the weight to change if values may not end, or have an
// infinite mean size. Otherwise, it is empty.
func (g *Grammar) Advice() string {
	worst := g.worst()
	if worst.growth < 1 {
		return ""
	}
	fate := "values have an infinite mean size"
	if worst.growth > 1 {
		fate = fmt.Sprintf("%.3g%% of the values end by themselves", 100*g.Extinction())
	}
	each := fmt.Sprintf("%s: %.3g further picks are expected from each of %s", fate, worst.growth,
		g.types[worst.types[0]].name)
	switch ch := g.change(worst); {
	case ch.scale == 0:
		return each + "; no single weight changes that"
	case ch.raise:
		return fmt.Sprintf("%s; tag %s has weight %.4g, above weight %.4g values end", each, ch.tag,
			ch.weight, ch.weight*ch.scale)
	default:
		return fmt.Sprintf("%s: tag %s has weight %.4g, and %.3g further ones are expected from "+
			"each; below weight %.4g values end",
			fate, ch.tag, ch.weight, worst.growth, ch.weight*ch.scale)
	}
}

// change is a change of the weight of a constructor.
type change struct {
	tag    string
	weight float64
	scale  float64 // what to multiply it by; 0 if nothing helps
	raise  bool
}

// change returns the least change of one weight that makes a circle critical: it prefers a lower
// weight, and a constructor that is not common, if that helps.
func (g *Grammar) change(c circle) (best change) {
	better := func(x, y change) bool {
		switch {
		case x.scale == 0 || y.scale == 0:
			return x.scale > 0
		case x.raise != y.raise:
			return y.raise
		}
		return math.Abs(x.scale-1) < math.Abs(y.scale-1)
	}
	for _, common := range [...]bool{false, true} {
		for i := range g.constructors {
			if g.families[g.familyOf[i]].common == common {
				if ch := g.critical(c, i); better(ch, best) {
					best = ch
				}
			}
		}
		if best.scale > 0 {
			break
		}
	}
	return best
}

// critical returns the factor by which to multiply the weight of a constructor so that a circle
// is critical.
func (g *Grammar) critical(c circle, constructor int) change {
	ch := change{tag: g.constructors[constructor].Tag}
	for _, i := range c.types {
		for _, a := range g.types[i].alts {
			if a.constructor == constructor && len(g.types[i].alts) > 1 {
				ch.weight = max(ch.weight, a.weight)
			}
		}
	}
	grows := func(by float64) bool {
		weights := g.unchanged()
		weights[constructor] = ch.weight * by
		return radius(g.weighed(weights).mean(c.types)) >= 1
	}
	const most = 1e6
	lo, hi := 0.0, 1.0 // hi grows
	switch {
	case ch.weight == 0:
		return ch
	case !grows(0):
	case !grows(most):
		lo, ch.raise = most, true
	default:
		return ch
	}
	for range 60 {
		if mid := (lo + hi) / 2; grows(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	ch.scale = hi
	return ch
}

// circle is a set of types that lead to each other: a component of the graph of types.
type circle struct {
	types  []int
	growth float64 // the spectral radius of its mean matrix
}

// circles returns the components, kids before parents.
func (g *Grammar) circles() []circle {
	of := g.components(func(a *alternative, visit func(int)) {
		if a.prob > 0 {
			a.each(visit)
		}
	})
	list := make([]circle, slices.Max(of)+1)
	for i, c := range of {
		list[c].types = append(list[c].types, i)
	}
	for c := range list {
		list[c].growth = radius(g.mean(list[c].types))
	}
	return list
}

// worst returns the circle that grows fastest.
func (g *Grammar) worst() circle {
	return slices.MaxFunc(g.circles(), func(a, b circle) int {
		return cmp.Compare(a.growth, b.growth)
	})
}

// mean returns the mean matrix of some types (section 6): how many picks of the second type follow
// a pick of the first.
func (g *Grammar) mean(types []int) [][]float64 {
	m, at := matrix(len(types)), map[int]int{}
	for row, i := range types {
		at[i] = row
	}
	for row, i := range types {
		for n := range g.types[i].alts {
			a := &g.types[i].alts[n]
			a.each(func(k int) {
				if column, inside := at[k]; inside {
					m[row][column] += a.prob
				}
			})
		}
	}
	return m
}

func matrix(n int) [][]float64 {
	m := make([][]float64, n)
	for i := range m {
		m[i] = make([]float64, n)
	}
	return m
}

// radius returns the spectral radius of a matrix without negative entries: the limit of the n-th
// root of the norm of its n-th power (Gelfand), by squaring.
func radius(m [][]float64) float64 {
	root := 1.0
	for power := 1.0; power > 1e-18; power /= 2 {
		n := norm(m)
		if n == 0 {
			return 0
		}
		root *= math.Pow(n, power)
		m = squared(m, n)
	}
	return root
}

// norm returns the largest sum of a row.
func norm(m [][]float64) float64 {
	largest := 0.0
	for _, row := range m {
		sum := 0.0
		for _, x := range row {
			sum += x
		}
		largest = max(largest, sum)
	}
	return largest
}

// squared returns the square of a matrix that is divided by a number.
func squared(m [][]float64, divisor float64) [][]float64 {
	square := matrix(len(m))
	for i, row := range m {
		for k, x := range row {
			if x == 0 {
				continue
			}
			for j, y := range m[k] {
				square[i][j] += x / divisor * (y / divisor)
			}
		}
	}
	return square
}
