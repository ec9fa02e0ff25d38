package mutate

import (
	"iter"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
)

// hoist replaces a Pick by one from below it that makes a value of the same type. It also
// replaces the choices of a branch, or of the root, by the choices of a branch below if
// both seem to fill the same struct.
func (m *minimizer) hoist() {
	for i := -1; i < len(m.best) && m.active(); i++ {
		m.anew(i, func() {
			for _, h := range m.hoistings(i) {
				m.hoistTo(i, h)
			}
		})
	}
}

// Hoists returns the trees that replace a part of a value, or the value, by a part of itself that
// has the same type, as far as choices tell. Each tree must be replayed. Hoists tell whether a
// part alone does what the value does.
func Hoists(t choices.Tree) iter.Seq[choices.Tree] {
	m := &minimizer{best: t}
	return func(yield func(choices.Tree) bool) {
		for i := -1; i < len(t); i++ {
			for _, h := range m.hoistings(i) {
				for _, j := range m.nearest(i, h.fits) {
					if !yield(h.replaced(j)) {
						return
					}
				}
			}
		}
	}
}

// A hoisting says which parts below i can replace what is at i, and by which tree.
type hoisting struct {
	fits     func(i, j int) bool
	replaced func(j int) choices.Tree
}

func (m *minimizer) hoistings(i int) (all []hoisting) {
	if i >= 0 && m.best[i].Kind == choices.Pick {
		all = append(all,
			hoisting{m.compatible, func(j int) choices.Tree { return m.splice(m.best, i, m.best.At(j)) }})
	}
	return append(all,
		hoisting{m.sameBranch, func(j int) choices.Tree { return m.replaceBelow(i, j) }})
}

// compatible reports whether the part that Pick j made can replace the one at i.
func (m *minimizer) compatible(i, j int) bool {
	picks := m.best[i].Kind == choices.Pick && m.best[j].Kind == choices.Pick
	return picks && new(Mutator).compatible(m.best, i, m.best, j)
}

// sameBranch reports whether the choices below i and the choices of the branch of j seem
// to fill the same struct.
func (m *minimizer) sameBranch(i, j int) bool {
	begin, end := children(m.best, i)
	return begin < end && m.best[j].Kind == choices.Pick && m.best[j].Size > 1 &&
		alike(&m.best[begin], &m.best[j+1])
}

// hoistTo replaces the part at i by the nearest parts below it that fit. It tries the
// largest first.
func (m *minimizer) hoistTo(i int, h hoisting) {
	for m.active() {
		before := m.steps
		for _, j := range m.nearest(i, h.fits) {
			if m.try(h.replaced(j)) {
				break
			}
		}
		if m.steps == before {
			return
		}
		gallop(func(n int) bool {
			j := i
			for range n + 1 {
				below := m.nearest(j, h.fits)
				if len(below) == 0 {
					return false
				}
				j = below[0]
			}
			return m.try(h.replaced(j))
		})
	}
}

// raise makes Picks take an earlier alternative whose first part is another part of the
// present one: a list of two becomes one of the second.
func (m *minimizer) raise() {
	for i := 0; i < len(m.best) && m.active(); i++ {
		for _, r := range m.raises(i) {
			if m.try(m.reduced(m.best, r)) {
				break
			}
		}
	}
}

// reduceTwo replaces two Picks at once as hoist and raise do one: two that are parts of each
// other, or two that are apart.
func (m *minimizer) reduceTwo() {
	for {
		all, helped := m.hoistTwice()
		if !helped && !m.reducePair(all[:min(3*few, len(all))]) {
			return
		}
	}
}

// hoistTwice replaces a Pick by a part of a part of itself. If it cannot, it returns how a Pick can
// be replaced by a part of itself, or by another.
func (m *minimizer) hoistTwice() (all []reduction, helped bool) {
	for i := 0; i < len(m.best) && m.active(); i++ {
		for _, j := range m.nearest(i, m.compatible) {
			all = append(all, reduction{i, j, -1})
			for _, k := range m.nearest(j, m.compatible) {
				if m.try(m.splice(m.best, i, m.best.At(k))) {
					return nil, true
				}
			}
		}
		all = append(all, m.raises(i)...)
	}
	return all, false
}

// reducePair makes two of the reductions, the later first.
func (m *minimizer) reducePair(all []reduction) bool {
	for n, b := range all {
		for _, a := range all[:n] {
			if !m.active() {
				return false
			}
			apart := b.i >= m.best.End(a.i)
			kept := a.j <= b.i && b.i < m.best.End(a.j)
			if (apart || kept) && m.try(m.reduced(m.reduced(m.best, b), a)) {
				return true
			}
		}
	}
	return false
}

// A reduction replaces the Pick at i by its part at j. If n is not negative, the Pick takes
// alternative n instead, and the part at j becomes the first part of it.
type reduction struct {
	i, j int
	n    int64
}

func (m *minimizer) reduced(t choices.Tree, r reduction) choices.Tree {
	if r.n < 0 {
		return m.splice(t, r.i, t.At(r.j))
	}
	out := m.splice(t, r.i+1, t.At(r.j))
	out[r.i].TakeIndex(r.n)
	return out
}

// raises returns reductions of the Pick at i to other alternatives.
func (m *minimizer) raises(i int) (found []reduction) {
	c := &m.best[i]
	if c.Kind != choices.Pick || c.N == 0 || c.Size < 3 {
		return nil
	}
	end := m.best.End(i)
	for j := m.best.End(i + 1); j < end; j = m.best.End(j) {
		if a, b := &m.best[i+1], &m.best[j]; a.Kind != choices.Pick || b.Kind != choices.Pick ||
			a.Family != b.Family {
			continue
		}
		for n := int64(0); n < min(few, c.N); n++ {
			found = append(found, reduction{i, j, n})
		}
	}
	return found
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
	slices.SortStableFunc(found, func(a, b int) int {
		return int(m.best[b].Size) - int(m.best[a].Size)
	})
	return found[:min(len(found), 2*few)]
}

// replaceBelow returns a copy of best in which the choices below j replace the choices below i.
func (m *minimizer) replaceBelow(i, j int) choices.Tree {
	sub := m.best.At(j)
	if i < 0 {
		return m.edit.clone(sub[1:])
	}
	out := m.splice(m.best, i, sub)
	size := out[i].Size
	out[i] = m.best[i]
	out[i].Size = size
	return out
}

// splice is [choices.Tree.Splice] with the memory of m.edit.
func (m *minimizer) splice(t choices.Tree, i int, sub choices.Tree) choices.Tree {
	out, _ := m.edit.graft(t, i, sub)
	return out
}
