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
	p := pairShift{m, i, j, same}
	far := p.reach()
	switch {
	case far.own == 0:
		return
	case far.own <= far.wrapped && p.by(far.own), whole:
		return
	case 0 < far.other && far.other < far.own && p.by(far.other):
		return
	}
	gallop(func(n int) bool { return p.by(uint64(n)) })
}

// A pairShift moves the integer at i, and the one at j with it.
type pairShift struct {
	m    *minimizer
	i, j int
	same bool // both move the same way
}

// A reach says how far two integers can move.
type reach struct {
	down    bool   // the first gets less
	own     uint64 // until the first is the simplest of its range
	other   uint64 // until the second is at the end of its range
	wrapped uint64 // if the second may overflow
}

func (p *pairShift) reach() reach {
	best := p.m.best
	if p.j < 0 || p.i >= len(best) || p.j >= len(best) {
		return reach{}
	}
	x, y := &best[p.i], &best[p.j]
	if !isInt(x) || x.Kind != y.Kind || weight(x) == 0 {
		return reach{}
	}
	down, own := x.Kind.Less(x.Origin(), x.N), between(x, x.N, x.Origin())
	if p.same { // the range may move, too
		return reach{down, own, own, own}
	}
	end := y.Hi
	if !down {
		end = y.Lo
	}
	other := between(y, y.N, end)
	wrapped := other
	if span := between(y, y.Lo, y.Hi); span&(span+1) == 0 { // all integers of a type
		wrapped = max(other, span)
	}
	return reach{down, own, other, wrapped}
}

// by moves both integers by n.
func (p *pairShift) by(n uint64) bool {
	far := p.reach()
	if n > far.own || n > far.wrapped {
		return false
	}
	edited := p.m.moved([]int{p.i, p.j}, func(c *choices.Choice) { c.N += int64(n) })
	if far.down {
		edited[p.i].N -= 2 * int64(n)
	}
	if far.down == p.same {
		edited[p.j].N -= 2 * int64(n)
	}
	if !p.same {
		wrap(&edited[p.j])
	}
	return p.m.try(edited)
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
