// Package graph finds which parts of a graph lead back to themselves, as recursive types do.
package graph

// Components returns the strongly connected component of each of n nodes, numbered from 0 so that
// edges lead to components of lower or equal number (Tarjan's algorithm). edges calls visit for
// each node to which an edge of node i leads.
func Components(n int, edges func(i int, visit func(k int))) []int {
	component, low, order := make([]int, n), make([]int, n), make([]int, n)
	var stack []int
	count, clock := 0, 0
	var walk func(i int)
	walk = func(i int) {
		clock++
		order[i], low[i] = clock, clock
		first := len(stack)
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
		for _, k := range stack[first:] {
			component[k] = count
		}
		stack = stack[:first]
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
