package mutate

import (
	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
)

// cutWith deletes elements of sequences, one at a time, each from one of the trees that changed
// returns for it. These trees have the same choices in the same places, but other choices have
// changed with the element.
func (m *minimizer) cutWith(changed func(i int) []choices.Tree) {
	for i := range m.places(m.isElement) {
		for m.isElement(i) && slices.ContainsFunc(changed(i), func(t choices.Tree) bool {
			return m.try(t.Cut(i, t.End(i)))
		}) {
		}
	}
}

// refer deletes an element of a sequence and lowers all integers, in the sequence and next to
// it, that are large enough to be positions of later elements. It is for integers whose range
// does not show that they are positions: see follow.
func (m *minimizer) refer() {
	m.cutWith(func(i int) []choices.Tree {
		if at := m.references(i); len(at) > 0 {
			return []choices.Tree{added(m.best, at, -1)}
		}
		return nil
	})
}

// references returns integers that are large enough to refer to elements after i.
func (m *minimizer) references(i int) (found []int) {
	at := int64(m.best[i].Index)
	begin, end := children(m.best, m.layout.parent[i])
	for j := begin; j < end; j++ {
		if c := &m.best[j]; isInt(c) && c.Kind.Less(c.Lo, c.N) && c.N > at {
			found = append(found, j)
		}
	}
	return found
}

// capacities deletes an element of a sequence, and moves an integer before the sequence towards the
// simplest of its range, or one farther. The integer may be the size of something that the elements
// fill or change, or it may count what they do, like the point of a schedule. An element that takes
// an alternative, such as a call, may do much.
func (m *minimizer) capacities() {
	m.cutWith(func(i int) (changed []choices.Tree) {
		most := int64(few)
		if m.best[i].Size > 1 && m.best[i+1].Kind == choices.Pick {
			most = 8 * few
			m.patience = max(m.patience, 16*few)
		}
		first, _ := children(m.best, m.layout.parent[i])
		for m.best[first].Slot != m.best[i].Slot {
			first = m.best.End(first)
		}
		for n := int64(1); n <= most; n++ {
			for j := range first {
				changed = append(changed, m.movedBy(j, n)...)
			}
		}
		return changed
	})
}

// movedBy returns best with the integer at j by n nearer to the simplest of its range and, if n is
// 1, also by 1 farther.
func (m *minimizer) movedBy(j int, n int64) (changed []choices.Tree) {
	c := &m.best[j]
	if !isInt(c) || c.Lo == c.Hi {
		return nil
	}
	nearer := -n
	if c.Kind.Less(c.N, c.Origin()) {
		nearer = n
	}
	if between(c, c.N, c.Origin()) >= uint64(n) {
		changed = append(changed, added(m.best, []int{j}, nearer))
	}
	if n == 1 && !outside(c, c.N-nearer) {
		changed = append(changed, added(m.best, []int{j}, -nearer))
	}
	return changed
}

// lengths deletes rounds of a loop: what stands from an element up to a later one of its
// sequence. With them, it lowers an integer on which the number of choices depends, if there is
// one.
func (m *minimizer) lengths() {
	m.cutRounds(-1)
	for i := range m.places(m.isNumber) {
		if c := &m.best[i]; !c.Kind.Less(c.Origin(), c.N) || slices.Max(m.layout.later(m.best)[i:]) == 0 {
			continue
		}
		if made, ok := m.make(added(m.best, []int{i}, -1)); ok && len(made) < len(m.best) {
			m.cutRounds(i)
		}
	}
}

// cutRounds deletes rounds, and lowers the integer at i by their number. If i is negative, it
// lowers none, and skips what cut has tried.
func (m *minimizer) cutRounds(i int) {
	begins := func(j int) bool {
		return j > i && m.layout.later(m.best)[j] > 0 && (i >= 0 || m.layout.run[j] == 1)
	}
	for j := range m.places(begins) {
		gallop(func(n int) bool {
			edited, end := m.best, m.after(j, n)
			if end == 0 {
				return false
			}
			if i >= 0 {
				if !m.isNumber(i) || between(&edited[i], edited[i].N, edited[i].Origin()) < uint64(n) {
					return false
				}
				edited = added(m.best, []int{i}, -int64(n))
			}
			return m.try(edited.Cut(j, end))
		})
	}
}

