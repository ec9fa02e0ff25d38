package mutate

import (
	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
)

// cut deletes elements of sequences, and everything below a Pick, which then takes
// its first alternative.
func (m *minimizer) cut() {
	for i := 0; i < len(m.best) && m.active(); i++ {
		switch c := &m.best[i]; {
		case c.Kind != choices.Pick || c.Index != 0:
		case m.layout.run[i] > 1:
			m.cutElements(i)
		case c.N != 0:
			m.anew(i, func() { m.cutPick([]int{i}) })
		}
	}
}

// cutElements deletes elements of the sequence that begins at i: all of them or, from each
// element on, as many as possible.
func (m *minimizer) cutElements(i int) {
	slot := m.best[i].Slot
	if all := m.layout.run[i]; all > 3 && m.try(m.best.Cut(i, element(m.best, i, all))) {
		return
	}
	for k := 0; m.active(); k++ {
		if i >= len(m.best) || m.best[i].Slot != slot || k >= m.layout.run[i] {
			return
		}
		m.anew(element(m.best, i, k), func() {
			gallop(func(n int) bool { return m.cutRun(i, k, n) })
		})
	}
}

// cutRun deletes n elements of the sequence at i, from element k on. If that fails, it changes what
// refers to elements by their positions.
func (m *minimizer) cutRun(i, k, n int) bool {
	if i >= len(m.best) || k+n > m.layout.run[i] {
		return false
	}
	p := element(m.best, i, k)
	edited := m.best.Cut(p, element(m.best, p, n))
	if m.try(edited) {
		return true
	}
	made := slices.Clone(m.made)
	switch len(made) {
	case len(edited):
		return m.redirect(edited, made) || m.follow(edited, made)
	case len(edited) + 1:
		return m.answer(edited, made)
	}
	return false
}

// redirect takes a tree that try has rejected, and what the replay made of it, with as many
// choices. If the replay drew picks again, because they named what the edit deletes, redirect makes
// them all take their first alternative.
func (m *minimizer) redirect(edited, made choices.Tree) bool {
	var drawn []int
	for i := range edited {
		if a, b := &edited[i], &made[i]; b.Kind == choices.Pick && b.N > 0 &&
			(a.Kind != b.Kind || a.Tag != b.Tag) {
			drawn = append(drawn, i)
		}
	}
	return len(drawn) > 0 && m.try(with(edited, drawn, toIndex(0)))
}

// answer takes a tree that try has rejected, and what the replay made of it, with one choice more.
// If the new choice is a pick, such as whether an empty map is nil, answer makes it take its second
// alternative.
func (m *minimizer) answer(edited, made choices.Tree) bool {
	i := 0
	for i < len(edited) && made[i].Slot == edited[i].Slot && made[i].Kind == edited[i].Kind {
		i++
	}
	return made[i].Kind == choices.Pick && made[i].N == 0 && m.try(with(made, []int{i}, toIndex(1)))
}

// cutPick makes equal picks take their first alternative: with the simplest choices below,
// or with the fitting choices of the old alternative.
func (m *minimizer) cutPick(at []int) bool {
	i := at[0]
	edited := m.best
	for k := len(at) - 1; k >= 0; k-- {
		edited, _ = m.edit.replace(edited, at[k], edited.End(at[k]))
	}
	if m.try(edited) {
		return true
	}
	if len(m.made) > i && m.made[i].Size == 1 {
		return false // there is nothing below the first alternative
	}
	return m.best[i].Size > 1 && m.try(with(m.best, at, toIndex(0)))
}

// merge makes neighbors in a sequence one element. It joins the sequences and texts below
// them, and keeps the rest of the first.
func (m *minimizer) merge() {
	for i := range m.places(m.isElement) {
		gallop(func(n int) bool {
			if i >= len(m.best) || m.layout.run[i] <= n || m.best[i].Size == 1 ||
				m.best[element(m.best, i, n)].Size == 1 {
				return false
			}
			return m.try(merged(m.best, i, n))
		})
	}
}

// merged returns a copy of t in which the element at i has taken in the n that follow.
func merged(t choices.Tree, i, n int) choices.Tree {
	slots, parts := []uint32(nil), map[uint32]choices.Tree{}
	for e, k := i, 0; k <= n; e, k = t.End(e), k+1 {
		begin, end := children(t, e)
		for j := begin; j < end; j = t.End(j) {
			slot := t[j].Slot
			part, ok := parts[slot]
			if !ok {
				slots = append(slots, slot)
			}
			switch last := len(part) - 1; {
			case last < 0:
			case t[j].Kind == choices.Text && part[last].Kind == choices.Text:
				part[last].Tag += t[j].Tag
				continue
			case stops(&part[last]) && part[last].Slot == slot:
				part = part[:last]
			}
			parts[slot] = append(part, t.At(j)...)
		}
	}
	sub := choices.Tree{t[i]}
	for _, slot := range slots {
		sub = append(sub, parts[slot]...)
	}
	sub[0].Size = int32(len(sub))
	out := t.Splice(i, sub)
	next := out.End(i)
	return out.Cut(next, element(out, next, n))
}
