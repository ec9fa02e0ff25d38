package api

import "math/rand/v2"

// stock is what there is of a pool for new calls: sequences of results.
type stock struct {
	perValue, joint components // by which of them is new
}

// components are sequences with a result of one type.
type components struct {
	list  []component
	added int // by addAny
}

type component struct {
	of   *sequence
	slot int32
}

// maxComponents bounds the components of one type. Beyond it, new ones replace others, but
// half of the time only those that are no shorter: some reach deep, most remain cheap.
const maxComponents = 50_000

func (s *components) add(r *rand.Rand, c component) {
	if len(s.list) < maxComponents {
		s.list = append(s.list, c)
		return
	}
	if i := r.IntN(len(s.list)); r.IntN(2) == 0 || s.list[i].of.length >= c.of.length {
		s.list[i] = c
	}
}

// addAny adds a component. Beyond the limit, all that have been added are as likely to remain.
func (s *components) addAny(r *rand.Rand, c component) {
	if s.added++; len(s.list) < maxComponents {
		s.list = append(s.list, c)
	} else if i := r.IntN(s.added); i < len(s.list) {
		s.list[i] = c
	}
}

// any returns one, each as likely as the others.
func (s *components) any(r *rand.Rand) component { return s.list[r.IntN(len(s.list))] }

// one returns one, half of the time the shorter of two.
func (s *components) one(r *rand.Rand) component {
	if r.IntN(2) == 0 {
		return s.any(r)
	}
	a, b := s.any(r), s.any(r)
	if b.of.length < a.of.length {
		return b
	}
	return a
}
