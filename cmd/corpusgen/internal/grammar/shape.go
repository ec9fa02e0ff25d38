package grammar

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A shape is the Go types of a grammar.
type shape struct {
	g      *Grammar
	types  []*goType // each followed by the types of its parts
	byRule map[string]*goType
	taken  names
	words  map[string]bool // literals that begin with a letter
	rule   *Rule           // whose types are made

	operators int // lists and options that are operators
}

// operatorOdds is the tag of an operator until their number is known.
const operatorOdds = "odds=?"

// newShape makes the types of rules that [Grammar.Resolve] has returned.
func newShape(g *Grammar, rules []*Rule) *shape {
	s := &shape{g: g, byRule: map[string]*goType{}, taken: names{}, words: map[string]bool{}}
	used := map[string]bool{rules[0].Name: true} // by what is not a token
	for _, r := range rules {
		used[r.Name] = used[r.Name] || !r.token
		r.Body.walk(func(e *Expr) bool {
			used[e.Text] = used[e.Text] || e.Op == Ref && !r.token
			literal := e.Op == Lit || e.Op == List || e.Op == List0
			s.words[e.Text] = s.words[e.Text] || literal && !r.token && startsWord(e.Text)
			return true
		})
	}
	var own []*goType
	for _, r := range rules {
		if !used[r.Name] {
			continue
		}
		t := &goType{
			Name: s.taken.unique(camel(r.Name)),
			Doc:  r.Name + " = " + r.Body.String(),
			Kind: s.kindOf(r.Body),
		}
		if r.token {
			t.Kind = lexemeKind
		}
		own, s.byRule[r.Name] = append(own, t), t
	}
	for _, r := range rules {
		if t := s.byRule[r.Name]; t != nil {
			s.rule = r
			s.fill(t, r.Body)
		}
	}
	s.order(own)
	return s
}

// order lists types, each before the types of its parts, and sets the odds of operators: an
// expression, which goes through all, has some three operands.
func (s *shape) order(types []*goType) {
	odds := fmt.Sprintf("odds=%.2g", min(0.25, 1/float64(max(1, s.operators))))
	for _, t := range types {
		for i := range t.Fields {
			t.Fields[i].Typ = strings.Replace(t.Fields[i].Typ, operatorOdds, odds, 1)
		}
		s.types = append(s.types, t)
		s.order(t.own)
	}
}

// kindOf returns the kind of the type of an expression. One with characters out of a set, and with
// tokens only, is a lexeme.
func (s *shape) kindOf(e *Expr) goKind {
	if s.g.lexed {
		return kindOfTokens(e)
	}
	sets, rules := false, false
	e.walk(func(e *Expr) bool {
		sets = sets || e.Op == Set || e.Op == Not
		rules = rules || e.Op == Ref && !s.g.rules[e.Text].token
		return true
	})
	switch {
	case sets && !rules || e.Op == Word:
		return lexemeKind
	case e.Op == Alt:
		return interfaceKind
	}
	return structKind
}

// kindOfTokens is kindOf if there is a lexer. What is one of several tokens is a lexeme.
func kindOfTokens(e *Expr) goKind {
	switch e.Op {
	case Word, Not:
		return lexemeKind
	case Alt:
		return interfaceKind
	}
	return structKind
}

// made returns a new type for part of another.
func (s *shape) made(owner *goType, e *Expr, is ...string) *goType {
	name := owner.Name + camel(cmp.Or(e.Label, s.hint(owner, e)))
	if e.Label != "" && e.Op == Seq { // an alternative has the label
		name = camel(e.Label)
	}
	t := &goType{Name: s.taken.unique(name), Doc: e.String(), Kind: s.kindOf(e), Is: is}
	owner.own = append(owner.own, t)
	s.fill(t, e)
	return t
}

// fill fills in what e, the text of t, says.
func (s *shape) fill(t *goType, e *Expr) {
	switch t.Kind {
	case structKind:
		s.parts(t, e)
	case lexemeKind:
		s.lexeme(t, e)
	case interfaceKind:
		for _, kid := range s.ending(e.Kids) {
			if c := s.caseOf(t, kid); !slices.Contains(t.Cases, c) {
				t.Cases = append(t.Cases, c)
			}
		}
	}
}

