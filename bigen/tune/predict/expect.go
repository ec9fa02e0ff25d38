package predict

import (
	"fmt"
	"math"

	"golang.org/x/exp/slices"
)

// Unlimited is the size of values without a last level.
const Unlimited = math.MaxInt

// A Count is how often a constructor occurs in a value.
type Count struct {
	Constructor
	Mean     float64
	Variance float64
}

// String returns the tag, the mean and the standard deviation.
func (c Count) String() string {
	return fmt.Sprintf("%s %.5g (deviation %.3g)", c.Tag, c.Mean, math.Sqrt(c.Variance))
}

// Expect returns how often each constructor occurs in a random value (sections 4 to 6). Two
// alternatives of a pick that share a tag are one constructor. Picks have levels: the first ones have level 0, those that
// a pick's branch asks are one level further in. At level size and beyond, only those
// alternatives remain that do not lead back to their own type, in the same proportions
// (section 5). A type without such alternatives takes those of least height.
//
// The size bounds the values of [Grammar.Prior] and of generators that have the same bound
// themselves. For one without a bound it is [Unlimited]; then the means and variances may be
// infinite.
func (g *Grammar) Expect(size int) []Count {
	counts := make([]Count, len(g.constructors))
	moments := g.moments(size)
	for c := range counts {
		reward := make([]float64, len(g.constructors))
		reward[c] = 1
		m := moments(reward)
		counts[c] = Count{g.constructors[c], m.mean, m.variance}
	}
	return counts
}

// ExpectTags returns how many picks of a random value take one of the tags, and the variance of
// that number. Without tags, it is all picks. It panics if no alternative has one of the tags. See
// [Grammar.Expect].
func (g *Grammar) ExpectTags(size int, tags ...string) (mean, variance float64) {
	if err := g.checkTags(tags); err != nil {
		panic(err.Error())
	}
	reward := make([]float64, len(g.constructors))
	for c := range reward {
		if len(tags) == 0 || slices.Contains(tags, g.constructors[c].Tag) {
			reward[c] = 1
		}
	}
	m := g.moments(size)(reward)
	return m.mean, m.variance
}

// moment is of a number of picks.
type moment struct{ mean, variance float64 }

// moments returns a function that returns the moments of the sum of the rewards of the picks of
// a value, of which there is one for each constructor.
func (g *Grammar) moments(size int) func(reward []float64) moment {
	if size == Unlimited {
		list, of := g.circles()
		return func(reward []float64) moment { return g.unlimited(list, of, reward) }
	}
	p := g.plan()
	return func(reward []float64) moment {
		deeper := p.lastMoments(reward)
		for range max(0, size) {
			level := make([]moment, len(g.types))
			for _, t := range p.order {
				level[t] = g.types[t].moment(reward, p.free[t], deeper, level)
			}
			if slices.Equal(level, deeper) {
				break // further levels change nothing
			}
			deeper = level
		}
		// The root is no level of its own.
		return g.types[0].moment(reward, p.free[0], deeper, nil)
	}
}

// plan is the probabilities by type and alternative, above the last level and there, and the
// orders in which types are computed: kids before parents.
type plan struct {
	g           *Grammar
	free, probs [][]float64
	order       []int // along the sequences of one level
	last        []int // at the last level
}

func (g *Grammar) plan() *plan {
	p := &plan{g: g, free: make([][]float64, len(g.types)), probs: make([][]float64, len(g.types))}
	p.order = byComponent(components(len(g.types), func(i int, visit func(int)) {
		for _, a := range g.types[i].alts {
			if a.next >= 0 {
				visit(a.next)
			}
		}
	}))
	for i := range g.types {
		for _, a := range g.types[i].alts {
			p.free[i] = append(p.free[i], a.prob)
		}
		p.probs[i] = make([]float64, len(p.free[i]))
		p.normalizeLast(i)
	}
	p.last = byComponent(components(len(g.types), func(i int, visit func(int)) {
		for n := range g.types[i].alts {
			if p.probs[i][n] > 0 {
				g.types[i].alts[n].each(visit)
			}
		}
	}))
	return p
}

// normalizeLast computes the probabilities of a type at the last level from those above.
func (p *plan) normalizeLast(i int) {
	last := p.g.families[p.g.types[i].family].last
	total := 0.0
	for n, x := range p.free[i] {
		if last[n] {
			total += x
		}
	}
	for n, x := range p.free[i] {
		switch {
		case !last[n]:
			p.probs[i][n] = 0
		case total > 0:
			p.probs[i][n] = x / total
		default: // what a source does
			p.probs[i][n] = 0
			if n == firstOf(last) {
				p.probs[i][n] = 1
			}
		}
	}
}

// byComponent returns the nodes in the order of their components.
func byComponent(component []int) []int {
	order := make([]int, len(component))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return component[a] - component[b] })
	return order
}

func firstOf(list []bool) int { return max(0, slices.Index(list, true)) }

// lastMoments returns the moments by type at the last level.
func (p *plan) lastMoments(reward []float64) []moment {
	m := make([]moment, len(p.g.types))
	for _, t := range p.last {
		m[t] = p.g.types[t].moment(reward, p.probs[t], m, m)
	}
	return m
}

// moment returns the moments of a type from those of its kids. level has those of the next
// questions of sequences.
func (t *typ) moment(reward, probs []float64, deeper, level []moment) moment {
	again := 0.0 // the probability that the sequence goes on in the same type
	var mean float64
	parts := make([]moment, len(t.alts)) // without what goes on in the same type
	for n, a := range t.alts {
		if probs[n] == 0 {
			continue
		}
		m := moment{}
		if a.constructor >= 0 {
			m.mean = reward[a.constructor]
		}
		for _, k := range a.kids {
			m.mean += deeper[k].mean
			m.variance += deeper[k].variance
		}
		switch {
		case n == t.self:
			again = probs[n]
		case a.next >= 0:
			m.mean += level[a.next].mean
			m.variance += level[a.next].variance
		}
		parts[n] = m
		mean += probs[n] * m.mean
	}
	mean = over(mean, 1-again)
	variance := 0.0
	for n := range t.alts {
		if probs[n] == 0 {
			continue
		}
		m := parts[n]
		if n == t.self {
			m.mean += mean
		}
		variance += probs[n] * (m.variance + (m.mean-mean)*(m.mean-mean))
	}
	if math.IsInf(mean, 1) {
		return moment{mean, mean}
	}
	return moment{mean, over(variance, 1-again)}
}

// over returns a/b, 0 for 0/0.
func over(a, b float64) float64 {
	if a == 0 {
		return 0
	}
	return a / max(0, b)
}
