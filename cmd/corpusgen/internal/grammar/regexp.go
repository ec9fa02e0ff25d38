package grammar

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// regexp returns the regular expression of a token.
func (g *Grammar) regexp(e *Expr) string { return g.pattern(e, 0) }

// How tight regular expressions bind.
const (
	loose = iota // alternatives
	row          // a sequence
	tight        // what is repeated
)

// pattern returns the regular expression of e, in parentheses if it binds less than around.
func (g *Grammar) pattern(e *Expr, around int) string {
	group := func(binds int, re string) string {
		if binds < around {
			return "(?:" + re + ")"
		}
		return re
	}
	switch e.Op {
	case Ref:
		return g.pattern(g.rules[e.Text].Body, around)
	case Set, Not:
		return e.class()
	case Opt:
		return group(row, g.pattern(e.Kids[0], tight)+"?")
	case Rep:
		return group(row, g.pattern(e.Kids[0], tight)+"*")
	case Rep1:
		return group(row, g.pattern(e.Kids[0], tight)+"+")
	case Alt, Word:
		chars, others, first := g.split(e)
		var parts []string
		for _, kid := range others {
			parts = append(parts, g.pattern(kid, row))
		}
		if len(parts) == 0 {
			return chars.class()
		}
		if chars.Text != "" {
			parts = slices.Insert(parts, first, chars.class())
		}
		return group(loose, strings.Join(parts, "|"))
	case Seq:
		var b strings.Builder
		for i, kid := range e.Kids {
			if i+1 < len(e.Kids) && kid.Op == Rep && kid.Lazy && e.Kids[i+1].Op == Lit {
				b.WriteString(until(e.Kids[i+1].Text))
			} else {
				b.WriteString(g.pattern(kid, row))
			}
		}
		return group(row, b.String())
	}
	if len([]rune(e.Text)) == 1 {
		return regexp.QuoteMeta(e.Text)
	}
	return group(row, regexp.QuoteMeta(e.Text))
}

// split returns the alternatives of e that are single characters as one set, the others, and
// how many of these come first.
func (g *Grammar) split(e *Expr) (chars *Expr, others []*Expr, first int) {
	chars = &Expr{Op: Set}
	for _, kid := range e.Kids {
		for kid.Op == Ref {
			kid = g.rules[kid.Text].Body
		}
		text := ""
		switch {
		case kid.Op == Set:
			text = kid.Text
		case kid.Op == Lit && len([]rune(kid.Text)) == 1:
			text = item([]rune(kid.Text)[0])
		case kid.Op == Alt:
			if inner, rest, _ := g.split(kid); len(rest) == 0 {
				text = inner.Text
			}
		}
		if text == "" {
			others = append(others, kid)
			continue
		}
		if chars.Text == "" {
			first = len(others)
		}
		chars.Text += text
	}
	return chars, others, first
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

// until returns a regular expression of texts that do not contain end, such as the inside of a comment.
func until(end string) string {
	runes := []rune(end)
	a := item(runes[0])
	if len(runes) == 2 && runes[0] != runes[1] {
		return fmt.Sprintf("(?:[^%s]|[%s]+[^%s%s])*[%s]*?", a, a, a, item(runes[1]), a)
	}
	return "[^" + a + "]*"
}
