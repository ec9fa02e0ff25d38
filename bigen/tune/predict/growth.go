package predict

import (
	"fmt"
	"math"
)

// Growth returns how many times as many picks one generation has as the one before, in the
// long run: the spectral radius of the mean matrix of types. Below 1, values are finite and so
// is their mean size. At 1, the mean size is infinite. Above, a part of the values does not
// end: see [Grammar.Extinction]. It is 0 for a generator that bounds its depth itself.
func (g *Grammar) Growth() float64 {
	most := 0.0
	list, _ := g.circles()
	for _, c := range list {
		most = max(most, c.growth)
	}
	return most
}

// Extinction returns the probability that a value ends by itself: the smallest fixed point of
// the generating functions (appendix B.1), by iteration from 0.
func (g *Grammar) Extinction() float64 {
	list, of := g.circles()
	ends := make([]float64, len(g.types))
	for c := range list { // kids before parents
		g.extinction(&list[c], func(k int) bool { return of[k] == c }, ends)
	}
	return ends[0]
}

// extinction computes ends for the types of one circle, from those of the circles that it leads to.
func (g *Grammar) extinction(c *circle, inside func(k int) bool, ends []float64) {
	dies := false // a circle in which each pick leads to another one never ends
	certain := c.growth <= 1
	for _, i := range c.types {
		for _, a := range g.types[i].alts {
			if a.prob > 0 {
				within := false
				a.each(func(k int) {
					within = within || inside(k)
					certain = certain && (inside(k) || ends[k] == 1)
				})
				dies = dies || !within
			}
		}
	}
	const rounds, near = 200_000, 1e-16
	for n, change := 0, 1.0; dies && n < rounds && change > near; n++ {
		change = 0
		for _, i := range c.types {
			x := g.types[i].ends(ends)
			if certain {
				x = 1
			}
			change = max(change, x-ends[i])
			ends[i] = x
		}
	}
}

// ends returns the probability that a pick of the type ends, from those of what follows on it.
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
	list, _ := g.circles()
	worst, growth := -1, 0.0
	for c := range list {
		if r := list[c].growth; r >= 1 && r > growth {
			worst, growth = c, r
		}
	}
	if worst < 0 {
		return ""
	}
	fate := "values have an infinite mean size"
	if growth > 1 {
		fate = fmt.Sprintf("%.3g%% of the values end by themselves", 100*g.Extinction())
	}
	lower, raise := g.changes(&list[worst], false)
	if lower.scale == 0 && math.IsInf(raise.scale, 1) {
		lower, raise = g.changes(&list[worst], true)
	}
	switch {
	case lower.scale > 0:
		return fmt.Sprintf("%s: tag %s has weight %.4g, and %.3g further ones are expected from each; below weight %.4g values end",
			fate, lower.tag, lower.weight, growth, lower.weight*lower.scale)
	case !math.IsInf(raise.scale, 1):
		return fmt.Sprintf("%s: %.3g further picks are expected from each of %s; tag %s has weight %.4g, above weight %.4g values end",
			fate, growth, g.types[list[worst].types[0]].name, raise.tag, raise.weight, raise.weight*raise.scale)
	}
	return fmt.Sprintf("%s: %.3g further picks are expected from each of %s; no single weight changes that",
		fate, growth, g.types[list[worst].types[0]].name)
}

// changes returns the least changes of one weight that make a circle critical, of constructors
// that are common or not: by lowering and by raising it.
func (g *Grammar) changes(c *circle, common bool) (lower, raise change) {
	lower, raise = change{scale: 0}, change{scale: math.Inf(1)}
	for i := range g.constructors {
		if g.families[g.familyOf[i]].common != common {
			continue
		}
		ch := g.ending(c, i)
		switch {
		case ch.scale == 0:
		case !ch.raise && ch.scale > lower.scale:
			lower = ch
		case ch.raise && ch.scale < raise.scale:
			raise = ch
		}
	}
	return lower, raise
}

// change is of the weight of a constructor.
type change struct {
	tag    string
	weight float64
	scale  float64 // what to multiply it by; 0 if nothing helps
	raise  bool
}

// ending returns by what to multiply the weight of a constructor so that a circle is critical.
func (g *Grammar) ending(c *circle, constructor int) change {
	ch := change{tag: g.constructors[constructor].Tag}
	for _, i := range c.types {
		for _, a := range g.types[i].alts {
			if a.constructor == constructor && a.weight > 0 && len(g.types[i].alts) > 1 {
				ch.weight = a.weight
			}
		}
	}
	grows := func(by float64) bool {
		return radius(g.mean(c.types, func(a *alternative) float64 {
			if a.constructor == constructor {
				return a.weight * by
			}
			return a.weight
		})) >= 1
	}
	const most = 1e6
	lo, hi := 0.0, 1.0 // of which hi grows
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

// mean returns the mean matrix of some types (section 6): how many picks of the second type follow on
// one of the first, by weights of alternatives.
func (g *Grammar) mean(types []int, weight func(a *alternative) float64) [][]float64 {
	m, at := matrix(len(types), len(types)), map[int]int{}
	for row, i := range types {
		at[i] = row
	}
	for row, i := range types {
		alts, total := g.types[i].alts, 0.0
		for n := range alts {
			total += weight(&alts[n])
		}
		for n := range alts {
			share := weight(&alts[n]) / total
			if total == 0 { // what a source does
				share = 0
				if n == 0 {
					share = 1
				}
			}
			if share > 0 {
				alts[n].each(func(k int) {
					if column, inside := at[k]; inside {
						m[row][column] += share
					}
				})
			}
		}
	}
	return m
}
