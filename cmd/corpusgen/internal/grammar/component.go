package grammar

import "slices"

// components finds which rules lead back to themselves, by Tarjan's algorithm: rules that lead to
// each other are one component. It numbers these so that a rule leads to components of its own and
// lower numbers only.
func (g *Grammar) components(rules []*Rule) {
	t := &tarjan{g: g, index: map[*Rule]int{}, low: map[*Rule]int{}}
	for _, r := range rules {
		if t.index[r] == 0 {
			t.visit(r)
		}
	}
}

type tarjan struct {
	g          *Grammar
	index, low map[*Rule]int // from 1
	stack      []*Rule
	components int
}

func (t *tarjan) visit(r *Rule) {
	n := len(t.index) + 1
	t.index[r], t.low[r] = n, n
	t.stack = append(t.stack, r)
	for ref := range r.Body.refs {
		to := t.g.rules[ref.Text]
		switch {
		case to == nil:
		case t.index[to] == 0:
			t.visit(to)
			t.low[r] = min(t.low[r], t.low[to])
		case to.component == 0:
			t.low[r] = min(t.low[r], t.index[to])
		}
		r.recursive = r.recursive || to == r
	}
	if t.low[r] < n {
		return
	}
	t.components++
	first := slices.Index(t.stack, r)
	members := t.stack[first:]
	for _, m := range members {
		m.component = t.components
		m.recursive = m.recursive || len(members) > 1
	}
	t.stack = t.stack[:first]
}

// leadsBack reports whether part of a rule has a reference that leads back to the rule.
func (g *Grammar) leadsBack(e *Expr, r *Rule) bool {
	return r.recursive && !e.walk(func(e *Expr) bool {
		return e.Op != Ref || g.rules[e.Text] == nil || g.rules[e.Text].component != r.component
	})
}
