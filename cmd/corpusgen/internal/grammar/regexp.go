package grammar

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// How tight the parts of a regular expression bind.
const (
	loose = iota // alternatives
	row          // a sequence
	tight        // what is repeated
)

// regexp returns the regular expression of a token, in parentheses if it is not a single one of
// alternatives.
func (g *Grammar) regexp(e *Expr) string { return g.pattern(e, row) }

// String returns e in the notation of the comments in files: the one of regular expressions, with
// spaces, and with literals and names of rules.
func (e *Expr) String() string { return (*Grammar)(nil).pattern(e, loose) }

// pattern returns the regular expression of e, in parentheses if it binds less than around. Without
// a grammar, it is the notation of comments.
func (g *Grammar) pattern(e *Expr, around int) string {
	binds, re := row, ""
	switch e.Op {
	case Ref:
		if g == nil {
			return e.Text
		}
		return g.pattern(g.rules[e.Text].Body, around)
	case Set, Not:
		return e.class()
	case Opt:
		re = g.pattern(e.Kids[0], tight) + "?"
	case Rep:
		re = g.pattern(e.Kids[0], tight) + "*"
	case Rep1:
		re = g.pattern(e.Kids[0], tight) + "+"
	case List, List0:
		elem := g.pattern(e.Kids[0], row)
		re = fmt.Sprintf("%s (%q %s)*", elem, e.Text, elem)
		if e.Op == List0 {
			return "(" + re + ")?"
		}
	case Alt, Word:
		kids := g.alternatives(e)
		if len(kids) == 1 {
			return g.pattern(kids[0], around)
		}
		binds, re = loose, g.either(kids)
	case Seq:
		re = g.inOrder(e.Kids)
	default:
		if g == nil {
			return fmt.Sprintf("%q", e.Text)
		}
		re = regexp.QuoteMeta(e.Text)
		if len([]rune(e.Text)) == 1 {
			return re
		}
	}
	if binds >= around {
		return re
	}
	if g == nil {
		return "(" + re + ")"
	}
	return "(?:" + re + ")"
}

// alternatives returns the alternatives of e that a pattern lists.
func (g *Grammar) alternatives(e *Expr) []*Expr {
	if g == nil {
		return e.Kids
	}
	return g.joined(e)
}

// either returns the pattern of one of the alternatives.
func (g *Grammar) either(kids []*Expr) string {
	or := "|"
	if g == nil {
		or = " | "
	}
	var parts []string
	for _, kid := range kids {
		parts = append(parts, g.pattern(kid, row))
	}
	return strings.Join(parts, or)
}

// inOrder returns the pattern of a sequence. A lazy repetition ends at the first of the literal
// after it.
func (g *Grammar) inOrder(kids []*Expr) string {
	gap := ""
	if g == nil {
		gap = " "
	}
	var parts []string
	for i, kid := range kids {
		if g != nil && i+1 < len(kids) && kid.Op == Rep && kid.Lazy && kids[i+1].Op == Lit {
			parts = append(parts, until(kids[i+1].Text))
		} else {
			parts = append(parts, g.pattern(kid, row))
		}
	}
	return strings.Join(parts, gap)
}

// joined returns the alternatives of e, in which single characters are one set.
func (g *Grammar) joined(e *Expr) (all []*Expr) {
	chars := &Expr{Op: Set}
	for _, kid := range e.Kids {
		for kid.Op == Ref {
			kid = g.rules[kid.Text].Body
		}
		if kid.Op == Alt {
			if inner := g.joined(kid); len(inner) == 1 {
				kid = inner[0]
			}
		}
		text := kid.Text
		if kid.Op == Lit && len([]rune(text)) == 1 {
			text = item([]rune(text)[0])
		} else if kid.Op != Set {
			all = append(all, kid)
			continue
		}
		if chars.Text == "" {
			all = append(all, chars)
		}
		chars.Text += text
	}
	return all
}

// class returns a set of characters as a class of a regular expression.
func (e *Expr) class() string {
	switch {
	case e.Op == Set && len([]rune(e.Text)) == 1:
		return regexp.QuoteMeta(e.Text)
	case e.Op == Set:
		return "[" + e.Text + "]"
	case e.Text == "":
		return "(?s:.)"
	}
	return "[^" + e.Text + "]"
}

// item returns a character as it stands in a class of a regular expression.
func item(r rune) string {
	switch {
	case slices.Contains([]rune(`^-[]\`), r):
		return `\` + string(r)
	case unicode.IsGraphic(r) && r <= unicode.MaxLatin1 || unicode.IsLetter(r):
		return string(r)
	}
	return fmt.Sprintf(`\x{%x}`, r)
}

// until returns a regular expression of texts that do not contain end, such as the inside of a
// comment.
func until(end string) string {
	runes := []rune(end)
	a := item(runes[0])
	if len(runes) == 2 && runes[0] != runes[1] {
		return fmt.Sprintf("(?:[^%s]|[%s]+[^%s%s])*[%s]*?", a, a, a, item(runes[1]), a)
	}
	return "[^" + a + "]*"
}
