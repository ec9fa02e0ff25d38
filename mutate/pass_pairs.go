package mutate

import "github.com/espalier-go/espalier/choices"

// near is how many integers before and after one are tried with it.
const near = 4

// pairs moves an integer towards the simplest of its range, and another integer as far: the
// other way, to keep their sum, or the same way, to keep their difference. It tries to move
// them all the way, then as far as their ranges allow, then as far as the value still fails.
func (m *minimizer) pairs() {
	for i := range m.places(m.isNumber) {
		for d := 1; d <= near; d++ {
			for _, j := range []int{m.beside(i, d), m.beside(i, -d)} {
				m.shift(i, j, false, false)
				m.shift(i, j, true, false)
			}
		}
	}
}

// absorb moves integers all the way to the simplest of their range, and the integer after
// or before as far, to keep their sum. Other passes can often delete an integer that has
// become the simplest. If the integer is a whole element, absorb also tries to delete it
// at once.
func (m *minimizer) absorb() {
	for i := range m.places(m.isNumber) {
		for _, d := range []int{1, -1} {
			m.shift(i, m.beside(i, d), false, true)
			m.absorbElement(i, m.beside(i, d))
		}
	}
}

// absorbElement deletes an integer that is a whole element, and adds it to another.
func (m *minimizer) absorbElement(i, j int) {
	pick := i - 1
	if i <= 0 || j < 0 || weight(&m.best[i]) == 0 || !m.inSequence(pick) || m.best[pick].Size != 2 {
		return
	}
	edited := with(m.best, []int{j}, func(c *choices.Choice) {
		c.N += m.best[i].N - m.best[i].Origin()
		wrap(c)
	})
	m.try(edited.Cut(pick, i+1))
}

// beside returns the index of the integer that is d places after the integer at i, or
// before it if d is negative. It returns -1 if there is none, or if there is no integer
// at i.
func (m *minimizer) beside(i, d int) int {
	if !m.isNumber(i) || weight(&m.best[i]) == 0 {
		return -1
	}
	step := 1
	if d < 0 {
		step, d = -1, -d
	}
	for i += step; i >= 0 && i < len(m.best); i += step {
		if c := &m.best[i]; isInt(c) && c.Asked() {
			if d--; d == 0 {
				return i
			}
		}
	}
	return -1
}

func isInt(c *choices.Choice) bool { return c.Kind == choices.Int || c.Kind == choices.Uint }

// shift moves the integer at i towards the simplest of its range. If j is not negative, it
// moves the integer at j as far, the same way or the other. If whole is true, it moves them
// all the way or not at all.
func (m *minimizer) shift(i, j int, same, whole bool) {
	// way returns how far the integers can move, and how far if the one at j may overflow.
	way := func() (down bool, a, b, wrapped uint64) {
		if j < 0 || i >= len(m.best) || j >= len(m.best) {
			return false, 0, 0, 0
		}
		x, y := &m.best[i], &m.best[j]
		if !isInt(x) || x.Kind != y.Kind || weight(x) == 0 {
			return false, 0, 0, 0
		}
		down = x.Kind.Less(x.Origin(), x.N)
		if same { // the range may move, too
			a = between(x, x.N, x.Origin())
			return down, a, a, a
		}
		end := y.Hi
		if !down {
			end = y.Lo
		}
		a, b = between(x, x.N, x.Origin()), between(y, y.N, end)
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
		edited := m.moved([]int{i, j}, func(c *choices.Choice) { c.N += int64(n) })
		if down {
			edited[i].N -= 2 * int64(n)
		}
		if c := &edited[j]; down == same {
			c.N -= 2 * int64(n)
		}
		if !same {
			wrap(&edited[j])
		}
		return m.try(edited)
	}
	_, a, b, wrapped := way()
	if a == 0 || a <= wrapped && by(a) || whole || b < a && b > 0 && by(b) {
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
