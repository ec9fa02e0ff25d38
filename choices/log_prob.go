package choices

import "math"

// LogProb returns the natural logarithm of the probability that [Random] answers q with c. It is
// exact except for rounding.
func (q *Question) LogProb(c *Choice) float64 {
	switch {
	case !c.Asked():
		return 0
	case q.Kind == Pick:
		return math.Log(pickProb(q.Alts, int(c.N)))
	case q.Kind == Text:
		return textLogProb(q, c.Tag)
	}
	return math.Log(intProb(q, c.N))
}

// pickProb returns the probability that DrawPick returns n.
func pickProb(alts []Alt, n int) float64 {
	total, mine := 0.0, math.NaN()
	for i := range alts {
		total += alts[i].Weight
		if i == n {
			mine = alts[i].Weight
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
