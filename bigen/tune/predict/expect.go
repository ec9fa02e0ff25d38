package predict

import (
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

// Expect returns how often each constructor occurs in a random value (sections 4 to 6). Two
// alternatives of a pick that share a tag are one constructor. Picks have levels: the first ones
// have level 0, and the picks of a pick's branch are one level deeper. At level size and beyond,
// only alternatives that do not lead back to their own type remain, in the same proportions
// (section 5). A type without such alternatives takes the alternatives of least height.
//
// The size bounds the values of [Grammar.Model] and of generators that have the same bound
// themselves. Use [Unlimited] for a generator without a bound. Then the means and variances
// may be infinite.
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
	if err := g.checkTags(tags...); err != nil {
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

// moment has the mean and variance of a number of picks.
type moment struct{ mean, variance float64 }

// moments returns a function from rewards, one for each thing that is counted, to the moments of the sum
// of the rewards of a value's picks.
func (g *Grammar) moments(size int) func(reward []float64) moment {
	if size == Unlimited {
		circles := g.circles()
		return func(reward []float64) moment { return g.unlimited(circles, reward) }
	}
	return func(reward []float64) moment {
		deeper := make([]moment, len(g.types))
		for _, t := range g.lastOrder {
			deeper[t], _ = g.types[t].moment(reward, true, deeper, deeper)
		}
		for range max(0, size) {
			level := make([]moment, len(g.types))
			for _, t := range g.order {
				level[t], _ = g.types[t].moment(reward, false, deeper, level)
			}
			if slices.Equal(level, deeper) {
				break // deeper levels change nothing
			}
			deeper = level
		}
		root, _ := g.types[0].moment(reward, false, deeper, nil) // the root is not a level of its own
		return root
	}
}

// unlimited returns the moments of values without a last level: the least fixed point of the
// equations of each circle, by iteration from 0.
func (g *Grammar) unlimited(circles []circle, reward []float64) moment {
	const rounds, near = 1_000_000, 1e-15
	grows := func(before, now float64) bool {
		return now-before > near*now || math.IsInf(now, 1) && !math.IsInf(before, 1)
	}
	m := make([]moment, len(g.types))
	for _, c := range circles { // kids before parents
		for n, changes := 0, true; changes && n < rounds; n++ {
			changes = false
			for _, t := range c.types {
				x, _ := g.types[t].moment(reward, false, m, m)
				if c.growth >= 1 && x.mean > 0 {
					x = moment{math.Inf(1), math.Inf(1)}
				}
				changes = changes || grows(m[t].mean, x.mean) || grows(m[t].variance, x.variance)
				m[t] = x
			}
		}
	}
	return m[0]
}

// moment returns the moments of a type from the moments of its kids, and the means of its
// alternatives. level has the moments of the next questions of sequences.
func (t *typ) moment(
	reward []float64, last bool, deeper, level []moment,
) (sum moment, means []float64) {
	again := 0.0 // the probability that the sequence continues in the same type
	parts := make([]moment, len(t.alts))
	for n := range t.alts {
		a := &t.alts[n]
		p := a.at(last)
		if p == 0 {
			continue
		}
		part := &parts[n]
		if a.counts >= 0 {
			part.mean = reward[a.counts]
		}
		for _, k := range a.kids {
			part.mean += deeper[k].mean
			part.variance += deeper[k].variance
		}
		switch {
		case n == t.self:
			again = p
		case a.next >= 0:
			part.mean += level[a.next].mean
			part.variance += level[a.next].variance
		}
		sum.mean += p * part.mean
	}
	sum.mean = over(sum.mean, 1-again)
	if math.IsInf(sum.mean, 1) {
		return moment{sum.mean, sum.mean}, nil
	}
	means = make([]float64, len(t.alts))
	for n := range t.alts {
		if p := t.alts[n].at(last); p > 0 {
			means[n] = parts[n].mean
			if n == t.self {
				means[n] += sum.mean
			}
			off := means[n] - sum.mean
			sum.variance += p * (parts[n].variance + off*off)
		}
	}
	sum.variance = over(sum.variance, 1-again)
	return sum, means
}

// at returns the probability of an alternative at the last level, or above it.
func (a *alternative) at(last bool) float64 {
	if last {
		return a.last
	}
	return a.prob
}

// over returns a/b, 0 for 0/0.
func over(a, b float64) float64 {
	if a == 0 {
		return 0
	}
	return a / max(0, b)
}
