package mutate

import (
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
)

// twins edits equal parts at once, since the value may fail because they are equal. It
// makes their picks take the first alternative, deletes elements of their sequences,
// hoists their parts, and lowers the rest.
func (m *minimizer) twins() {
	done := map[uint64]bool{}
	for m.active() {
		at := m.equalParts(done)
		if at == nil {
			return
		}
		for d := 0; m.active(); d++ {
			below := make([]int, len(at)) // the choice at a distance in each
			for k := range at {
				below[k] = at[k] + d
			}
			if d >= int(m.best[at[0]].Size) {
				break
			}
			before := m.steps
			m.editTwins(below)
			if m.steps == before {
				continue
			}
			if at = m.equalParts(done); at == nil { // the first of what they have become
				return
			}
			d = -1
		}
		done[m.hashes()[at[0]]] = true
	}
}

// equalParts returns all places of the first part that occurs several times and is not done.
func (m *minimizer) equalParts(done map[uint64]bool) []int {
	hashes := m.hashes()
	equal := map[uint64][]int{}
	for i := range m.best {
		at := equal[hashes[i]]
		if m.best[i].Kind == choices.Pick && m.best[i].Size > 1 &&
			(at == nil || sameChoices(m.best.At(at[0]), m.best.At(i))) {
			equal[hashes[i]] = append(at, i)
		}
	}
	for i := range m.best {
		if at := equal[hashes[i]]; len(at) > 1 && at[0] == i && !done[hashes[i]] {
			return at
		}
	}
	return nil
}

// hashes returns a hash of each part.
func (m *minimizer) hashes() []uint64 {
	h := make([]uint64, len(m.best))
	for i := len(m.best) - 1; i >= 0; i-- {
		c := &m.best[i]
		h[i] = hash.Mix(hash.Mix(uint64(c.Kind)<<16|uint64(c.Family), uint64(c.N)), hash.FNV64(c.Tag))
		for j, end := i+1, m.best.End(i); j < end; j = m.best.End(j) {
			h[i] = hash.Mix(h[i], h[j])
		}
	}
	return h
}

// editTwins simplifies the equal parts at the given places.
func (m *minimizer) editTwins(at []int) {
	i := at[0]
	if m.best[i].Kind != choices.Pick {
		m.lowerAll(at)
		return
	}
	if m.best[i].N != 0 && (m.cutPick(at) || m.cutFirst(at)) {
		return
	}
	for _, j := range m.nearest(i, m.compatible) {
		edited := m.best
		for k := len(at) - 1; k >= 0; k-- {
			edited = m.splice(edited, at[k], m.best.At(j))
		}
		if m.try(edited) {
			return
		}
	}
	m.lowerAll(at)
}

// cutFirst cuts the first of each run of neighbors among equal picks. So equal lists of equal
// elements become shorter.
func (m *minimizer) cutFirst(at []int) bool {
	var first []int
	for k, i := range at {
		if k == 0 || m.best.End(at[k-1]) != i {
			first = append(first, i)
		}
	}
	return len(first) > 1 && len(first) < len(at) && m.cutPick(first)
}
