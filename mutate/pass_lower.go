package mutate

import (
	"math/bits"

	"github.com/espalier-go/espalier/choices"
)

// zero makes integers the simplest of their range, and texts as short and plain as
// possible: all of them or, from each on, as many as possible.
func (m *minimizer) zero() {
	if all := m.leaves(0, len(m.best)); len(all) > 1 && m.simplest(all) {
		return
	}
	for i := 0; i < len(m.best) && m.active(); i++ {
		if len(m.leaves(i, 1)) == 0 {
			return
		}
		if c := &m.best[i]; c.Kind != choices.Pick && weight(c) > 0 {
			gallop(func(n int) bool {
				at := m.leaves(i, n)
				return len(at) == n && m.simplest(at)
			})
		}
	}
}

// leaves returns the places of the first n integers and texts, from i on, that could be
// simpler.
func (m *minimizer) leaves(i, n int) (found []int) {
	for ; i < len(m.best) && len(found) < n; i++ {
		if c := &m.best[i]; c.Kind != choices.Pick && weight(c) > 0 {
			found = append(found, i)
		}
	}
	return found
}

// simplest makes integers and texts as simple as can be.
func (m *minimizer) simplest(at []int) bool {
	return m.try(moved(m.best, at, func(c *choices.Choice) { c.Tag, c.N = "", 0 })) // or what is nearest
}

// lower makes each integer, text and Pick simpler.
func (m *minimizer) lower() {
	for i := 0; i < len(m.best) && m.active(); i++ {
		m.lowerAll([]int{i})
	}
}

// lowerAll makes equal choices simpler at once.
func (m *minimizer) lowerAll(at []int) {
	switch m.best[at[0]].Kind {
	case choices.Int, choices.Uint:
		m.lowerInt(at)
	case choices.Text:
		m.shorten(at)
	case choices.Pick:
		for n := int64(1); n < min(8, m.best[at[0]].N); n++ {
			if m.try(with(m.best, at, toIndex(n))) {
				return
			}
		}
	}
}

// lowerInt looks for the integer nearest to the simplest of the range with which the
// value fails. It assumes that the value fails with all integers beyond, and searches first
// for the number of bits of the distance, then for the distance. In case the assumption is
// wrong, it also tries the integer two nearer to the simplest, the other sign, and, instead
// of a huge integer, round ones.
func (m *minimizer) lowerInt(at []int) {
	c := m.best[at[0]]
	origin := c.Origin()
	below := c.Kind.Less(c.N, origin)
	now := c.N
	set := func(n int64) bool {
		for _, i := range at {
			if i >= len(m.best) || m.best[i].Kind != c.Kind || m.best[i].N != now {
				return false // the tree has changed more than it should
			}
		}
		if !m.try(moved(m.best, at, func(c *choices.Choice) { c.N = n })) {
			return false
		}
		now = n
		return true
	}
	// to sets the distance from the origin.
	to := func(d uint64) bool {
		if below {
			return set(origin - int64(d))
		}
		return set(origin + int64(d))
	}
	distance := uint64(now) - uint64(origin)
	if below {
		distance = -distance
	}
	if distance == 0 || to(0) {
		return
	}
	if below && c.Hi > origin && c.Kind == choices.Int && set(origin+int64(distance)) {
		below = false
	}
	good, bad := distance, uint64(0) // it fails with the first, perhaps not with the second
	narrow := func(d uint64) {
		if to(d) {
			good = d
		} else {
			bad = d
		}
	}
	round := func() {
		for _, d := range rounder(&c, good) {
			if to(d) {
				good = d
				return
			}
		}
	}
	if good > 1 {
		narrow(1)
	}
	round()
	for m.active() && bits.Len64(good)-bits.Len64(bad) > 1 {
		narrow(1<<((bits.Len64(good)+bits.Len64(bad))/2) - 1)
	}
	for m.active() && good-bad > 1 {
		narrow(bad + (good-bad)/2)
	}
	round()
	gallop(func(n int) bool {
		if good <= 2*uint64(n) || !to(good-2*uint64(n)) {
			return false
		}
		good -= 2 * uint64(n)
		return true
	})
	if !below && origin == 0 && c.Kind == choices.Int && c.Lo < 0 && good > 1 {
		set(-int64(good - 1))
	}
}

// together lowers equal integers or texts at once: the value may fail because they are
// equal.
func (m *minimizer) together() {
	type answer struct {
		kind choices.Kind
		n    int64
		text string
	}
	done := map[answer]bool{}
	for m.active() {
		var order []answer
		equal := map[answer][]int{}
		for i := range m.best {
			c := &m.best[i]
			if c.Kind == choices.Pick || weight(c) == 0 {
				continue
			}
			a := answer{kind: c.Kind, n: c.N}
			if c.Kind == choices.Text {
				a.text = c.Tag
			}
			if len(equal[a]) == 1 && !done[a] {
				order = append(order, a)
			}
			equal[a] = append(equal[a], i)
		}
		if len(order) == 0 {
			return
		}
		done[order[0]] = true
		m.lowerAll(equal[order[0]])
	}
}
