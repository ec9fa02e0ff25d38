package bigen

import (
	"math"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen/internal/graph"
)

// own returns how many choices a value has besides the choices of its parts.
func (n *typeNode) own() float64 {
	if n.form == fixed && (!n.given || len(n.kids) > 0) {
		return 0
	}
	return 1
}

const endless = math.MaxInt

// checkFinite computes the rank of all nodes and notes those that have no finite value, or
// none that is small enough.
func (d *derivation) checkFinite() {
	d.findRanks()
	told := map[*typeNode]bool{}
	for _, n := range d.all {
		if n.rank == endless {
			if why := n.why(told); why != "" {
				remedy := "let a pointer be nil, a slice or map be empty, or give an interface " +
					"a variant that ends"
				if n.name != "" {
					remedy = "let a part be optional, elements be none, or give an Either an " +
						"alternative that ends"
				}
				d.note("no value of type %v is finite: %s: %s", n, why, remedy)
			}
		}
	}
	if len(told) > 0 {
		return
	}
	for _, n := range d.all {
		if least := n.leastChoices(); least > maxChoices {
			d.note(
				"the smallest %v has %.0f choices, and no value has more than %d: give it a "+
					"generator by bigen.With or bigen.Field",
				n, least, maxChoices,
			)
		}
	}
}

// findRanks computes the rank of all nodes.
func (d *derivation) findRanks() {
	for _, n := range d.all {
		n.rank, n.least = endless, -1
	}
	for changed := true; changed; {
		changed = false
		for _, n := range d.all {
			if r := n.smallest(); r < n.rank {
				n.rank, changed = r, true
			}
		}
	}
}

// smallest computes the rank from the ranks of the kids.
func (n *typeNode) smallest() int {
	if n.form == optional || n.form == many && n.lo == 0 {
		return 0
	}
	rank := 0
	if n.form == oneOf {
		rank = endless
	}
	for _, kid := range n.kids {
		if n.form == oneOf {
			rank = min(rank, kid.rank)
		} else {
			rank = max(rank, kid.rank)
		}
	}
	if n.isChoice() && rank < endless {
		rank++
	}
	return rank
}

// leastChoices returns how many choices the smallest value has.
func (n *typeNode) leastChoices() float64 {
	if n.least >= 0 {
		return n.least
	}
	times, kids := float64(n.count), n.kids
	switch n.form {
	case optional:
		kids = nil
	case many:
		times = float64(n.lo)
	case oneOf:
		for i, kid := range n.kids {
			if kid.rank < kids[0].rank {
				kids = n.kids[i:]
			}
		}
		kids = kids[:1]
	}
	n.least = n.own()
	if times > 0 {
		for _, kid := range kids {
			n.least += times * kid.leastChoices()
		}
	}
	return n.least
}

// why follows parts without an end until they repeat. It returns "" if they lead to one that
// has been told of.
func (n *typeNode) why(told map[*typeNode]bool) string {
	var way []string
	for seen := map[*typeNode]bool{}; !seen[n]; {
		if told[n] {
			return ""
		}
		seen[n], told[n] = true, true
		if name := n.String(); len(way) == 0 || way[len(way)-1] != name {
			way = append(way, name)
		}
		for _, kid := range n.kids {
			if kid.rank == endless {
				n = kid
				break
			}
		}
	}
	return strings.Join(append(way, n.String()), " contains ")
}

// findComponents finds the sets of nodes that contain each other.
func findComponents(all []*typeNode) {
	index := map[*typeNode]int{}
	for i, n := range all {
		index[n] = i
	}
	of := graph.Components(len(all), func(i int, visit func(k int)) {
		for _, kid := range all[i].kids {
			visit(index[kid])
		}
	})
	size := make([]int, len(all)) // by component
	for _, c := range of {
		size[c]++
	}
	for i, n := range all {
		n.component = of[i]
		n.recursive = n.isChoice() && n.asked == 0 &&
			(size[n.component] > 1 || slices.Contains(n.kids, n))
	}
}

// findExits finds the exits of an interface: the variants that do not lead back to it, or
// else the variants whose smallest values nest least. So a value that takes only exits
// always ends. The first of them moves to the first place:
// it is all that remains where a value has become too large.
func (n *typeNode) findExits() {
	if n.form != oneOf {
		return
	}
	least := endless
	for _, kid := range n.kids {
		if n.leadsBack(kid) {
			least = min(least, kid.rank)
		} else {
			least = -1
		}
	}
	first := -1
	n.exits = make([]bool, len(n.kids))
	for i, kid := range n.kids {
		n.exits[i] = !n.leadsBack(kid) || kid.rank == least
		if n.exits[i] && first < 0 {
			first = i
		}
	}
	takeOut(n.kids, first)
	takeOut(n.alts, first)
	takeOut(n.exits, first)
}

// leadsBack reports whether values of a kid may contain values of n.
func (n *typeNode) leadsBack(kid *typeNode) bool {
	return n.recursive && kid.component == n.component
}
