// Package grammar reads grammars, in EBNF and of ANTLR 4, and writes a Go file for each: types of
// syntax trees, their generator, and their texts.
//
// Both notations become one small form, a [Grammar]. Each rule with other rules in it becomes a Go
// type: a sequence a struct, alternatives an interface. Each lexical rule that is a regular
// expression becomes a string type. The generator is bigen.For of the root: it weighs whatever
// types the user makes of these, so that values stay finite. One function for each type describes
// its text, for printing and for parsing, by package bigen/syntax. A parser that interprets such
// functions is in that package, once, and takes any grammar. So the file has little more than the
// grammar itself, and all of it can be edited.
package grammar

import (
	"cmp"
	"errors"
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"
)

// A Grammar is rules in the order of their file.
type Grammar struct {
	Rules []*Rule
	Left  []string // what the notation has and texts do not show

	rules   map[string]*Rule
	lexer   bool     // the notation tells what may be between tokens
	between []string // that, as regular expressions
}

// A Rule defines a name.
type Rule struct {
	Name    string
	Pos     string
	Lexical bool // nothing is between its parts
	Hidden  bool // its texts may be between tokens
	Body    *Expr

	token bool // lexical, and regular
	ends  bool // it has a finite text
	size  int  // of a token; see Grammar.size
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
	Word     // one out of several literals
)

// leave notes that something is left out.
func (g *Grammar) leave(what string) {
	if !slices.Contains(g.Left, what) {
		g.Left = append(g.Left, what)
	}
}

// Resolve checks the rules that the rule start leads to, the first that is not lexical if it is
// empty, and brings them into the form that types are made of. It returns the rules, the root
// first.
func (g *Grammar) Resolve(start string) ([]*Rule, error) {
	root, hidden, errs := g.roots(start)
	switch {
	case len(g.Rules) == 0:
		return nil, errors.New("the grammar has no rules")
	case root == nil && start != "":
		return nil, fmt.Errorf("there is no rule %s to start with", start)
	case root == nil:
		root = g.Rules[0]
	}
	reached, checked := g.reach(root), g.reach(append([]*Rule{root}, hidden...)...)
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
	errs = g.classify(checked)
	for _, r := range hidden {
		if r.token {
			g.between = append(g.between, g.regexp(r.Body))
		} else {
			g.leave(r.Name)
		}
	}
	for _, r := range reached {
		if !r.token {
			r.Body = g.simplify(r.Body)
		}
	}
	return reached, errors.Join(errs...)
}

// roots finds rules by their names, the rule to start with, if there is one, and the rules of what
// is between tokens. The errors are of rules that are defined twice.
func (g *Grammar) roots(start string) (root *Rule, hidden []*Rule, errs []error) {
	g.rules = map[string]*Rule{}
	for _, r := range g.Rules {
		if old := g.rules[r.Name]; old != nil {
			errs = append(errs,
				fmt.Errorf("%s: the rule %s is defined already, at %s", r.Pos, r.Name, old.Pos))
		}
		if g.rules[r.Name] = r; r.Hidden {
			hidden = append(hidden, r)
		}
		if root == nil && (r.Name == start || start == "" && !r.Lexical) {
			root = r
		}
	}
	return root, hidden, errs
}

// classify finds out which rules are tokens, and which end. The errors say which rules cannot be
// used.
func (g *Grammar) classify(rules []*Rule) (errs []error) {
	for _, r := range rules {
		r.token = r.Lexical && !slices.ContainsFunc(g.reach(r), func(r *Rule) bool {
			return !r.Lexical || g.leads(r.Body, r)
		})
	}
	for range rules {
		for _, r := range rules {
			r.ends = g.ends(r.Body)
		}
	}
	for _, r := range rules {
		switch {
		case !r.ends:
			errs = append(errs,
				fmt.Errorf("%s: the rule %s never ends: give it an alternative that needs no "+
					"other %s", r.Pos, r.Name, r.Name))
		case !r.token:
		case g.size(r.Body) > maxSize: // then the rules that use it are too large, too
			return append(errs,
				fmt.Errorf("%s: the rule %s is too large, with the rules in it written out", r.Pos, r.Name))
		default:
			if _, err := syntax.Parse(g.regexp(r.Body), syntax.Perl); err != nil {
				errs = append(errs,
					fmt.Errorf("%s: the rule %s is not a regular expression of Go: %w", r.Pos, r.Name, err))
			}
		}
	}
	return errs
}

// maxSize bounds the parts of a token.
const maxSize = 10_000

// size returns how many parts a token has, with the rules in it written out.
func (g *Grammar) size(e *Expr) (n int) {
	e.walk(func(e *Expr) bool {
		if n++; e.Op == Ref {
			r := g.rules[e.Text]
			if r.size == 0 {
				r.size = g.size(r.Body)
			}
			n = min(n+r.size, maxSize+1)
		}
		return true
	})
	return n
}

// Space returns a regular expression of what may be between tokens; empty for nothing.
func (g *Grammar) Space() string {
	if !g.lexer {
		return `\s+`
	}
	return strings.Join(g.between, "|")
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

// leads reports whether an expression has a reference to a rule, or to one that leads there.
func (g *Grammar) leads(e *Expr, to *Rule) bool {
	return slices.Contains(g.reach(&Rule{Body: e})[1:], to)
}

// refs yields the references to rules.
func (e *Expr) refs(yield func(*Expr) bool) {
	e.walk(func(e *Expr) bool { return e.Op != Ref || yield(e) })
}

// walk calls f for e and what it consists of, until f returns false.
func (e *Expr) walk(f func(*Expr) bool) bool {
	return f(e) && !slices.ContainsFunc(e.Kids, func(kid *Expr) bool { return !kid.walk(f) })
}

// ends reports whether e has a text of rules that are known to end.
func (g *Grammar) ends(e *Expr) bool {
	switch e.Op {
	case Ref:
		return g.rules[e.Text].ends
	case Alt:
		return slices.ContainsFunc(e.Kids, g.ends)
	case Seq, Rep1:
		return !slices.ContainsFunc(e.Kids, func(kid *Expr) bool { return !g.ends(kid) })
	}
	return true
}

// simplify brings an expression of a rule that is not a token into the form that types are made of.
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
		} else if e.Op != Seq || !kid.empty() {
			s.Kids = append(s.Kids, kid)
		}
	}
	switch e.Op {
	case Ref:
		if r := g.rules[e.Text]; r.token && r.Body.Op == Lit {
			return &Expr{Op: Lit, Text: r.Body.Text, Pos: e.Pos}
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
