// Package grammar reads grammars, in EBNF and of ANTLR 4, and writes a Go file for each: types of
// syntax trees, their generator, and their texts.
//
// Both notations become one small form, a [Grammar]. Each rule with other rules in it becomes a Go
// type: a sequence a struct, alternatives an interface. Each lexical rule that is a regular
// expression becomes a string type. The generator is bigen.For of the root: it weighs whatever types
// the user makes of these, so that values stay finite. One function for each type describes its text,
// for printing and for parsing, by package bigen/syntax. A parser that interprets such functions is
// in that package, once, and takes any grammar. So the file has little more than the grammar itself,
// and all of it can be edited.
package grammar

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"
)

// A Grammar is rules in the order of their file.
type Grammar struct {
	Rules   []*Rule
	Ignored map[string]int // what the notation has and texts do not show, and how often

	rules   map[string]*Rule
	hidden  []*Rule  // of what may be between tokens
	between []string // the same, as regular expressions
	lexer   bool     // the notation tells what may be between tokens
}

// A Rule defines a name.
type Rule struct {
	Name    string
	Lexical bool // nothing is between its parts
	Hidden  bool // only part of others, or of space
	Pos     string
	Body    *Expr

	token bool // lexical, and regular
	level int  // how deep its simplest text nests; 0 if it has none
}

// An Expr is part of a rule.
type Expr struct {
	Op    Op
	Text  string  // of a literal; name of a rule; items of a class, as in a regular expression
	Label string  // that the notation gives it
	Lazy  bool    // a repetition that ends as soon as it can
	Kids  []*Expr // of a sequence or an alternation; of others, one
	Pos   string
}

// An Op says what an Expr is.
type Op int

const (
	Lit   Op = iota
	Ref      // to a rule
	Set      // one character out of some
	Not      // any other one
	Seq      // one after the other; without kids, nothing
	Alt      // one out of several
	Opt      // at most once
	Rep      // any number of times
	Rep1     // once or more
	List     // once or more, with the literal Text in between
	List0    // the same, or nothing
	Word     // of several literals; made by simplify
)

// ignore notes that a notation has something that no text shows.
func (g *Grammar) ignore(what string) {
	if g.Ignored == nil {
		g.Ignored = map[string]int{}
	}
	g.Ignored[what]++
}