// lexeme fills in a type of texts that match a pattern, except for those that are words.
func (s *shape) lexeme(t *goType, e *Expr) {
	if s.g.lexed {
		s.tokens(t, e)
		return
	}
	t.Expr = s.g.pattern(e, loose)
	whole := regexp.MustCompile(`\A(?:` + t.Expr + `)\z`)
	for w := range s.words {
		if s.words[w] && s.rule.token && whole.MatchString(w) {
			t.Except = append(t.Except, w)
		}
	}
	slices.Sort(t.Except)
}

// tokens fills in a type of tokens of a lexer.
func (s *shape) tokens(t *goType, e *Expr) {
	t.Tokens = "TokensOf"
	switch {
	case s.rule.Lexical:
		t.Kinds = []string{s.rule.Name}
	case e.Op == Not:
		t.Tokens, t.Kinds = "TokensExcept", e.names
	default:
		for _, word := range e.Kids {
			t.Kinds = append(t.Kinds, s.g.texts[word.Text]...)
		}
	}
}

// caseOf returns the type of an alternative of t: the type of its rule, or one that is made.
func (s *shape) caseOf(t *goType, kid *Expr) *goType {
	isRef := kid.Op == Ref && kid.Label == ""
	if isRef && s.byRule[kid.Text].Kind != interfaceKind {
		c := s.byRule[kid.Text]
		if !slices.Contains(t.Cases, c) {
			c.Is = append(c.Is, t.Name)
		}
		return c
	}
	if isRef || kid.Op == Alt {
		kid = &Expr{Op: Seq, Kids: []*Expr{kid}}
	}
	return s.made(t, kid, t.Name)
}

// ending returns alternatives with one more for each that recurses only in a part at its end that
// may be absent: without that part. A value that has become large takes alternatives that do not
// recurse.
func (s *shape) ending(alts []*Expr) (all []*Expr) {
	for _, e := range alts {
		n := len(e.Kids) - 1
		if e.Op == Seq && e.Label == "" && e.Kids[n].Op == Opt && s.recursive(e.Kids[n]) &&
			!slices.ContainsFunc(e.Kids[:n], s.recursive) {
			all = append(all, s.g.simplify(&Expr{Op: Seq, Kids: e.Kids[:n]}))
			e = s.g.simplify(&Expr{Op: Seq, Kids: slices.Concat(e.Kids[:n], e.Kids[n].Kids)})
		}
		all = append(all, e)
	}
	return all
}

// recursive reports whether an expression leads back to the rule whose types are made.
func (s *shape) recursive(e *Expr) bool { return s.g.leadsBack(e, s.rule) }

// parts adds the fields of a struct, and the statements that describe its text.
func (s *shape) parts(t *goType, e *Expr) {
	seq := []*Expr{e}
	if e.Op == Seq {
		seq = e.Kids
	}
	for i, kid := range seq {
		switch {
		case kid.Op == Lit:
			t.say("c.Token(%q)", kid.Text)
		case kid.Op == Seq:
			s.parts(t, kid)
		case s.kindOf(kid) != structKind || kid.Op == Ref:
			p := s.part(t, kid)
			at := p.at("&p." + t.field(kid, p.Name, p.Name))
			if i > 0 && i == len(seq)-1 && s.operand(t, kid) {
				at = strings.Replace(at, "syntax.At", "syntax.Last", 1)
			}
			t.say("%s", at)
		case kid.Op == Opt:
			s.optional(t, kid, s.tag(seq, i))
		default:
			s.repeated(t, kid, s.tag(seq, i))
		}
	}
}

// optional adds the field of an optional part: a bool for a literal, or else a pointer.
func (s *shape) optional(t *goType, e *Expr, tag string) {
	inner := (&Expr{Kids: e.Kids}).single()
	if inner.Op == Lit {
		f := t.field(inner, camel(s.hint(t, inner)), "bool")
		t.say("syntax.Flag(c, &p.%s, %q)", f, inner.Text)
		return
	}
	elem, rule := s.element(t, inner, true)
	name := elem.Name
	if inner.Op == Seq && startsWord(inner.Kids[0].Text) && inner.Kids[0].Op == Lit {
		name = camel(inner.Kids[0].Text)
	}
	t.say("syntax.Opt(c, &p.%s, %s)", t.field(inner, name, "*"+elem.Name+tag), rule)
}

