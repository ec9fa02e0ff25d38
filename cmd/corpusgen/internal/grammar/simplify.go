package grammar

import "cmp"

// simplify brings an expression of a rule that is not a token into the form that types are made of.
//
//   - A token that is a single literal is that literal.
//   - Sequences in sequences are part of these, and so for alternatives, if nobody has named them.
//   - Alternatives that are literals are one, a Word.
//   - An empty alternative makes the others optional. What is optional twice is so once.
//   - X { "," X } is a List.
func (g *Grammar) simplify(e *Expr) *Expr {
	s := *e
	if e.Op == Not && g.lexed {
		s.names = g.excluded(e.Kids)
		return &s
	}
	s.Kids = nil
	for _, kid := range e.Kids {
		kid = g.simplify(kid)
		if kid.Op == e.Op && kid.Label == "" && (e.Op == Seq || e.Op == Alt) {
			s.Kids = append(s.Kids, kid.Kids...)
		} else if e.Op != Seq || !kid.empty() {
			s.Kids = append(s.Kids, kid)
		}
	}
	switch e.Op {
	case Ref:
		if text := g.onlyText(e.Text); text != "" {
			return &Expr{Op: Lit, Text: text, Label: e.Label, Pos: e.Pos}
		}
	case Seq:
		s.Kids = lists(s.Kids)
		if len(s.Kids) == 1 && s.Label == "" {
			return s.Kids[0]
		}
	case Alt:
		return s.alternatives()
	case Opt, Rep, Rep1:
		kid := s.Kids[0]
		switch {
		case kid.empty() || kid.Op == Rep:
			return kid
		case e.Op == Opt:
			return kid.optional()
		case kid.Op == Opt:
			s.Op, s.Kids = Rep, kid.Kids
		case kid.Op == Rep1:
			s.Kids = kid.Kids
		}
	}
	return &s
}

// empty reports whether e is nothing.
func (e *Expr) empty() bool {
	return e.Op == Seq && len(e.Kids) == 0 || e.Op == Lit && e.Text == ""
}

// optional returns e, or nothing.
func (e *Expr) optional() *Expr {
	s := *e
	switch e.Op {
	case Rep1:
		s.Op = Rep
	case List:
		s.Op = List0
	case Opt, Rep, List0:
	default:
		return &Expr{Op: Opt, Kids: []*Expr{e}, Pos: e.Pos}
	}
	return &s
}

// alternatives returns the simple form of an Alt of simple kids.
func (e *Expr) alternatives() *Expr {
	s := Expr{Op: Alt, Label: e.Label, Pos: e.Pos}
	words := &Expr{Op: Word, Pos: e.Pos}
	empty := false
	for _, kid := range e.Kids {
		if kid.Op == Opt && kid.Label == "" {
			empty, kid = true, kid.Kids[0]
		}
		switch {
		case kid.empty():
			empty = true
			continue
		case kid.Op == Word || kid.Op == Lit:
			first := len(words.Kids) == 0
			if words.Kids = append(words.Kids, kid.orKids()...); !first {
				continue
			}
			kid = words
		}
		s.Kids = append(s.Kids, kid)
	}
	if len(words.Kids) == 1 {
		*words = *words.Kids[0]
	}
	all := s.single()
	if all.Label = cmp.Or(all.Label, e.Label); len(s.Kids) == 0 {
		return &Expr{Op: Seq, Pos: e.Pos}
	} else if empty {
		return all.optional()
	}
	return all
}

func (e *Expr) orKids() []*Expr {
	if e.Op == Word {
		return e.Kids
	}
	return []*Expr{e}
}

// single returns the only kid, if there is one.
func (e *Expr) single() *Expr {
	if len(e.Kids) == 1 {
		return e.Kids[0]
	}
	return e
}

// lists finds the lists in a sequence.
func lists(seq []*Expr) (all []*Expr) {
	for _, e := range seq {
		if n := len(all); n > 0 && e.Op == Rep && e.Kids[0].Op == Seq {
			kids := e.Kids[0].Kids
			if len(kids) == 2 && kids[0].Op == Lit && kids[1].String() == all[n-1].String() {
				all[n-1] = &Expr{Op: List, Text: kids[0].Text, Kids: []*Expr{all[n-1]}, Pos: e.Pos}
				continue
			}
		}
		all = append(all, e)
	}
	return all
}

// onlyText returns the text of a token that has only one, up to the case of letters.
func (g *Grammar) onlyText(name string) string {
	if g.lexed {
		return g.tokens[name]
	}
	if r := g.rules[name]; r.token && r.Body.Op == Lit {
		return r.Body.Text
	}
	return ""
}
