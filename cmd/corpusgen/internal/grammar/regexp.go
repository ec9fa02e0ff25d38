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

// regexp returns the regular expression of a token, in parentheses if it is no single one of
// alternatives.
func (g *Grammar) regexp(e *Expr) string { return g.pattern(e, row) }

// String returns e in the notation of the comments in files: the one of regular expressions, with
// spaces, and with literals and names of rules.
func (e *Expr) String() string { return (*Grammar)(nil).pattern(e, loose) }

// pattern returns the regular expression of e, in parentheses if it binds less than around. Without
// a grammar, it is the notation of comments.
func (g *Grammar) pattern(e *Expr, around int) string {
	open, gap, or := "(?:", "", "|"
	if g == nil {
		open, gap, or = "(", " ", " | "
	}
	group := func(binds int, re string) string {
		if binds < around {
			return open + re + ")"
		}
		return re
	}
	repeated := func(suffix string) string { return group(row, g.pattern(e.Kids[0], tight)+suffix) }
	var parts []string
	switch e.Op {
	case Ref:
		if g == nil {
			return e.Text
		}
		return g.pattern(g.rules[e.Text].Body, around)
	case Set, Not:
		return e.class()
	case Opt:
		return repeated("?")
	case Rep:
		return repeated("*")
	case Rep1:
		return repeated("+")
	case List, List0:
		list := fmt.Sprintf("%s (%q %s)*", g.pattern(e.Kids[0], row), e.Text, g.pattern(e.Kids[0], row))
		if e.Op == List0 {
			return "(" + list + ")?"
		}
		return group(row, list)
	case Alt, Word:
		kids := e.Kids
		if g != nil {
			kids = g.joined(e)
		}
		if len(kids) == 1 {
			return g.pattern(kids[0], around)
		}
		for _, kid := range kids {
			parts = append(parts, g.pattern(kid, row))
		}
		return group(loose, strings.Join(parts, or))
	case Seq:
		for i, kid := range e.Kids {
			if g != nil && i+1 < len(e.Kids) && kid.Op == Rep && kid.Lazy && e.Kids[i+1].Op == Lit {
				parts = append(parts, until(e.Kids[i+1].Text))
			} else {
				parts = append(parts, g.pattern(kid, row))
			}
		}
		return group(row, strings.Join(parts, gap))
	}
	switch {
	case g == nil:
		return fmt.Sprintf("%q", e.Text)
	case len([]rune(e.Text)) == 1:
		return regexp.QuoteMeta(e.Text)
	}
	return group(row, regexp.QuoteMeta(e.Text))
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
