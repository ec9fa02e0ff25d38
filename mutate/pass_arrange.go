package mutate

import (
	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
)

// arrange sorts the elements of sequences so that the simplest comes first. It also
// exchanges neighbors of the same type in different slots, such as two children. It first
// tries all of this at once, then one sequence or one pair at a time.
func (m *minimizer) arrange() {
	if m.try(arranged(m.best)) {
		return
	}
	for i := -1; i < len(m.best) && m.active(); i++ {
		if i >= 0 && m.beginsSequence(i) {
			m.sort(i)
		}
		m.exchange(i)
	}
}

// arranged returns a copy of t with all sequences sorted and all pairs exchanged.
func arranged(t choices.Tree) choices.Tree {
	t = slices.Clone(t)
	for i := len(t) - 1; i >= -1; i-- { // what is below is arranged already
		for _, g := range groups(t, i) {
			sortElements(t[g.begin:g.end])
		}
		t = arrangedBelow(t, i)
	}
	return t
}

// arrangedBelow exchanges groups below i as long as that makes t simpler. It goes through
// the pairs a few times, and tries up to 200 in all.
func arrangedBelow(t choices.Tree, i int) choices.Tree {
	pairs := exchanges(t, i)
	left := 200
	for pass, again := 0, true; again && pass < few; pass++ {
		again = false
		for k := 0; k < len(pairs) && left > 0; k++ {
			g, h := pairs[k][0], pairs[k][1]
			if Compare(t[h.begin:h.end], t[g.begin:g.end]) >= 0 {
				continue
			}
			if edited := exchanged(t, g, h); Compare(edited, t) < 0 {
				t, again = edited, true
				pairs = exchanges(t, i)
				left--
			}
		}
	}
	return t
}

// sort sorts the sequence that begins at i.
func (m *minimizer) sort(i int) {
	n := m.layout.run[i]
	edited := slices.Clone(m.best)
	if sorted := sortElements(edited[i:element(edited, i, n)]); sorted || m.try(edited) {
		return
	}
	for k := 1; k < n; k++ {
		for ; k > 0 && m.exchangeElements(i, k); k-- {
		}
	}
}

// sortElements sorts siblings, but not the last if it ends their sequence, and reports
// whether they were sorted.
func sortElements(t choices.Tree) bool {
	var parts []choices.Tree
	for i := 0; i < len(t) && !stops(&t[i]); i = t.End(i) {
		parts = append(parts, slices.Clone(t.At(i)))
	}
	if slices.IsSortedFunc(parts, Compare) {
		return true
	}
	slices.SortStableFunc(parts, Compare)
	at := 0
	for _, p := range parts {
		at += copy(t[at:], p)
	}
	return false
}

// exchangeElements exchanges the elements k-1 and k of the sequence that begins at i, if
// the later is simpler.
func (m *minimizer) exchangeElements(i, k int) bool {
	if i >= len(m.best) || k >= m.layout.run[i] {
		return false
	}
	a := element(m.best, i, k-1)
	b := m.best.End(a)
	if stops(&m.best[b]) || Compare(m.best.At(a), m.best.At(b)) <= 0 {
		return false
	}
	return m.try(exchanged(m.best, group{a, b}, group{b, m.best.End(b)}))
}

// reorder exchanges neighbors in short sequences where that makes other parts simpler: the
// ranges of what moves forward may become smaller. It also makes what moves forward take its
// first alternative.
func (m *minimizer) reorder() {
	for i := range m.places(m.beginsSequence) {
		for k := 1; i < len(m.best) && k < m.layout.run[i] && m.layout.run[i] <= 2*few; k++ {
			a := element(m.best, i, k-1)
			b := m.best.End(a)
			if stops(&m.best[b]) {
				break
			}
			edited := exchanged(m.best, group{a, b}, group{b, m.best.End(b)})
			if m.try(edited) || m.best[b].Size == 1 {
				continue
			}
			if c := &edited[a+1]; c.Kind == choices.Pick && c.N > 0 {
				m.try(with(edited, []int{a + 1}, toIndex(0)))
			}
		}
	}
}

