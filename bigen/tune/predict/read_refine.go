package predict

import (
	"strings"

	"github.com/espalier-go/espalier/internal/hash"
)

// refine makes the specs of menus finer until no observations clash, and reports whether it had to.
// The error is [ErrContext] if no spec is fine enough.
func (s *states) refine() (refined bool, err error) {
	for s.clash != nil {
		c := *s.clash
		m := s.log.nodes[c.a].menu
		for s.spec[m]++; ; s.spec[m]++ {
			if s.spec[m] >= len(specs) {
				return true, s.log.clash(s.witness(c))
			}
			if s.key(c.a) != s.key(c.b) &&
				s.clashBy(s.key, s.sign, func(i int32) bool { return s.log.nodes[i].menu == m }) == nil {
				break
			}
		}
		s.rebuild()
		refined = true
	}
	return refined, nil
}

// witness returns a clash of nodes that visibly differ, in surroundings as similar as possible.
// The nodes of c may differ only further down.
func (s *states) witness(c clash) clash {
	menus := func(i int32) uint64 { return hash.FNV64(strings.Join(s.log.follows(i), "\x00")) }
	for _, sp := range [...]spec{{true, 6, maxIndex, 256}, {true, 6, 0, 256}, {true, 6, 0, 0},
		{true, 1, 0, 0}, {}} {
		key := func(i int32) uint64 { return s.keyBy(i, &sp) }
		if seen := s.clashBy(key, menus, func(int32) bool { return true }); seen != nil {
			return *seen
		}
	}
	return c
}

// clashBy returns the first two of some nodes that have the same key, but different weights, or
// different signs for the same alternative; or nil.
func (s *states) clashBy(key, sign func(i int32) uint64, some func(i int32) bool) *clash {
	type way struct {
		key uint64
		alt int32
	}
	type seen struct {
		node int32
		sign uint64
	}
	first, signs := map[uint64]int32{}, map[way]seen{}
	for i := range int32(s.done) {
		if !some(i) {
			continue
		}
		n := &s.log.nodes[i]
		w := way{key(i), n.alt}
		now := seen{i, sign(i)}
		if before, ok := first[w.key]; !ok {
			first[w.key] = i
		} else if s.log.nodes[before].weights != n.weights {
			return &clash{before, i, true}
		}
		if before, ok := signs[w]; !ok {
			signs[w] = now
		} else if before.sign != now.sign {
			return &clash{before.node, i, false}
		}
	}
	return nil
}

// rebuild observes all nodes again.
func (s *states) rebuild() {
	s.byKey, s.all, s.clash = map[uint64]int32{}, s.all[:0], nil
	s.version++
	s.add(0)
}
