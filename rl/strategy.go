package rl

import "math/rand/v2"

// A strategy is a way to make an input. The guide prefers those that have come to
// unique valid inputs lately.
type strategy struct {
	greed   float32 // see Greed
	returns bool    // to an input of the archive
	yield   float64 // share of unique valid inputs among the last
	used    float64 // how often
}

const (
	lately    = 200  // inputs that a yield is about
	least     = 0.01 // weight of the worst strategy, as a share of that of all
	leastOwn  = 0.02 // added to yields
	justValid = 0.1  // yield of a valid input that is not unique
)

func newStrategies(greeds []float32, returns bool) []strategy {
	var all []strategy
	for _, greed := range greeds {
		all = append(all, strategy{greed: greed})
		if returns {
			all = append(all, strategy{greed: greed, returns: true})
		}
	}
	return all
}

// drawStrategy draws the index of a strategy by the eighth power of its yield: mostly
// one of the best. The conversions keep compilers from fusing operations, as in power.
func drawStrategy(all []strategy, canReturn bool, r *rand.Rand) int {
	if len(all) == 1 {
		return 0
	}
	weight := func(s *strategy) float64 {
		if s.returns && !canReturn {
			return 0
		}
		x := s.yield + leastOwn
		x = float64(x * x)
		x = float64(x * x)
		return float64(x * x)
	}
	total, n := 0.0, 0
	for i := range all {
		if w := weight(&all[i]); w > 0 {
			total += w
			n++
		}
	}
	own := float64(total * least)
	x := float64(r.Float64() * (total + float64(own*float64(n))))
	last := 0
	for i := range all {
		w := weight(&all[i])
		if w == 0 {
			continue
		}
		last = i
		if x -= w + own; x < 0 {
			break
		}
	}
	return last
}

// credit takes note of an input.
func (s *strategy) credit(o outcome) {
	got := 0.0
	switch o {
	case unique:
		got = 1
	case valid:
		got = justValid
	}
	s.used++
	s.yield += (got - s.yield) / min(s.used, lately)
}
