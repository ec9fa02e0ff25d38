package mutate

import (
	"math"

	"github.com/espalier-go/espalier/choices"
)

// small is the number of choices up to which every part of a tree is tried alone.
const small = 100

// alone takes the parts of a small tree one by one: each is deleted, becomes the simplest one, or one
// of its own parts of the same type, however deep, and each pick takes any earlier alternative. The
// other passes leave much of that out: they guess from what did not help before.
func (m *minimizer) alone() {
	if len(m.best) > small {
		return
	}
	m.patience = math.MaxInt
	for i := 0; i < len(m.best) && m.active(); i++ {
		for m.active() && m.editAlone(i) {
		}
	}
}

// editAlone makes one edit of the part at i that helps, if there is one.
func (m *minimizer) editAlone(i int) bool {
	if i >= len(m.best) || m.best[i].Kind != choices.Pick {
		return false // other passes try every integer and text
	}
	end := m.best.End(i)
	if m.try(m.best.Cut(i, end)) || m.try(m.plain(i, end)) {
		return true
	}
	for j := i + 1; j < end; j++ {
		if m.best[j].Kind == choices.Pick && m.best[j].Family == m.best[i].Family &&
			m.try(m.splice(m.best, i, m.best.At(j))) {
			return true
		}
	}
	for n := range m.best[i].N {
		other := with(m.best, []int{i}, toIndex(n))
		if m.try(other) || end > i+1 && m.try(other.Cut(i+1, end)) {
			return true
		}
	}
	return false
}

// plain returns a copy of best in which the choices from i to end are the simplest.
func (m *minimizer) plain(i, end int) choices.Tree {
	out := m.edit.clone(m.best)
	for j := i; j < end; j++ {
		if c := &out[j]; c.Kind == choices.Pick {
			c.TakeIndex(0)
		} else {
			c.N, c.Tag = c.Origin(), ""
		}
	}
	return out
}
