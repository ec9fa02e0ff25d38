package mutate

import (
	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
)

const (
	// shiftBounds is how many distances are tried as the beginning of a group.
	shiftBounds = 32

	// shiftGroups is how many groups are tried that begin at one distance.
	shiftGroups = 4
)

// shiftAll takes all integers on one side of 0, or of the simplest of their ranges, at some
// distance or farther, and moves them towards it by the same amount. The value may fail
// because of how far they are from each other.
func (m *minimizer) shiftAll() {
	m.raiseAll()
	for _, s := range []side{
		{choices.Int, false, false}, {choices.Int, true, false}, {choices.Uint, false, false},
		{choices.Int, false, true}, {choices.Int, true, true}, {choices.Uint, false, true},
	} {
		for k := 0; k < shiftBounds && m.active(); k++ {
			d := m.distances(s)
			if k+1 >= len(d) {
				break // others lower an integer alone, and equal ones
			}
			next := uint64(0)
			if k > 0 {
				next = d[k-1]
			}
			d = d[k:]
			for n := 0; n < shiftGroups && len(d) > 1 && !m.shiftGroup(s, d[0], d[len(d)-1], next); n++ {
				d = d[:widestGap(d)]
			}
		}
	}
}

// raiseAll moves all signed integers up until none is negative.
func (m *minimizer) raiseAll() {
	least := int64(0)
	var at []int
	for i := range m.best {
		if c := &m.best[i]; c.Kind == choices.Int {
			least = min(least, c.N)
			at = append(at, i)
		}
	}
	if least < 0 && len(at) > 1 {
		m.try(m.moved(at, func(c *choices.Choice) { c.N -= least }))
	}
}

// side is where integers of a kind may be: above or below 0, or, if relative,
// above or below the simplest of their ranges.
type side struct {
	kind            choices.Kind
	below, relative bool
}

// distance returns how far c lies on the side, 0 if it does not.
func (s side) distance(c *choices.Choice) uint64 {
	if c.Kind != s.kind {
		return 0
	}
	origin := int64(0)
	if s.relative {
		origin = c.Origin()
	}
	if c.Kind.Less(c.N, origin) != s.below {
		return 0
	}
	return between(c, c.N, origin)
}

// distances returns the distances, other than 0, of integers on the side, ascending.
func (m *minimizer) distances(s side) (found []uint64) {
	for i := range m.best {
		if d := s.distance(&m.best[i]); d > 0 {
			found = append(found, d)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// widestGap returns the index after the widest gap between neighbors of d (after the
// last, if several are the widest), or 0 if none is wider than 1.
func widestGap(d []uint64) (at int) {
	widest := uint64(1)
	for i := 1; i < len(d); i++ {
		if gap := d[i] - d[i-1]; gap > 1 && gap >= widest {
			at, widest = i, gap
		}
	}
	return at
}

// shiftGroup moves the integers whose distances lie in a range. It tries to move them until
// the nearest (if they are below, the farthest) has no distance, then until the nearest is 1
// beyond the next integer outside the group, then as far as the value still fails.
func (m *minimizer) shiftGroup(s side, from, to, next uint64) bool {
	var at []int
	for i := range m.best {
		if d := s.distance(&m.best[i]); from <= d && d <= to {
			at = append(at, i)
		}
	}
	if len(at) == 2 && m.paired(at[0], at[1]) {
		return false
	}
	length := len(m.best)
	by := func(n uint64) bool {
		if n == 0 || len(m.best) != length {
			return false
		}
		if !s.below {
			n = -n
		}
		return m.try(m.moved(at, func(c *choices.Choice) { c.N += int64(n) }))
	}
	if s.below && by(to) || by(from) {
		return true
	}
	shifted := by(from - next - 1)
	if shifted {
		from = next + 1
	}
	gallop(func(n int) bool {
		if uint64(n) > from || !by(uint64(n)) {
			return false
		}
		from, shifted = from-uint64(n), true
		return true
	})
	return shifted
}

// paired reports whether pairs tries the integers at i and j with each other.
func (m *minimizer) paired(i, j int) bool {
	for d := 1; d <= near; d++ {
		if m.beside(i, d) == j {
			return true
		}
	}
	return false
}
