package tally

import (
	"cmp"

	"golang.org/x/exp/slices"
)

// labels counts values by their labels: at most maxLabels.
type labels map[string]int

const (
	maxLabels = 1000
	maxShown  = 20
)

func (n labels) count(of []string) {
	for _, l := range of {
		if _, ok := n[l]; ok || len(n) < maxLabels {
			n[l]++
		}
	}
}

// byCount returns the labels, the most frequent first.
func (n labels) byCount() []string {
	names := make([]string, 0, len(n))
	for l := range n {
		names = append(names, l)
	}
	slices.SortFunc(names, func(x, y string) int {
		return cmp.Or(-cmp.Compare(n[x], n[y]), cmp.Compare(x, y))
	})
	return names
}
