package predict

import (
	"github.com/espalier-go/espalier/bigen/internal/graph"
	"golang.org/x/exp/slices"
)

// findLast finds the alternatives that remain at the last level (section 5). These do not lead back
// to their own family or, if a family has no such alternative, have the least height. Then it
// computes the probabilities, and the orders of types.
func (g *Grammar) findLast() {
	follow := g.follow()
	component := graph.Components(len(follow), func(f int, visit func(int)) {
		for _, families := range follow[f] {
			for k := range families {
				visit(k)
			}
		}
	})
	height := heights(follow)
	g.families = slices.Clone(g.families)
	for f := range g.families {
		last := notBack(follow[f], component, f)
		if !slices.Contains(last, true) {
			for n, families := range follow[f] {
				last[n] = families != nil && above(families, height) == height[f]
			}
		}
		g.families[f].last = last
	}
	for i := range g.types {
		g.types[i].normalize(g.families[g.types[i].family].last)
	}
	g.order = g.ordered(func(a *alternative, visit func(int)) {
		if a.next >= 0 {
			visit(a.next)
		}
	})
	g.lastOrder = g.ordered(func(a *alternative, visit func(int)) {
		if a.last > 0 {
			a.each(visit)
		}
	})
}

// notBack tells which alternatives of family f lead to families of other components only.
func notBack(alts []map[int]bool, component []int, f int) []bool {
	last := make([]bool, len(alts))
	for n, families := range alts {
		last[n] = families != nil
		for k := range families {
			last[n] = last[n] && component[k] != component[f]
		}
	}
	return last
}

// follow returns the families that follow each alternative of each family, or nil if the
// alternative does not occur.
func (g *Grammar) follow() [][]map[int]bool {
	follow := make([][]map[int]bool, len(g.families))
	for f := range follow {
		follow[f] = make([]map[int]bool, len(g.families[f].tags))
	}
	for i := range g.types {
		t := &g.types[i]
		t.normalize(make([]bool, len(t.alts)))
		for n, a := range t.alts {
			if a.prob == 0 {
				continue
			}
			families := follow[t.family]
			if families[n] == nil {
				families[n] = map[int]bool{}
			}
			for _, k := range a.kids {
				families[n][g.types[k].family] = true
			}
			// The next question of a sequence does not make it recursive.
			if a.next >= 0 && g.types[a.next].family != t.family {
				families[n][g.types[a.next].family] = true
			}
		}
	}
	return follow
}

// endless is the height of families whose values do not end.
const endless = 1 << 30

// heights returns, for each family, how deep its smallest value nests.
func heights(follow [][]map[int]bool) []int {
	height := repeated(endless, len(follow))
	for changed := true; changed; {
		changed = false
		for f := range follow {
			for _, families := range follow[f] {
				if families == nil {
					continue
				}
				if h := above(families, height); h < height[f] {
					height[f], changed = h, true
				}
			}
		}
	}
	return height
}

// above returns the height of a value that leads to some families.
func above(families map[int]bool, height []int) int {
	h := 0
	for k := range families {
		h = max(h, height[k])
	}
	return min(h+1, endless)
}

// ordered returns the types in an order in which the targets of their alternatives' edges come
// first.
func (g *Grammar) ordered(edges func(a *alternative, visit func(k int))) []int {
	component := g.components(edges)
	order := make([]int, len(component))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return component[a] - component[b] })
	return order
}

// components is [graph.Components] for types, by edges of their alternatives.
func (g *Grammar) components(edges func(a *alternative, visit func(k int))) []int {
	return graph.Components(len(g.types), func(i int, visit func(int)) {
		for n := range g.types[i].alts {
			edges(&g.types[i].alts[n], visit)
		}
	})
}
