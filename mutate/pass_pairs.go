package mutate

import "github.com/espalier-go/espalier/choices"

// pairs moves an integer towards the simplest of its range while another moves as far,
// the other way, so that their sum stays, or the same way, so that their difference
// stays: all the way, or as far as can be, or as far as the value fails.
func (m *minimizer) pairs() {
	const near = 4 // integers that are tried with one, before and behind it
	for k := 0; m.active(); k++ {
		if k >= len(m.ints()) {
			return
		}
		for d := 1; d <= near; d++ {
			for _, other := range []int{k + d, k - d} {
				for _, same := range []bool{false, true} {
					if ints := m.ints(); k < len(ints) && other >= 0 && other < len(ints) {
						m.shift(ints[k], ints[other], same)
					}
				}
			}
		}
	}
}

// ints returns the indices of the integers that could have been others.
func (m *minimizer) ints() (at []int) {
	for i := range m.best {
		if c := &m.best[i]; isInt(c) && c.Asked() {
			at = append(at, i)
		}
	}
	return at
}

func isInt(c *choices.Choice) bool { return c.Kind == choices.Int || c.Kind == choices.Uint }

// shift moves the integer at i towards the simplest of its range, and that at j as far:
// the same way, or the other.
func (m *minimizer) shift(i, j int, same bool) {
	// way returns how far the integers can move, and that at j if it may overflow.
	way := func() (down bool, a, b, wrapped uint64) {
		if i >= len(m.best) || j >= len(m.best) {
			return false, 0, 0, 0
		}
		x, y := &m.best[i], &m.best[j]
		if !isInt(x) || x.Kind != y.Kind || same && weight(y) == 0 {
			return false, 0, 0, 0
		}
		down = x.Kind.Less(simplest(x), x.N)
		end := y.Hi
		if down == same {
			end = y.Lo
		}
		a, b = between(x, x.N, simplest(x)), between(y, y.N, end)
		if span := between(y, y.Lo, y.Hi); span&(span+1) == 0 { // all integers of a type
			wrapped = span
		}
		return down, a, b, max(b, wrapped)
	}
	by := func(n uint64) bool {
		down, a, _, b := way()
		if n > a || n > b {
			return false
		}
		edited := moved(m.best, []int{i, j}, func(c *choices.Choice) { c.N += int64(n) })
		if down {
			edited[i].N -= 2 * int64(n)
		}
		if c := &edited[j]; down == same {
			c.N -= 2 * int64(n)
		}
		wrap(&edited[j])
		return m.try(edited)
	}
	_, a, b, wrapped := way()
	if a == 0 || b == 0 && wrapped == 0 || a <= wrapped && by(a) || b < a && b > 0 && by(b) {
		return
	}
	gallop(func(n int) bool { return by(uint64(n)) })
}

// wrap brings an integer into its range as the overflow of its type would.
func wrap(c *choices.Choice) {
	if span := between(c, c.Lo, c.Hi); span+1 != 0 {
		c.N = int64(uint64(c.Lo) + (uint64(c.N)-uint64(c.Lo))%(span+1))
	}
}

// between returns how far b is from a.
func between(c *choices.Choice, a, b int64) uint64 {
	if c.Kind.Less(a, b) {
		a, b = b, a
	}
	return uint64(a) - uint64(b)
}