// exchange exchanges groups of the choices below i.
func (m *minimizer) exchange(i int) {
	pairs := exchanges(m.best, i)
	for k := 0; k < len(pairs) && m.active(); k++ {
		if edited := exchanged(m.best, pairs[k][0], pairs[k][1]); Compare(edited, m.best) < 0 &&
			m.try(edited) {
			pairs = exchanges(m.best, i)
		}
	}
}

// group is a run of siblings of one slot.
type group struct{ begin, end int }

// groups returns the groups of the choices below i.
func groups(t choices.Tree, i int) (all []group) {
	begin, end := children(t, i)
	for j := begin; j < end; j = t.End(j) {
		if last := len(all) - 1; last >= 0 && t[all[last].begin].Slot == t[j].Slot {
			all[last].end = t.End(j)
		} else {
			all = append(all, group{j, t.End(j)})
		}
	}
	return all
}

// exchanges returns pairs of groups below i that seem to be of the same type. It pairs each
// group with only some of those that follow.
func exchanges(t choices.Tree, i int) (pairs [][2]group) {
	all := groups(t, i)
	for k, g := range all {
		n := 0
		for _, h := range all[k+1:] {
			a, b := &t[g.begin], &t[h.begin]
			if a.Kind != b.Kind || a.Kind == choices.Pick && a.Family != b.Family {
				continue
			}
			pairs = append(pairs, [2]group{g, h})
			if n++; n == few {
				break
			}
		}
	}
	return pairs
}

// exchanged returns a copy of t in which siblings and later ones have exchanged their
// places and slots.
func exchanged(t choices.Tree, g, h group) choices.Tree {
	out := make(choices.Tree, 0, len(t))
	move := func(g group, slot uint32) {
		n := len(out)
		out = append(out, t[g.begin:g.end]...)
		for j := n; j < len(out); j = out.End(j) {
			out[j].Slot = slot
		}
	}
	out = append(out, t[:g.begin]...)
	move(h, t[g.begin].Slot)
	out = append(out, t[g.end:h.begin]...)
	move(g, t[h.begin].Slot)
	return append(out, t[h.end:]...)
}

// graft takes two parts that could be exchanged. It makes one a part of the other, in place
// of a Pick that took its first alternative, and puts the result where the second was.
func (m *minimizer) graft() {
	for i := -1; i < len(m.best) && m.active(); {
		if !m.graftBelow(i) {
			i++
		}
	}
}

// graftBelow grafts one of the parts of the choice at i into another.
func (m *minimizer) graftBelow(i int) bool {
	for _, p := range exchanges(m.best, i) {
		if !m.whole(p[0]) || !m.whole(p[1]) {
			continue
		}
		a, b := p[0].begin, p[1].begin
		first, second := m.best.At(a), m.best.At(b)
		if m.graftInto(first, second, a, b) || m.graftInto(second, first, a, b) {
			return true
		}
	}
	return false
}

// graftInto puts host, with guest as a part, in the place of the parts at a and b.
func (m *minimizer) graftInto(host, guest choices.Tree, a, b int) bool {
	for j, n := 1, 0; j < len(host) && n < few && m.active(); j++ {
		if !stops(&host[j]) || host[j].Family != guest[0].Family {
			continue
		}
		n++
		edited := m.best.Splice(b, host.Splice(j, guest))
		edited = edited.Cut(a, edited.End(a))
		if m.try(edited) || m.try(arranged(edited)) {
			return true
		}
	}
	return false
}

// whole reports whether a group is one Pick with something below it.
func (m *minimizer) whole(g group) bool {
	c := &m.best[g.begin]
	return c.Kind == choices.Pick && c.Size > 1 && m.best.End(g.begin) == g.end
}
