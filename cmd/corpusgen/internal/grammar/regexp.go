package grammar

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
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
		return g.written(g.rules[e.Text], around)
	case Set:
		return class(e.Text)
	case Not:
		return g.not(e)
	case End:
		return `\z`
	case Opt:
		re = g.pattern(e.Kids[0], tight) + "?" + e.lazy()
	case Rep:
		re = g.pattern(e.Kids[0], tight) + "*" + e.lazy()
	case Rep1:
		re = g.pattern(e.Kids[0], tight) + "+" + e.lazy()
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
		if re = e.literal(); len([]rune(e.Text)) == 1 {
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

// inOrder returns the pattern of a sequence.
func (g *Grammar) inOrder(kids []*Expr) string {
	gap := " "
	if g != nil {
		kids, gap = surrogates(kids), ""
	}
	var parts []string
	for _, kid := range kids {
		parts = append(parts, g.pattern(kid, row))
	}
	return strings.Join(parts, gap)
}

// maxNested is how deep a lexical rule may be nested in itself: what nests is not regular.
const maxNested = 3

// written returns the pattern of a rule where another one names it.
func (g *Grammar) written(r *Rule, around int) string {
	if g.nested[r] == maxNested {
		return class("")
	}
	g.nested[r]++
	defer func() { g.nested[r]-- }()
	return g.pattern(r.Body, around)
}

// lazy returns the mark of a lazy repetition.
func (e *Expr) lazy() string {
	if e.Lazy {
		return "?"
	}
	return ""
}

// literal returns the pattern of a literal.
func (e *Expr) literal() string {
	if !e.Fold {
		return regexp.QuoteMeta(e.Text)
	}
	var b strings.Builder
	for _, r := range e.Text {
		b.WriteString(class(itemsOf(bothCases([]rune{r, r}))))
	}
	return b.String()
}

// joined returns the alternatives of e, in which single characters are one set.
func (g *Grammar) joined(e *Expr) (all []*Expr) {
	var chars *Expr
	for _, kid := range e.Kids {
		items, ok := g.items(kid)
		if !ok {
			all = append(all, kid)
			continue
		}
		if chars == nil {
			chars = &Expr{Op: Set}
			all = append(all, chars)
		}
		chars.Text += items
	}
	return all
}

// items returns the items of a class, if an expression stands for one character out of some.
func (g *Grammar) items(e *Expr) (items string, ok bool) {
	switch {
	case e.Op == Set:
		return e.Text, len(e.units) == 0 || e.Text != ""
	case e.Op == Lit && len(e.units) == 1 && e.units[0] != unicode.ReplacementChar:
		if e.Fold {
			return itemsOf(bothCases([]rune{e.units[0], e.units[0]})), true
		}
		return item(e.units[0]), true
	case e.Op == Ref && g.nested[g.rules[e.Text]] < maxNested:
		r := g.rules[e.Text]
		g.nested[r]++
		defer func() { g.nested[r]-- }()
		return g.items(r.Body)
	case e.Op == Alt:
		for _, kid := range e.Kids {
			more, ok := g.items(kid)
			if !ok {
				return "", false
			}
			items += more
		}
		return items, true
	case e.Op == Seq && len(e.Kids) == 1:
		return g.items(e.Kids[0])
	}
	return "", false
}

// not returns the pattern of any character, or any but those of a class.
func (g *Grammar) not(e *Expr) string {
	if len(e.Kids) == 0 {
		if g == nil {
			return "."
		}
		return "(?s:.)"
	}
	if g == nil {
		return "~" + g.pattern(e.Kids[0], tight)
	}
	if items, _ := g.items(e.Kids[0]); items != "" {
		return "[^" + items + "]"
	}
	return "(?s:.)"
}

// class returns the items of a class as a pattern. Without any, nothing matches.
func class(items string) string {
	switch {
	case items == "":
		return `[^\x00-\x{10FFFF}]`
	case len([]rune(items)) == 1:
		return regexp.QuoteMeta(items)
	case len([]rune(items)) == 2 && items[0] == '\\':
		return items
	}
	return "[" + items + "]"
}

// item returns a character as it stands in a class of a regular expression.
func item(r rune) string {
	switch {
	case slices.Contains([]rune(`^-[]\`), r):
		return `\` + string(r)
	case slices.Contains([]rune("\t\n\r"), r):
		return strings.Trim(strconv.QuoteRune(r), "'")
	case unicode.IsPrint(r) && r <= unicode.MaxLatin1 || unicode.IsLetter(r):
		return string(r)
	}
	return fmt.Sprintf(`\x{%x}`, r)
}
