package rl

import "math/rand/v2"

// A strategy is a way to make an input. The Guide prefers strategies whose inputs
// were worth much lately: they are the arms of a bandit.
type strategy struct {
	greed    float32 // exponent of the estimated probability of a valid input
	revisits bool    // vary an input of the archive
	yield    float64 // what the last yieldWindow inputs were worth, in the mean
	used     float64 // number of inputs
}

const (
	yieldWindow = 200
	yieldOffset = 0.02 // added to each yield
	minShare    = 0.01 // weight added to each strategy, as a share of all weights
)

func newStrategies(greeds []float32, revisits bool) []strategy {
	var all []strategy
	for _, greed := range greeds {
		all = append(all, strategy{greed: greed})
		if revisits {
			all = append(all, strategy{greed: greed, revisits: true})
		}
	}
	return all
}

// drawStrategy draws the index of a strategy with the eighth power of its yield as
// weight: usually one of the best. The conversions stop compilers from fusing
// operations: see power.
func drawStrategy(all []strategy, canRevisit bool, r *rand.Rand) int {
	if len(all) == 1 {
		return 0
	}
	weight := func(s *strategy) float64 {
		if s.revisits && !canRevisit {
			return 0
		}
		x := s.yield + yieldOffset
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
	share := float64(total * minShare)
	x := float64(r.Float64() * (total + float64(share*float64(n))))
	last := 0
	for i := range all {
		w := weight(&all[i])
		if w == 0 {
			continue
		}
		last = i
		if x -= w + share; x < 0 {
			break
		}
	}
	return last
}

// credit records what an input was worth.
func (s *strategy) credit(worth float32) {
	s.used++
	s.yield += (float64(worth) - s.yield) / min(s.used, yieldWindow)
}
