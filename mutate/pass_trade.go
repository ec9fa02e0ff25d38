package mutate

import "github.com/espalier-go/espalier/choices"

// trade makes an integer simpler at the cost of a later one, whatever relation both must keep:
// their product, say, or a weighted sum. If the integer can be one nearer to the simplest once the
// later one is as far from it as possible, it becomes as simple as possible, and then so does the
// later one. The first integer decides which of two trees is simpler, so there is no way back.
func (m *minimizer) trade() {
	for i := range m.places(m.isNumber) {
		for d := 1; d <= near; d++ {
			if j := m.beside(i, d); j >= 0 && m.raiseFor(i, j) {
				m.lowerInt([]int{i})
				if m.isNumber(j) {
					m.lowerInt([]int{j})
				}
			}
		}
	}
}

// raiseFor moves the integer at i one towards the simplest of its range, and the integer at j as far
// from it as the range allows, or as an integer may be that is not huge.
func (m *minimizer) raiseFor(i, j int) bool {
	x, y := &m.best[i], &m.best[j]
	if between(x, x.N, x.Origin()) <= few && between(y, y.N, y.Origin()) <= few {
		return false // there are not many others, and pairs tries some
	}
	nearer := x.N + 1
	if x.Kind.Less(x.Origin(), x.N) {
		nearer = x.N - 1
	}
	ends := []int64{y.Hi, y.Lo}
	for k, end := range ends {
		if between(y, end, y.Origin()) > huge {
			ends = append(ends, y.Origin()+int64(1-2*k)*(huge-1))
		}
	}
	for _, end := range ends {
		if end == y.N || between(y, end, y.Origin()) < between(y, y.N, y.Origin()) {
			continue
		}
		edited := m.moved([]int{i, j}, func(c *choices.Choice) {})
		edited[i].N, edited[j].N = nearer, end
		if m.try(edited) {
			return true
		}
	}
	return false
}
