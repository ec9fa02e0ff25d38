package mutate

import (
	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
)

// refer deletes an element of a sequence and lowers all integers, in the sequence and beside
// it, that are large enough to be positions of later elements. It is for integers whose range
// does not say so: see follow.
func (m *minimizer) refer() {
	for i := 0; i < len(m.best) && m.active(); i++ {
		if m.best[i].Kind != choices.Pick || m.best[i].Index == 0 && m.layout.run[i] < 2 || stops(&m.best[i]) {
			continue
		}
		at := m.references(i)
		if len(at) == 0 {
			continue
		}
		edited := with(m.best, at, func(c *choices.Choice) { c.N-- })
		if m.try(edited.Cut(i, edited.End(i))) {
			i--
		}
	}
}

// follow takes a tree from which elements have been deleted, that try has rejected, and what
// the replay made of it. If the ranges of integers end earlier now, these may be positions,
// or numbers, of what the elements were or made. follow lowers them as far: all of them, or
// those from some integer on, counted from either end of their ranges.
func (m *minimizer) follow(edited, made choices.Tree) bool {
	if len(made) != len(edited) {
		return false
	}
	var at []int
	var low, high []int64 // how far they are from the ends of their ranges
	for i := range edited {
		a, b := &edited[i], &made[i]
		if isInt(a) && a.Kind == b.Kind && a.Slot == b.Slot && a.Lo == b.Lo && a.Kind.Less(b.Hi, a.Hi) && a.N != a.Lo {
			at = append(at, i)
			low, high = append(low, a.N-a.Lo), append(high, a.Hi-a.N)
		}
	}
	lower := func(accepted func(k int) bool) bool {
		out := slices.Clone(edited)
		for k, i := range at {
			if c := &out[i]; accepted(k) {
				c.N = max(c.Lo, c.N-(c.Hi-made[i].Hi))
			}
		}
		return m.try(out)
	}
	from := func(distances []int64) bool {
		distinct := slices.Clone(distances)
		slices.Sort(distinct)
		distinct = slices.Compact(distinct)
		for _, d := range distinct[:min(few, len(distinct))] {
			if lower(func(k int) bool { return distances[k] >= d }) {
				return true
			}
		}
		return false
	}
	return len(at) > 0 && (from(low) || from(high))
}

// rename exchanges two integers wherever they stand, if that makes the tree simpler: they may
// be the numbers of things that are as good as each other.
func (m *minimizer) rename() {
	var distinct []choices.Choice
	for i := 0; i < len(m.best) && len(distinct) < 2*few; i++ {
		c := m.best[i]
		if isInt(&c) && !slices.ContainsFunc(distinct, func(d choices.Choice) bool { return sameInt(&c, &d) }) {
			distinct = append(distinct, c)
		}
	}
	for j := range distinct {
		for i := range distinct[:j] {
			a, b := &distinct[i], &distinct[j]
			if a.Kind != b.Kind || a.Lo != b.Lo {
				continue
			}
			edited := slices.Clone(m.best)
			for k := range edited {
				switch c := &edited[k]; {
				case sameInt(c, a):
					c.N = b.N
				case sameInt(c, b):
					c.N = a.N
				}
			}
			m.try(edited)
		}
	}
}

// sameInt reports whether two integers are equal, and their ranges begin with the same.
func sameInt(a, b *choices.Choice) bool { return a.Kind == b.Kind && a.Lo == b.Lo && a.N == b.N }

// cutTwo deletes two elements: any two of a short sequence that are not neighbors, and
// neighbors of a long one that have taken different alternatives, such as calls of which one
// undoes the other.
func (m *minimizer) cutTwo() {
	for i := 0; i < len(m.best) && m.active(); i++ {
		if !m.layout.beginsSequence(m.best, i) {
			continue
		}
		for a := 0; i < len(m.best) && a < m.layout.run[i]; a++ {
			for b := a + 1; i < len(m.best) && b < m.layout.run[i] && (b == a+1 || m.layout.run[i] <= few); b++ {
				first, second := element(m.best, i, a), element(m.best, i, b)
				if stops(&m.best[second]) {
					break
				}
				if b == a+1 && !m.differ(first, second) {
					continue
				}
				if m.try(m.best.Cut(second, m.best.End(second)).Cut(first, m.best.End(first))) && b == a+1 {
					a = max(-1, a-2)
					break
				}
			}
		}
	}
}

// differ reports whether two elements begin with different alternatives.
func (m *minimizer) differ(i, j int) bool {
	a, b := &m.best[i], &m.best[j]
	if a.Size < 2 || b.Size < 2 {
		return false
	}
	a, b = &m.best[i+1], &m.best[j+1]
	return a.Kind == choices.Pick && b.Kind == choices.Pick && a.Tag != b.Tag
}

// references returns integers that are large enough to refer to elements behind i.
func (m *minimizer) references(i int) (found []int) {
	at := int64(m.best[i].Index)
	begin, end := children(m.best, m.layout.parent[i])
	for j := begin; j < end; j++ {
		if c := &m.best[j]; isInt(c) && !c.Kind.Less(c.N, c.Lo+1) && c.N > at {
			found = append(found, j)
		}
	}
	return found
}

// lengths lowers an integer on which the number of choices depends, and deletes as many
// elements of a later sequence.
func (m *minimizer) lengths() {
	for i := 0; i < len(m.best) && m.active(); i++ {
		c := m.best[i]
		if c.Kind != choices.Int && c.Kind != choices.Uint || !c.Kind.Less(c.Origin(), c.N) {
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
				if j >= len(m.best) || n >= m.layout.run[j] || i >= len(m.best) || between(&m.best[i], m.best[i].N, m.best[i].Origin()) < uint64(n) {
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
