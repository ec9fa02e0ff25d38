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
// the generating functions (appendix B.1), by Newton's method from 0.
func (g *Grammar) Extinction() float64 {
	list, of := g.circles()
	ends := make([]float64, len(g.types))
	for c := range list {
		g.extinction(&list[c], c, of, ends)
	}
	return ends[0]
}

// extinction computes ends for the types of one circle.
func (g *Grammar) extinction(c *circle, number int, of []int, ends []float64) {
	n := len(c.types)
	at := map[int]int{}
	for row, i := range c.types {
		at[i] = row
	}
	certain := c.growth <= 1
	dies := false // a circle in which each pick leads to exactly one more never ends
	for _, i := range c.types {
		for _, a := range g.types[i].alts {
			if a.prob == 0 {
				continue
			}
			inside := 0
			a.each(func(k int) {
				if of[k] == number {
					inside++
				} else if ends[k] < 1 {
					certain = false
				}
			})
			dies = dies || inside == 0
		}
	}
	if !dies {
		return
	}
	if certain {
		for _, i := range c.types {
			ends[i] = 1
		}
		return
	}
	for range 200 {
		step, slope := make([]float64, n), matrix(n, n)
		for row, i := range c.types {
			for _, a := range g.types[i].alts {
				if a.prob == 0 {
					continue
				}
				var kids []int
				a.each(func(k int) { kids = append(kids, k) })
				product := a.prob
				for _, k := range kids {
					product *= ends[k]
				}
				step[row] += product
				for j, k := range kids {
					if of[k] != number {
						continue
					}
					d := a.prob
					for l, other := range kids {
						if l != j {
							d *= ends[other]
						}
					}
					slope[row][at[k]] += d
				}
			}
			step[row] -= ends[i]
		}
		solver(slope)(step)
		change := 0.0
		for row, i := range c.types {
			ends[i] = min(1, max(ends[i], ends[i]+step[row]))
			change = max(change, math.Abs(step[row]))
		}
		if change < 1e-15 {
			break
		}
	}
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
	at := map[int]int{}
	for row, i := range c.types {
		at[i] = row
	}
	ch := change{tag: g.constructors[constructor].Tag}
	for _, i := range c.types {
		for _, a := range g.types[i].alts {
			if a.constructor == constructor && a.weight > 0 && len(g.types[i].alts) > 1 {
				ch.weight = a.weight
			}
		}
	}
	if ch.weight == 0 {
		return ch
	}
	grows := func(scale float64) bool {
		m := matrix(len(c.types), len(c.types))
		for row, i := range c.types {
			total := 0.0
			w := func(a *alternative) float64 {
				if a.constructor == constructor {
					return a.weight * scale
				}
				return a.weight
			}
			for n := range g.types[i].alts {
				total += w(&g.types[i].alts[n])
			}
			for n := range g.types[i].alts {
				a := &g.types[i].alts[n]
				a.each(func(k int) {
					if column, inside := at[k]; inside && w(a) > 0 {
						m[row][column] += w(a) / total
					}
				})
			}
		}
		return radius(m) >= 1
	}
	const most = 1e6
	lo, hi := 0.0, 1.0 // of which one grows
	switch {
	case !grows(0):
	case !grows(most):
		lo, hi, ch.raise = most, 1, true
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