// after returns the index of the n-th element after i of its sequence, or 0.
func (m *minimizer) after(i, n int) int {
	if i >= len(m.best) {
		return 0
	}
	for range n {
		if i = m.layout.later(m.best)[i]; i == 0 {
			return 0
		}
	}
	return i
}

// cutTwo deletes two elements: any two of a short sequence that are not neighbors, and
// neighbors of a long one that have taken different alternatives, such as a call that undoes
// another.
func (m *minimizer) cutTwo() {
	for i := range m.places(m.beginsSequence) {
		for a := 0; i < len(m.best) && a < m.layout.run[i]; a++ {
			if m.cutFrom(i, a) {
				a = max(-1, a-2)
			}
		}
	}
}

// cutFrom deletes element a of the sequence at i with a later one. It stops when it has deleted
// neighbors, and reports that: the elements before them have become neighbors of others.
func (m *minimizer) cutFrom(i, a int) (neighbors bool) {
	for b := a + 1; i < len(m.best) && b < m.layout.run[i]; b++ {
		if b > a+1 && m.layout.run[i] > few {
			return false
		}
		first, second := element(m.best, i, a), element(m.best, i, b)
		if stops(&m.best[second]) {
			return false
		}
		if b == a+1 && !m.differ(first, second) {
			continue
		}
		edited := m.best.Cut(second, m.best.End(second)).Cut(first, m.best.End(first))
		if m.try(edited) && b == a+1 {
			return true
		}
	}
	return false
}

// differ reports whether two elements begin with different alternatives.
func (m *minimizer) differ(i, j int) bool {
	if m.best[i].Size < 2 || m.best[j].Size < 2 {
		return false
	}
	a, b := &m.best[i+1], &m.best[j+1]
	return a.Kind == choices.Pick && b.Kind == choices.Pick && a.Tag != b.Tag
}

// follow takes a tree from which elements have been deleted, and which try has rejected, and what
// the replay made of it, with as many choices. If the ranges of integers end earlier now, the
// integers may be positions, or numbers, of what the elements were or made. follow lowers them as
// far as their ranges: all of them, or all from some integer on, counted from either end of their
// ranges.
func (m *minimizer) follow(edited, made choices.Tree) bool {
	var at []int
	var low, high []int64 // how far they are from the ends of their ranges
	for i := range edited {
		a, b := &edited[i], &made[i]
		if isInt(a) && a.Kind == b.Kind && a.Slot == b.Slot && a.Lo == b.Lo &&
			a.Kind.Less(b.Hi, a.Hi) && a.N != a.Lo {
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

// rename exchanges two integers wherever they occur, if that makes the tree simpler: they may
// be the numbers of things that are equally good. Others of the same range may count something else:
// so it also does that with the integers of one slot.
func (m *minimizer) rename() {
	sameSlot := func(a, b *choices.Choice) bool { return sameRange(a, b) && a.Slot == b.Slot }
	for _, alike := range []func(a, b *choices.Choice) bool{sameRange, sameSlot} {
		distinct := m.distinctInts(2*few, alike)
		for j := range distinct {
			for i := range distinct[:j] {
				if a, b := &distinct[i], &distinct[j]; alike(a, b) {
					m.swapAll(a, b, alike)
				}
			}
		}
	}
}

// swapAll tries to exchange two integers in all choices that are like them.
func (m *minimizer) swapAll(a, b *choices.Choice, alike func(a, b *choices.Choice) bool) {
	edited := slices.Clone(m.best)
	for k := range edited {
		c := &edited[k]
		if !alike(c, a) {
			continue
		}
		switch c.N {
		case a.N:
			c.N = b.N
		case b.N:
			c.N = a.N
		}
	}
	m.try(edited)
}

// distinctInts returns the first integers that differ, or are not alike, at most so many.
func (m *minimizer) distinctInts(
	most int, alike func(a, b *choices.Choice) bool,
) (distinct []choices.Choice) {
	for i := 0; i < len(m.best) && len(distinct) < most; i++ {
		c := m.best[i]
		same := func(d choices.Choice) bool { return d.N == c.N && alike(&c, &d) }
		if isInt(&c) && !slices.ContainsFunc(distinct, same) {
			distinct = append(distinct, c)
		}
	}
	return distinct
}

// sameRange reports whether two integers are of one kind, and their ranges begin with the same.
func sameRange(a, b *choices.Choice) bool { return a.Kind == b.Kind && a.Lo == b.Lo }
