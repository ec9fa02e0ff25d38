package predict

import (
	"math"
	"math/rand/v2"
)

// plan finds the ways to what has not been observed enough, and to ends. It returns how many
// alternatives are missing.
func (s *states) plan() (missing int) {
	const far = math.MaxInt32
	for x := range s.all {
		st := &s.all[x]
		st.goal = far
		for n := range st.alts {
			if s.missing(st, n) {
				missing++
				st.goal = 0
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for x := len(s.all) - 1; x >= 0; x-- {
			st := &s.all[x]
			for n := range st.alts {
				if st.alts[n].count == 0 {
					continue
				}
				goal, short := int32(far), int32(0)
				for _, k := range st.alts[n].kids {
					goal = min(goal, s.all[k].goal)
					short = max(short, s.all[k].short)
				}
				if goal != far && goal+1 < st.goal {
					st.goal, changed = goal+1, true
				}
				if short != far && short+1 < st.short {
					st.short, changed = short+1, true
				}
			}
		}
	}
	return missing
}

// findComponents finds which states lead to each other, for furthest.
func (s *states) findComponents() {
	s.component = components(len(s.all), func(x int, visit func(int)) {
		for _, a := range s.all[x].alts {
			for _, k := range a.kids {
				visit(int(k))
			}
		}
	})
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

// toward returns the alternative that leads to what is missing, and through which state: -1 if it
// is missing itself. Without such an alternative, it is -1.
func (s *states) toward(x int32, weights []float64, r *rand.Rand) (alt int, next int32) {
	if x < 0 {
		return -1, -1
	}
	st := &s.all[x]
	alt, next = -1, -1
	least, ties := int32(math.MaxInt32), 0
	for n := range st.alts {
		if weights[n] == 0 {
			continue
		}
		goal, through := int32(0), int32(-1)
		if !s.missing(st, n) {
			goal = math.MaxInt32
			for _, k := range st.alts[n].kids {
				if g := s.all[k].goal; g != math.MaxInt32 && g+1 < goal {
					goal, through = g+1, k
				}
			}
		}
		if goal == math.MaxInt32 || goal > least {
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

// shortest returns the alternative that ends soonest: the first, as long as nothing is known.
func (s *states) shortest(x int32, weights []float64) int {
	best, least := -1, int32(math.MaxInt32)
	for n, w := range weights {
		if w == 0 {
			continue
		}
		short := int32(math.MaxInt32)
		if x >= 0 && s.all[x].alts[n].count > 0 {
			short = 0
			for _, k := range s.all[x].alts[n].kids {
				short = max(short, s.all[k].short)
			}
		}
		if best < 0 || short < least {
			best, least = n, short
		}
	}
	return max(0, best)
}

// furthest returns an alternative that has picks of its own and, if there is one, does not end
// soonest; or -1.
func (s *states) furthest(x int32, weights []float64, r *rand.Rand) int {
	if x < 0 {
		return -1
	}
	best, most, ties := -1, int32(0), 0
	for n, a := range s.all[x].alts {
		if weights[n] == 0 || a.count == 0 || len(a.kids) == 0 {
			continue
		}
		long := int32(0)
		for _, k := range a.kids {
			if int(x) < len(s.component) && int(k) < len(s.component) && s.component[k] == s.component[x] {
				long = 1
			}
		}
		if best >= 0 && long < most {
			continue
		}
		if long > most {
			ties = 0
		}
		if ties++; r.IntN(ties) == 0 {
			best, most = n, long
		}
	}
	return best
}
