package predict

import (
	"strings"

	"github.com/espalier-go/espalier/internal/hash"
)

// refine makes the specs of groups finer until no observations clash. The error is a
// [*ContextError] if no spec is fine enough.
func (s *states) refine() error {
	for s.clash != nil {
		c := *s.clash
		g := s.groupFor(c.a)
		for s.spec[g]++; ; s.spec[g]++ {
			if s.spec[g] >= len(specs) {
				return s.log.context(s.witness(c))
			}
			if s.key(c.a) != s.key(c.b) && s.explains(g) {
				break
			}
		}
		s.rebuild()
	}
	return nil
}

// witness returns a clash of nodes that visibly differ, in surroundings as similar as possible.
// In c, it may be further down that they do.
func (s *states) witness(c clash) clash {
	type seen struct {
		weights, first int32
		alts           map[int32][2]uint64 // a node, and the menus that follow on it
	}
	for _, sp := range [...]spec{{true, 6, maxIndex, 256}, {true, 6, 0, 256}, {true, 6, 0, 0}, {true, 1, 0, 0}, {}} {
		states := map[uint64]*seen{}
		for i := range int32(s.done) {
			n := &s.log.nodes[i]
			key := s.keyBy(i, &sp)
			st := states[key]
			if st == nil {
				st = &seen{n.weights, i, map[int32][2]uint64{}}
				states[key] = st
			}
			if st.weights != n.weights {
				return clash{st.first, i, true}
			}
			menus := hash.FNV64(strings.Join(s.log.follows(i), "\x00"))
			if before, ok := st.alts[n.alt]; !ok {
				st.alts[n.alt] = [2]uint64{uint64(i), menus}
			} else if before[1] != menus {
				return clash{int32(before[0]), i, false}
			}
		}
	}
	return c
}

// explains reports whether no observations of group g clash by its spec.
func (s *states) explains(g int32) bool {
	type seen struct {
		weights int32
		signs   map[int32]uint64
	}
	states := map[uint64]*seen{}
	for i := range s.done {
		if s.groupFor(int32(i)) != g {
			continue
		}
		n := &s.log.nodes[i]
		key, sign := s.key(int32(i)), s.sign(int32(i))
		st := states[key]
		if st == nil {
			st = &seen{n.weights, map[int32]uint64{}}
			states[key] = st
		}
		if st.weights != n.weights {
			return false
		}
		if before, ok := st.signs[n.alt]; ok && before != sign {
			return false
		}
		st.signs[n.alt] = sign
	}
	return true
}

// rebuild observes all nodes anew.
func (s *states) rebuild() {
	s.byKey, s.all, s.clash = map[uint64]int32{}, s.all[:0], nil
	s.version++
	s.add(0)
}
