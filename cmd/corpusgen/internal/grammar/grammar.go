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
)

// A Grammar is rules in the order of their file.
type Grammar struct {
	Rules []*Rule
	Left  []string // what the notation has and texts do not show
	Notes []string // the same, each with its place

	rules    map[string]*Rule
	lexed    bool                // a lexer makes the tokens
	declared []string            // tokens that no lexical rule must have
	kinds    []kind              // of tokens
	texts    map[string][]string // the names of kinds with a text
	tokens   map[string]string   // the texts of kinds, by their names
	nested   map[*Rule]int       // how often a rule is being written out
}

// A Rule defines a name.
type Rule struct {
	Name     string
	Pos      string
	Lexical  bool   // nothing is between its parts
	Fragment bool   // it is part of other lexical rules only
	Mode     string // of the lexer
	Body     *Expr

	token     bool // lexical, and regular
	ends      bool // it has a finite text
	size      int  // of a token; see Grammar.size
	component int  // see Grammar.components
	recursive bool // it leads back to itself
}

// An Expr is part of a rule.
type Expr struct {
	Op    Op
	Text  string  // of a literal; name of a rule; items of a class, as in a regular expression
	Label string  // that the notation gives it
	Lazy  bool    // a repetition that ends as soon as it can
	Fold  bool    // the letters of a literal stand for both cases
	Kids  []*Expr // of a sequence or an alternation; of Not, what is excluded; of others, one
	Pos   string

	units    []rune // of a literal, characters; of a set, ranges; in ANTLR, these may be surrogates
	commands []command
	names    []string // of Not, in a rule of a parser: tokens
}

// An Op says what an Expr is.
type Op int

const (
	Lit   Op = iota
	Ref      // to a rule
	Set      // one character out of some
	Not      // any other one, or any other token
	End      // of the text
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
	root, errs := g.index(start)
	switch {
	case len(g.Rules) == 0:
		return nil, errors.New("the grammar has no rules")
	case root == nil && start != "":
		return nil, fmt.Errorf("there is no rule %s to start with", start)
	case root == nil:
		root = g.Rules[0]
	}
	reached := g.reach(root)
	checked := reached
	if g.lexed {
		checked = g.reach(append([]*Rule{root}, g.Rules...)...)
	}
	for _, r := range checked {
		for ref := range r.Body.refs {
			if g.rules[ref.Text] == nil && !(g.lexed && !r.Lexical && isToken(ref.Text)) {
				errs = append(errs, fmt.Errorf("%s: the rule %s is not defined", ref.Pos, ref.Text))
			}
		}
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	g.components(checked)
	if g.lexed {
		errs = g.makeKinds()
	}
	if errs = append(errs, g.classify(reached)...); len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	if g.lexed {
		g.pruneAll(reached)
		reached = g.reach(root)
	}
	for _, r := range reached {
		if !r.token {
			r.Body = g.simplify(r.Body)
		}
	}
	return reached, nil
}

// isToken reports whether a name in a grammar of ANTLR is one of a token.
func isToken(name string) bool { return name[0] >= 'A' && name[0] <= 'Z' }

// index finds rules by their names, and the rule to start with, if there is one. The errors are of
// rules that are defined twice.
func (g *Grammar) index(start string) (root *Rule, errs []error) {
	g.rules, g.nested = map[string]*Rule{}, map[*Rule]int{}
	for _, r := range g.Rules {
		if old := g.rules[r.Name]; old != nil {
			errs = append(errs,
				fmt.Errorf("%s: the rule %s is defined already, at %s", r.Pos, r.Name, old.Pos))
		}
		g.rules[r.Name] = r
		if root == nil && (r.Name == start || start == "" && !r.Lexical) {
			root = r
		}
	}
	g.indexTypes()
	return root, errs
}

// indexTypes adds rules for names of tokens that only commands of other rules give.
func (g *Grammar) indexTypes() {
	for _, r := range g.Rules {
		r.Body.walk(func(e *Expr) bool {
			for _, c := range e.commands {
				if c.name != "type" || c.arg == r.Name {
					continue
				}
				made := g.rules[c.arg]
				if made == nil {
					made = &Rule{Name: c.arg, Pos: e.Pos, Lexical: true, Body: &Expr{Op: Alt, Pos: e.Pos}}
					g.rules[c.arg] = made
				}
				if !slices.Contains(g.Rules, made) {
					made.Body.Kids = append(made.Body.Kids, &Expr{Op: Ref, Text: r.Name, Pos: e.Pos})
				}
			}
			return true
		})
	}
}

// classify finds out which rules are tokens, and which end. The errors say which rules cannot be
// used.
func (g *Grammar) classify(rules []*Rule) (errs []error) {
	inOrder := slices.Clone(rules) // of references
	slices.SortStableFunc(inOrder, func(a, b *Rule) int { return cmp.Compare(a.component, b.component) })
	for _, r := range inOrder {
		r.token = r.Lexical && (g.lexed || !r.recursive)
		for ref := range r.Body.refs {
			r.token = r.token && (g.lexed || g.rules[ref.Text] == r || g.rules[ref.Text].token)
		}
	}
	for changed := true; changed; {
		changed = false
		for _, r := range inOrder {
			ends := !r.ends && g.ends(r.Body)
			r.ends, changed = r.ends || ends, changed || ends
		}
	}
	for _, r := range rules {
		switch {
		case g.lexed && (r.Lexical || r.ends || r != rules[0]):
		case g.lexed:
			errs = append(errs,
				fmt.Errorf("%s: the rule %s has no text: each alternative needs a token that no lexical "+
					"rule makes, or another %s", r.Pos, r.Name, r.Name))
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

// reach returns rules and those that they lead to.
func (g *Grammar) reach(from ...*Rule) (all []*Rule) {
	seen := map[*Rule]bool{}
	add := func(r *Rule) {
		if r != nil && !seen[r] {
			seen[r] = true
			all = append(all, r)
		}
	}
	for _, r := range from {
		add(r)
	}
	for i := 0; i < len(all); i++ {
		for ref := range all[i].Body.refs {
			add(g.rules[ref.Text])
		}
	}
	return all
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
		if g.lexed && isToken(e.Text) {
			_, ok := g.tokens[e.Text]
			return ok
		}
		return g.rules[e.Text].ends
	case Not:
		return !g.lexed || e.Kids == nil && len(g.tokens) > 0 || len(g.tokens) > len(g.excluded(e.Kids))
	case Alt:
		return slices.ContainsFunc(e.Kids, g.ends)
	case Seq, Rep1:
		return !slices.ContainsFunc(e.Kids, func(kid *Expr) bool { return !g.ends(kid) })
	}
	return true
}