// repeated adds the field of a repeated part: a slice.
func (s *shape) repeated(t *goType, e *Expr, tag string) {
	inner := (&Expr{Kids: e.Kids}).single()
	least := 0
	if e.Op == Rep1 || e.Op == List {
		least = 1
	}
	elem, rule := s.element(t, inner, false)
	f := t.field(inner, strings.TrimPrefix(elem.Name, t.Name)+"s", "[]"+elem.Name+tag)
	t.say("syntax.List(c, &p.%s, %d, %q, %s)", f, least, e.Text, rule)
}

// operand reports whether e, at the end of an alternative, is the alternatives themselves, and some
// of them begin with it.
func (s *shape) operand(t *goType, e *Expr) bool {
	rule := s.byRule[s.rule.Name]
	return e.Op == Ref && s.byRule[e.Text] == rule && slices.Contains(t.Is, rule.Name) &&
		slices.ContainsFunc(s.rule.Body.Kids, func(alt *Expr) bool {
			return alt.Op == Seq && alt.Kids[0].Op == Ref && alt.Kids[0].Text == e.Text
		})
}

// tag returns the struct tag of what is optional or repeated in a sequence. What may follow on an
// operand and leads to further ones is an operator: Sum = Product { "+" Product }. Expressions go
// through a rule for each precedence, so most of these must have no operator.
func (s *shape) tag(seq []*Expr, i int) string {
	var rules []string
	e := seq[i]
	if e.Op == Rep1 || e.Op == List {
		rules = append(rules, "len=1..")
	}
	isPart := func(e *Expr) bool { return e.Op >= Opt && e.Op <= List0 }
	if seq[0].Op != Lit && (i > 0 || e.Op == List) && s.recursive(e) &&
		!slices.ContainsFunc(seq[i:], func(e *Expr) bool { return !isPart(e) }) {
		s.operators++
		rules = append(rules, operatorOdds)
	} else if e.Op != Opt && e.Kids[0].walk(func(e *Expr) bool { return e.Op == Lit || e.Op == Seq }) {
		rules = append(rules, "odds=0.25") // nothing but tokens, such as signs
	}
	if len(rules) == 0 {
		return ""
	}
	return " `bigen:\"" + strings.Join(rules, ",") + "\"`"
}

// part returns the type of a reference, or a new one.
func (s *shape) part(owner *goType, e *Expr) *goType {
	if e.Op == Ref {
		return s.byRule[e.Text]
	}
	return s.made(owner, e)
}

// element returns the type of what is optional or repeated, and its rule in Go: the rule of its
// only part that is not a literal. If concrete is set, it is not an interface.
func (s *shape) element(owner *goType, e *Expr, concrete bool) (*goType, string) {
	kids := []*Expr{e}
	if e.Op == Seq {
		kids = e.Kids
	}
	only := s.onlyPart(kids, concrete)
	if only < 0 {
		t := s.made(owner, &Expr{Op: Seq, Kids: kids})
		return t, t.Rule()
	}
	t := s.part(owner, kids[only])
	if len(kids) == 1 {
		return t, t.Rule()
	}
	code := fmt.Sprintf("func(c *syntax.C, p *%s) {\n", t.Name)
	for i, kid := range kids {
		if i == only {
			code += t.at("p") + "\n"
		} else {
			code += fmt.Sprintf("c.Token(%q)\n", kid.Text)
		}
	}
	return t, code + "}"
}

// onlyPart returns the only part that is not a literal, if it has a type of its own, or -1.
func (s *shape) onlyPart(kids []*Expr, concrete bool) (only int) {
	only = -1
	for i, kid := range kids {
		if kid.Op == Lit {
			continue
		}
		kind := s.kindOf(kid)
		if kid.Op == Ref {
			kind = s.byRule[kid.Text].Kind
		}
		hasType := kid.Op == Ref || kind != structKind
		if only >= 0 || !hasType || concrete && kind == interfaceKind {
			return -1
		}
		only = i
	}
	return only
}