// Resolve checks the rules that the rule start leads to, the first that is not lexical if it is empty, and brings them into
// the form that types are made of. It returns the rules, the root first.
func (g *Grammar) Resolve(start string) ([]*Rule, error) {
	var errs []error
	g.rules = map[string]*Rule{}
	for _, r := range g.Rules {
		if old := g.rules[r.Name]; old != nil {
			errs = append(errs, fmt.Errorf("%s: the rule %s is defined already, at %s", r.Pos, r.Name, old.Pos))
		}
		g.rules[r.Name] = r
	}
	root := g.rules[start]
	switch {
	case len(g.Rules) == 0:
		return nil, errors.New("the grammar has no rules")
	case start == "":
		root = g.Rules[max(0, slices.IndexFunc(g.Rules, func(r *Rule) bool { return !r.Lexical }))]
	case root == nil:
		return nil, fmt.Errorf("there is no rule %s to start with", start)
	}
	reached := g.reach(root)
	checked := g.reach(append([]*Rule{root}, g.hidden...)...)
	for _, r := range checked {
		for ref := range r.Body.refs {
			if g.rules[ref.Text] == nil {
				errs = append(errs, fmt.Errorf("%s: the rule %s is not defined", ref.Pos, ref.Text))
			}
		}
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	g.setTokens(checked)
	g.setLevels(checked)
	for _, r := range checked {
		if r.level == 0 {
			errs = append(errs, fmt.Errorf("%s: the rule %s never ends: give it an alternative that needs no other %s", r.Pos, r.Name, r.Name))
		}
		if r.token {
			if _, err := syntax.Parse(g.regexp(r.Body), syntax.Perl); err != nil {
				errs = append(errs, fmt.Errorf("%s: the rule %s is no regular expression of Go: %w", r.Pos, r.Name, err))
			}
		}
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	for _, r := range reached {
		if !r.token {
			r.Body = g.simplify(r.Body)
		}
	}
	for _, r := range g.hidden {
		if r.token {
			g.between = append(g.between, g.pattern(r.Body, row))
		} else {
			g.ignore("hidden rules that nest")
		}
	}
	return reached, nil
}

// reach returns rules and those that they lead to.
func (g *Grammar) reach(from ...*Rule) []*Rule {
	all := slices.Clone(from)
	for i := 0; i < len(all); i++ {
		for ref := range all[i].Body.refs {
			if r := g.rules[ref.Text]; r != nil && !slices.Contains(all, r) {
				all = append(all, r)
			}
		}
	}
	return all
}

// Space returns a regular expression of what may be between tokens; empty for nothing.
func (g *Grammar) Space() string {
	if !g.lexer {
		return `\s+`
	}
	return strings.Join(g.between, "|")
}

// refs yields the references to rules.
func (e *Expr) refs(yield func(*Expr) bool) {
	e.walk(func(e *Expr) bool { return e.Op != Ref || yield(e) })
}

// walk calls f for e and what it consists of, until f returns false.
func (e *Expr) walk(f func(*Expr) bool) bool {
	if !f(e) {
		return false
	}
	for _, kid := range e.Kids {
		if !kid.walk(f) {
			return false
		}
	}
	return true
}

// setTokens finds the tokens: lexical rules, unless they lead back to themselves.
func (g *Grammar) setTokens(rules []*Rule) {
	for _, r := range rules {
		r.token = r.Lexical
	}
	for changed := true; changed; {
		changed = false
		for _, r := range rules {
			if r.token && (g.leads(r, r, map[*Rule]bool{}) || slices.ContainsFunc(slices.Collect(r.Body.refs), func(ref *Expr) bool { return !g.rules[ref.Text].token })) {
				r.token, changed = false, true
			}
		}
	}
}

// leads reports whether a rule has a reference to another, or one that leads to it.
func (g *Grammar) leads(from, to *Rule, seen map[*Rule]bool) bool {
	seen[from] = true
	for ref := range from.Body.refs {
		if r := g.rules[ref.Text]; r == to || !seen[r] && g.leads(r, to, seen) {
			return true
		}
	}
	return false
}

// setLevels computes how deep the simplest text of each rule nests.
func (g *Grammar) setLevels(rules []*Rule) {
	for level, changed := 1, true; changed; level++ {
		changed = false
		var now []*Rule
		for _, r := range rules {
			if r.level == 0 && g.ends(r.Body) {
				now = append(now, r)
			}
		}
		for _, r := range now {
			r.level, changed = level, true
		}
	}
}

// ends reports whether an expression has a text of rules that have a level.
func (g *Grammar) ends(e *Expr) bool { return g.levelOf(e) >= 0 }

// levelOf returns the highest level in the simplest text of e, or -1 if it is not known to have one.
func (g *Grammar) levelOf(e *Expr) int {
	level := 0
	switch e.Op {
	case Ref:
		if level = g.rules[e.Text].level; level == 0 {
			return -1
		}
	case Alt:
		level = -1
		for _, kid := range e.Kids {
			if l := g.levelOf(kid); l >= 0 && (level < 0 || l < level) {
				level = l
			}
		}
	case Seq, Rep1, List:
		for _, kid := range e.Kids {
			l := g.levelOf(kid)
			if l < 0 {
				return -1
			}
			level = max(level, l)
		}
	}
	return level
}

// simplify brings an expression of a rule that is no token into the form that types are made of.
//
//   - A token that is a single literal is that literal.
//   - Sequences in sequences are part of these, and so for alternatives, if nobody has named them.
//   - Alternatives that are literals are one, a Word.
//   - An empty alternative makes the others optional. What is optional twice is so once.
//   - X { "," X } is a List.
func (g *Grammar) simplify(e *Expr) *Expr {
	s := *e
	s.Kids = nil
	for _, kid := range e.Kids {
		kid = g.simplify(kid)
		if kid.Op == e.Op && kid.Label == "" && (e.Op == Seq || e.Op == Alt) {
			s.Kids = append(s.Kids, kid.Kids...)
		} else {
			s.Kids = append(s.Kids, kid)
		}
	}
	switch e.Op {
	case Ref:
		if r := g.rules[e.Text]; r.token && r.Body.Op == Lit {
			return &Expr{Op: Lit, Text: r.Body.Text, Pos: e.Pos}
		}
	case Seq:
		s.Kids = lists(slices.DeleteFunc(s.Kids, func(kid *Expr) bool { return kid.Op == Lit && kid.Text == "" }))
		if len(s.Kids) == 1 && s.Label == "" {
			return s.Kids[0]
		}
	case Alt:
		return s.simplifyAlt()
	case Opt:
		return s.Kids[0].optional()
	case Rep, Rep1:
		switch kid := s.Kids[0]; {
		case kid.Op == Opt:
			s.Op, s.Kids = Rep, kid.Kids
		case kid.Op == Rep || kid.Op == Rep1 && e.Op == Rep1:
			return kid
		case kid.Op == Rep1:
			s.Op, s.Kids = Rep, kid.Kids
		}
	}
	return &s
}

// optional returns e, or nothing.
func (e *Expr) optional() *Expr {
	op, kids := Opt, []*Expr{e}
	switch e.Op {
	case Opt, Rep, List0:
		return e
	case Rep1:
		op, kids = Rep, e.Kids
	case List:
		op, kids = List0, e.Kids
	}
	return &Expr{Op: op, Text: e.Text, Kids: kids, Pos: e.Pos}
}

func (e *Expr) simplifyAlt() *Expr {
	s := Expr{Op: Alt, Label: e.Label, Pos: e.Pos}
	var words *Expr
	empty := false
	for _, kid := range e.Kids {
		lit := kid.Label == "" && (kid.Op == Lit || kid.Op == Word)
		switch {
		case kid.Op == Seq && len(kid.Kids) == 0 || kid.Op == Lit && kid.Text == "":
			empty = true
			continue
		case kid.Op == Opt && kid.Label == "":
			empty, kid = true, kid.Kids[0]
		case lit && words != nil:
			words.Kids = append(words.Kids, kid.literals()...)
			continue
		case lit:
			words = &Expr{Op: Word, Kids: kid.literals(), Pos: kid.Pos}
			kid = words
		}
		if !slices.ContainsFunc(s.Kids, func(k *Expr) bool { return k != words && k.String() == kid.String() }) {
			s.Kids = append(s.Kids, kid)
		}
	}
	all := &s
	if words != nil && len(words.Kids) == 1 {
		*words = *words.Kids[0]
	}
	switch len(s.Kids) {
	case 0:
		return &Expr{Op: Seq, Pos: e.Pos}
	case 1:
		all = s.Kids[0]
	}
	if empty {
		return all.optional()
	}
	return all
}

func (e *Expr) literals() []*Expr {
	if e.Op == Word {
		return e.Kids
	}
	return []*Expr{e}
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

// String returns e in EBNF.
func (e *Expr) String() string { return e.text(0) }

// text returns e in EBNF, in parentheses if it binds weaker than what is around.
func (e *Expr) text(around int) string {
	var parts []string
	for _, kid := range e.Kids {
		inner := map[Op]int{Seq: 1, List: 2, List0: 2, Word: 1}[e.Op]
		parts = append(parts, kid.text(inner))
	}
	paren := func(binds int, s string) string {
		if around > binds {
			return "( " + s + " )"
		}
		return s
	}
	switch e.Op {
	case Lit:
		return fmt.Sprintf("%q", e.Text)
	case Ref:
		return e.Text
	case Set, Not:
		return e.class()
	case Seq:
		return paren(1, strings.Join(parts, " "))
	case Alt, Word:
		return paren(0, strings.Join(parts, " | "))
	case Opt:
		return "[ " + parts[0] + " ]"
	case Rep:
		return "{ " + parts[0] + " }"
	case Rep1:
		return paren(1, e.Kids[0].text(1)+" { "+parts[0]+" }")
	case List:
		return paren(1, fmt.Sprintf("%s { %q %s }", parts[0], e.Text, e.Kids[0].text(1)))
	}
	return fmt.Sprintf("[ %s { %q %s } ]", parts[0], e.Text, e.Kids[0].text(1))
}
