package predict

import (
	"math"
	"math/rand/v2"
)

// far is the number of steps if the end is out of reach, or not known yet.
const far = math.MaxInt32

// plan finds the ways to what has not been observed enough, and to ends. It returns how many
// alternatives are missing.
func (s *states) plan() (missing int) {
	for x := range s.all {
		st := &s.all[x]
		st.toMissing = far
		for n := range st.alts {
			if s.missing(st, n) {
				missing++
				st.toMissing = 0
			}
		}
	}
	for s.shorten() {
	}
	return missing
}

// shorten finds shorter ways of states, through the ways of the states that they lead to.
func (s *states) shorten() (changed bool) {
	for x := len(s.all) - 1; x >= 0; x-- {
		st := &s.all[x]
		for n := range st.alts {
			if st.alts[n].count == 0 {
				continue
			}
			toMissing := int32(far)
			for _, k := range st.alts[n].kids {
				toMissing = min(toMissing, s.all[k].toMissing)
			}
			changed = nearer(&st.toMissing, toMissing) || changed
			changed = nearer(&st.toEnd, s.short(int32(x), n)) || changed
		}
	}
	return changed
}

// nearer sets a distance to one more than the next one, if that is less.
func nearer(distance *int32, next int32) bool {
	if next == far || next+1 >= *distance {
		return false
	}
	*distance = next + 1
	return true
}

// missing reports whether alternative n of a state has not been observed enough.
func (s *states) missing(st *state, n int) bool {
	return st.alts[n].count < enough && s.weight(st, n) > 0
}

func (s *states) weight(st *state, n int) float64 {
	w := s.log.weights[s.log.nodes[st.first].weights]
	if len(w) == 1 {
		return 1
	}
	return w[n]
}

// toward returns the alternative that leads to what is missing, and the state through which it
// leads, or -1 if the alternative itself is missing. Without such an alternative, it returns -1.
func (s *states) toward(x int32, weights []float64, r *rand.Rand) (alt int, next int32) {
	if x < 0 {
		return -1, -1
	}
	st := &s.all[x]
	alt, next = -1, -1
	least, ties := int32(far), 0
	for n := range st.alts {
		if weights[n] == 0 {
			continue
		}
		goal, through := s.wayTo(st, n)
		if goal == far || goal > least {
			continue
		}
		if goal < least {
			ties = 0
		}
		if ties++; r.IntN(ties) == 0 {
			alt, next, least = n, through, goal
		}
	}
	return alt, next
}

// wayTo returns how far it is from an alternative to what is missing, and the state through which
// the way leads, or -1 if the alternative itself is missing.
func (s *states) wayTo(st *state, n int) (goal, through int32) {
	if s.missing(st, n) {
		return 0, -1
	}
	goal, through = far, -1
	for _, k := range st.alts[n].kids {
		if g := s.all[k].toMissing; g != far && g+1 < goal {
			goal, through = g+1, k
		}
	}
	return goal, through
}

// short returns the fewest steps from an alternative to the end, or far if that is unknown.
func (s *states) short(x int32, n int) int32 {
	if x < 0 || s.all[x].alts[n].count == 0 {
		return far
	}
	short := int32(0)
	for _, k := range s.all[x].alts[n].kids {
		short = max(short, s.all[k].toEnd)
	}
	return short
}

// shortest returns the alternative that ends soonest, or the first as long as nothing is known.
func (s *states) shortest(x int32, weights []float64) int {
	best := -1
	for n, w := range weights {
		if w > 0 && (best < 0 || s.short(x, n) < s.short(x, best)) {
			best = n
		}
	}
	return max(0, best)
}

// longer returns an alternative that does not end soonest, or -1.
func (s *states) longer(x int32, weights []float64, r *rand.Rand) int {
	longer, ties := -1, 0
	soonest := s.short(x, s.shortest(x, weights))
	for n, w := range weights {
		if short := s.short(x, n); w > 0 && short > soonest && short < far {
			if ties++; r.IntN(ties) == 0 {
				longer = n
			}
		}
	}
	return longer
}
