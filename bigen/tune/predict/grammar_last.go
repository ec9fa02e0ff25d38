package predict

import "math"

// findLast finds the alternatives that remain at the last level (section 5): those that do not
// lead back to their own family or, where a family has none, those of least height.
func (g *Grammar) findLast() {
	kids := make([][]map[int]bool, len(g.families)) // by family and alternative; nil if it does not occur
	for f := range kids {
		kids[f] = make([]map[int]bool, len(g.families[f].tags))
	}
	for i := range g.types {
		f := g.types[i].family
		for n, a := range g.types[i].alts {
			if a.prob == 0 {
				continue
			}
			if kids[f][n] == nil {
				kids[f][n] = map[int]bool{}
			}
			for _, k := range a.kids {
				kids[f][n][g.types[k].family] = true
			}
			// The next question of a sequence does not make it recursive.
			if a.next >= 0 && g.types[a.next].family != f {
				kids[f][n][g.types[a.next].family] = true
			}
		}
	}
	component := components(len(kids), func(f int, visit func(int)) {
		for _, follow := range kids[f] {
			for k := range follow {
				visit(k)
			}
		}
	})
	height := heights(kids)
	for f := range g.families {
		last, some, least := make([]bool, len(kids[f])), false, math.MaxInt
		for n, follow := range kids[f] {
			if follow == nil {
				continue
			}
			last[n] = true
			for k := range follow {
				last[n] = last[n] && component[k] != component[f]
			}
			some = some || last[n]
			least = min(least, highest(follow, height))
		}
		for n, follow := range kids[f] {
			if !some && follow != nil {
				last[n] = highest(follow, height) == least
			}
		}
		g.families[f].last = last
	}
}

// heights returns for each family how deep its least value nests, or math.MaxInt if all are
// without end.
func heights(kids [][]map[int]bool) []int {
	height := make([]int, len(kids))
	for f := range height {
		height[f] = math.MaxInt
	}
	for changed := true; changed; {
		changed = false
		for f := range kids {
			for _, follow := range kids[f] {
				if follow == nil {
					continue
				}
				if h := highest(follow, height); h < math.MaxInt && h+1 < height[f] {
					height[f], changed = h+1, true
				}
			}
		}
	}
	return height
}

func highest(families map[int]bool, height []int) int {
	h := 0
	for k := range families {
		h = max(h, height[k])
	}
	return h
}

// components returns the strongly connected component of each node, numbered so that edges
// lead to components of lower or equal number (Tarjan's algorithm).
func components(n int, edges func(i int, visit func(k int))) []int {
	component, low, order := make([]int, n), make([]int, n), make([]int, n)
	var stack []int
	count, clock := 0, 0
	var walk func(i int)
	walk = func(i int) {
		clock++
		order[i], low[i] = clock, clock
		stack = append(stack, i)
		edges(i, func(k int) {
			switch {
			case order[k] == 0:
				walk(k)
				low[i] = min(low[i], low[k])
			case component[k] == 0:
				low[i] = min(low[i], order[k])
			}
		})
		if low[i] < order[i] {
			return
		}
		count++
		for {
			k := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			component[k] = count
			if k == i {
				return
			}
		}
	}
	for i := range n {
		if order[i] == 0 {
			walk(i)
		}
	}
	for i := range component {
		component[i]--
	}
	return component
}
