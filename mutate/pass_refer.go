package mutate

import "github.com/espalier-go/espalier/choices"

// refer deletes an element of a sequence and lowers integers that may be positions of later
// elements. It lowers those whose range ends with the position of their own element; then
// it tries all that are large enough, in the sequence and beside it.
func (m *minimizer) refer() {
	for i := 0; i < len(m.best) && m.active(); i++ {
		if m.best[i].Kind != choices.Pick || m.best[i].Index == 0 && m.layout.run[i] < 2 || stops(&m.best[i]) {
			continue
		}
		ranged, all := m.references(i)
		for _, at := range [][]int{ranged, all} {
			if len(at) == 0 {
				continue
			}
			edited := with(m.best, at, func(c *choices.Choice) { c.N-- })
			if m.try(edited.Cut(i, edited.End(i))) {
				i--
				break
			}
		}
	}
}

// cutTwo deletes two elements that are not neighbors, in a short sequence.
func (m *minimizer) cutTwo() {
	for i := 0; i < len(m.best) && m.active(); i++ {
		if !m.layout.beginsSequence(m.best, i) {
			continue
		}
		for a := 0; i < len(m.best) && a < m.layout.run[i]; a++ {
			for b := a + 2; i < len(m.best) && b < m.layout.run[i] && m.layout.run[i] <= few; b++ {
				first, second := element(m.best, i, a), element(m.best, i, b)
				if stops(&m.best[second]) {
					break
				}
				m.try(m.best.Cut(second, m.best.End(second)).Cut(first, m.best.End(first)))
			}
		}
	}
}

// references returns integers that may refer to elements behind i: those whose range says
// so, and all that are large enough.
func (m *minimizer) references(i int) (ranged, all []int) {
	at := int64(m.best[i].Index)
	begin, end := children(m.best, m.layout.parent[i])
	element := int64(-1) // of the sequence, around j
	for j := begin; j < end; j++ {
		c := &m.best[j]
		if m.layout.sameSlot(m.best, i, j) {
			element = int64(c.Index)
		} else if m.layout.parent[j] == m.layout.parent[i] {
			element = -1
		}
		if c.Kind != choices.Int && c.Kind != choices.Uint || c.Kind.Less(c.N, c.Lo+1) || c.N <= at {
			continue
		}
		all = append(all, j)
		if element >= 0 && (c.Hi == element-1 || c.Hi == element) {
			ranged = append(ranged, j)
		}
	}
	return ranged, all
}

// lengths lowers an integer on which the number of choices depends, and deletes as many
// elements of a later sequence.
func (m *minimizer) lengths() {
	for i := 0; i < len(m.best) && m.active(); i++ {
		c := m.best[i]
		if c.Kind != choices.Int && c.Kind != choices.Uint || !c.Kind.Less(simplest(&c), c.N) {
			continue
		}
		made, ok := m.make(with(m.best, []int{i}, func(c *choices.Choice) { c.N-- }))
		if !ok || len(made) >= len(m.best) {
			continue
		}
		for j := i + 1; j < len(m.best) && m.active(); j++ {
			if m.best[j].Kind != choices.Pick || m.layout.run[j] < 2 && m.best[j].Index == 0 {
				continue
			}
			gallop(func(n int) bool {
				if j >= len(m.best) || n >= m.layout.run[j] || i >= len(m.best) || between(&m.best[i], m.best[i].N, simplest(&m.best[i])) < uint64(n) {
					return false
				}
				edited := with(m.best, []int{i}, func(c *choices.Choice) { c.N -= int64(n) })
				return m.try(edited.Cut(j, element(edited, j, n)))
			})
		}
	}
}

// capacities lowers an integer, or raises it, and deletes an element of a sequence that follows
// beside it: the integer may be the size of something that the elements fill, or change.
func (m *minimizer) capacities() {
	for i := 0; i < len(m.best) && m.active(); i++ {
		c := &m.best[i]
		if !isInt(c) || c.Lo == c.Hi {
			continue
		}
		for j := m.best.End(i); j < len(m.best) && m.layout.parent[j] == m.layout.parent[i]; j = m.best.End(j) {
			if m.layout.run[j] < 2 && m.best[j].Index == 0 || stops(&m.best[j]) {
				continue
			}
			if m.resize(i, -1, j) || m.resize(i, 1, j) {
				i--
				break
			}
		}
	}
}

// resize adds to the integer at i and deletes the element at j.
func (m *minimizer) resize(i int, add int64, j int) bool {
	c := &m.best[i]
	if n := c.N + add; c.Kind.Less(n, c.Lo) || c.Kind.Less(c.Hi, n) {
		return false
	}
	edited := with(m.best, []int{i}, func(c *choices.Choice) { c.N += add })
	return m.try(edited.Cut(j, edited.End(j)))
}

// observers deletes an element of a short sequence, while the last element takes another
// alternative: the last call may see what is wrong, if it is another one.
func (m *minimizer) observers() {
	for i := 0; i < len(m.best) && m.active(); i++ {
		if !m.layout.beginsSequence(m.best, i) || m.layout.run[i] > few+1 {
			continue
		}
		n := m.layout.run[i]
		if stops(&m.best[element(m.best, i, n-1)]) {
			n--
		}
		for k := n - 2; k >= 0; k-- {
			if i < len(m.best) && m.layout.run[i] > n-1 && m.observe(i, k, n-1) {
				n--
			}
		}
	}
}

// observe deletes element k of the sequence at i, while the last one takes another alternative.
func (m *minimizer) observe(i, k, last int) bool {
	gone, at := element(m.best, i, k), element(m.best, i, last)+1
	if at >= len(m.best) || at >= m.best.End(at-1) || m.best[at].Kind != choices.Pick || m.best[at].Hi == 0 {
		return false
	}
	for n := int64(0); n <= min(few, m.best[at].Hi); n++ {
		if n == m.best[at].N {
			continue
		}
		edited := with(m.best, []int{at}, toIndex(n))
		if m.try(edited.Cut(gone, edited.End(gone))) {
			return true
		}
	}
	return false
}
