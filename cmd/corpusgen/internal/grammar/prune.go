package grammar

import "slices"

// pruneAll removes from rules what no text has, since no lexical rule makes some token, and notes
// which tokens these are.
func (g *Grammar) pruneAll(rules []*Rule) {
	var missing []string
	for _, r := range rules {
		if r.Lexical {
			continue
		}
		for ref := range r.Body.refs {
			if !isToken(ref.Text) || g.ends(ref) || slices.Contains(missing, ref.Text) {
				continue
			}
			missing = append(missing, ref.Text)
			g.note(ref.Pos, "rule %s: no lexical rule makes the token %s: what needs it is left out",
				r.Name, ref.Text)
		}
	}
	for _, r := range rules {
		if !r.Lexical && r.ends {
			r.Body = g.prune(r.Body)
		}
	}
}

// prune returns what texts have of an expression that ends.
func (g *Grammar) prune(e *Expr) *Expr {
	s := *e
	switch e.Op {
	case Opt, Rep:
		if !g.ends(e.Kids[0]) {
			return &Expr{Op: Seq, Pos: e.Pos}
		}
	case Alt:
		s.Kids = slices.DeleteFunc(slices.Clone(e.Kids), func(kid *Expr) bool { return !g.ends(kid) })
	case Seq, Rep1:
	default:
		return e
	}
	s.Kids = slices.Clone(s.Kids)
	for i, kid := range s.Kids {
		s.Kids[i] = g.prune(kid)
	}
	return &s
}

// excluded returns the names of the tokens of an expression that a tilde is for.
func (g *Grammar) excluded(of []*Expr) (names []string) {
	for _, e := range of {
		more := g.texts[e.Text]
		switch e.Op {
		case Ref:
			more = []string{e.Text}
		case Lit:
		default:
			more = g.excluded(e.Kids)
		}
		for _, name := range more {
			if _, ok := g.tokens[name]; ok && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}
