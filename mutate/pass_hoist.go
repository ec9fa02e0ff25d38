package mutate

import (
	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
)

// hoist replaces a Pick by one from below it that makes a value of the same type. It also
// replaces the choices of a branch, or of the root, by those of a branch below if both seem
// to fill the same struct.
func (m *minimizer) hoist() {
	for i := -1; i < len(m.best) && m.active(); i++ {
		if i >= 0 && m.best[i].Kind == choices.Pick {
			m.hoistTo(i,
				func(i, j int) bool { return compatible(m.best, i, j) },
				func(j int) choices.Tree { return m.best.Splice(i, m.best.At(j)) })
		}
		if begin, end := children(m.best, i); begin < end {
			m.hoistTo(i, m.sameBranch, func(j int) choices.Tree { return replaceBelow(m.best, i, j) })
		}
	}
}

// sameBranch reports whether the choices below i and those of the branch of j seem to fill
// the same struct.
func (m *minimizer) sameBranch(i, j int) bool {
	begin, end := children(m.best, i)
	return begin < end && m.best[j].Kind == choices.Pick && m.best[j].Size > 1 && alike(&m.best[begin], &m.best[j+1])
}

// hoistTo replaces the part at i by the nearest parts below it that fit. It tries the
// largest first.
func (m *minimizer) hoistTo(i int, fits func(i, j int) bool, replaced func(j int) choices.Tree) {
	for m.active() {
		before := m.steps
		for _, j := range m.nearest(i, fits) {
			if m.try(replaced(j)) {
				break
			}
		}
		if m.steps == before {
			return
		}
		gallop(func(n int) bool {
			j := i
			for range n + 1 {
				below := m.nearest(j, fits)
				if len(below) == 0 {
					return false
				}
				j = below[0]
			}
			return m.try(replaced(j))
		})
	}
}

// nearest returns the places of a few parts below i that fit, the largest first. It leaves
// out parts of these.
func (m *minimizer) nearest(i int, fits func(i, j int) bool) []int {
	var found []int
	begin, end := children(m.best, i)
	for j := begin; j < end; {
		if fits(i, j) {
			found = append(found, j)
			j = m.best.End(j)
		} else {
			j++
		}
	}
	slices.SortStableFunc(found, func(a, b int) int { return int(m.best[b].Size) - int(m.best[a].Size) })
	return found[:min(len(found), 2*few)]
}

// replaceBelow returns a copy of t in which the choices below j replace those below i.
func replaceBelow(t choices.Tree, i, j int) choices.Tree {
	sub := t.At(j)
	if i < 0 {
		return slices.Clone(sub[1:])
	}
	out := t.Splice(i, sub)
	size := out[i].Size
	out[i] = t[i]
	out[i].Size = size
	return out
}
