package grammar

import (
	"slices"
	"strings"
	gotext "text/scanner"
)

// readANTLR adds the rules of a grammar of ANTLR 4. What a text does not show is left out: actions,
// predicates, modes, options and the like. All lexical rules are taken as rules of one mode. Tokens
// that are skipped, or sent to a channel, are what may be between others.
func (g *Grammar) readANTLR(file, text string) error {
	g.lexer = true
	a := &antlr{scanner: &scanner{antlr: true}, g: g}
	return a.reading(file, text, func() {
		for a.kind != atEnd {
			a.declaration()
		}
	})
}

type antlr struct {
	*scanner
	g    *Grammar
	rule *Rule
}

func (a *antlr) declaration() {
	if a.is("@") { // @header {...}, @lexer::members {...}
		a.braces("actions")
		return
	}
	r := &Rule{Pos: a.pos}
	r.Name = a.name("a rule")
	switch {
	case slices.Contains([]string{"lexer", "parser", "grammar"}, r.Name):
		a.upTo(";")
		return
	case r.Name == "import" || r.Name == "mode":
		a.g.leave(r.Name + " " + a.tok)
		a.upTo(";")
		return
	case a.is("{"): // options {...}
		a.braces(r.Name)
		return
	case r.Name == "catch" || r.Name == "finally":
		a.braces("actions")
		return
	case r.Name == "fragment":
		r.Pos, r.Name = a.pos, a.tok
		a.next()
	}
	a.rule = r
	r.Lexical = r.Name[0] >= 'A' && r.Name[0] <= 'Z'
	for !a.is(":") && a.kind != atEnd { // arguments, results, options
		if a.is("{") {
			a.braces("actions")
		} else {
			a.next()
		}
	}
	a.want(":")
	r.Body = a.alternatives()
	a.want(";")
	a.g.Rules = append(a.g.Rules, r)
}

// upTo moves after the next token of that kind.
func (a *antlr) upTo(tok string) {
	for !a.take(tok) {
		if a.kind == atEnd {
			a.want(tok)
		}
		a.next()
	}
}

// braces moves after the next code in braces.
func (a *antlr) braces(what string) {
	for !a.is("{") {
		if a.kind == atEnd {
			a.want("{")
		}
		a.next()
	}
	a.g.leave(what)
	mode, report := a.Mode, a.Error
	a.Mode |= gotext.ScanStrings | gotext.ScanChars // braces in these do not count
	a.Error = func(*gotext.Scanner, string) {}
	for depth := 1; depth > 0; {
		switch a.Scan() {
		case gotext.EOF:
			a.fail(a.pos, "the braces that open here are not closed")
		case '{':
			depth++
		case '}':
			depth--
		}
	}
	a.Mode, a.Error = mode, report
	a.next()
}

func (a *antlr) alternatives() *Expr { return a.scanner.alternatives(a.element, a.end) }

// end reads a label, or what a lexer does with the token.
func (a *antlr) end(seq *Expr) *Expr {
	if a.take("->") {
		for again := true; again; again = a.take(",") {
			name := a.name("a command")
			if name == "skip" || name == "channel" {
				a.rule.Hidden = true
			} else {
				a.g.leave(name)
			}
			if a.take("(") {
				a.upTo(")")
			}
		}
	}
	if a.take("#") {
		seq.Label = a.name("a label")
		return seq
	}
	return seq.single()
}

// element returns nil if there is none.
func (a *antlr) element() *Expr {
	for a.is("{") || a.is("<") {
		if a.is("{") {
			a.braces("actions")
			a.take("?")
		} else {
			a.upTo(">")
		}
	}
	e := a.atom()
	if e == nil {
		return nil
	}
	if e.Op == Ref && (a.take("=") || a.take("+=")) {
		label := e.Text
		if e = a.atom(); e == nil {
			a.expected("what the label is for")
		}
		e.Label = label
	}
	if e.Op == Ref && e.Text == "EOF" {
		e = &Expr{Op: Seq, Pos: e.Pos}
	}
	for tok, op := range map[string]Op{"?": Opt, "*": Rep, "+": Rep1} {
		if a.take(tok) {
			return &Expr{Op: op, Kids: []*Expr{e}, Lazy: a.take("?"), Pos: e.Pos}
		}
	}
	return e
}

// atom returns nil if there is none.
func (a *antlr) atom() *Expr {
	e := &Expr{Pos: a.pos, Text: a.tok}
	switch {
	case a.kind == ident:
		e.Op = Ref
		if a.next(); a.kind == set && !a.rule.Lexical { // arguments
			a.next()
		}
	case a.kind == literal:
		if a.next(); a.take("..") {
			return a.to(e)
		}
	case a.kind == set:
		e.Op, e.Text = Set, a.items(a.tok)
		a.next()
	case a.take("."):
		e.Op, e.Text = Not, ""
	case a.take("~"):
		kid := a.atom()
		if kid == nil {
			a.expected("what must not be there")
		}
		e.Op, e.Text = Not, a.excluded(kid)
	case a.take("("):
		e = a.alternatives()
		a.want(")")
	default:
		return nil
	}
	if e.Op == Not && !a.rule.Lexical {
		a.fail(e.Pos, "tilde and dot stand for tokens here: name these")
	}
	return e
}

// excluded returns the items of a class of characters.
func (a *antlr) excluded(e *Expr) string {
	switch {
	case e.Op == Set:
		return e.Text
	case e.Op == Lit && len([]rune(e.Text)) == 1:
		return item([]rune(e.Text)[0])
	case e.Op == Alt:
		var b strings.Builder
		for _, kid := range e.Kids {
			b.WriteString(a.excluded(kid))
		}
		return b.String()
	case a.rule.Lexical:
		a.fail(e.Pos, "a tilde is for characters and sets of them only")
	}
	return ""
}

// items returns a set of ANTLR as the items of a class of a regular expression.
func (a *antlr) items(text string) string {
	var b strings.Builder
	for text != "" {
		if n := strings.IndexByte(text, '}') + 1; n > 0 &&
			(strings.HasPrefix(text, `\p{`) || strings.HasPrefix(text, `\P{`)) {
			b.WriteString(text[:n])
			text = text[n:]
			continue
		}
		r, rest := a.char(text)
		b.WriteString(item(r))
		if strings.HasPrefix(rest, "-") && len(rest) > 1 {
			r, rest = a.char(rest[1:])
			b.WriteString("-" + item(r))
		}
		text = rest
	}
	return b.String()
}
