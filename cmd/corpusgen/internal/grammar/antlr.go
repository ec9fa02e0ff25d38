package grammar

import (
	"fmt"
	"slices"
	"strings"
	gotext "text/scanner"
)

// readANTLR adds the rules of a grammar of ANTLR 4. Actions and predicates are left out: notes say
// where. It returns the grammars that this one imports, or takes its tokens from.
func (g *Grammar) readANTLR(file, text string) (needs []need, err error) {
	g.lexed = true
	a := &antlr{scanner: &scanner{antlr: true}, g: g}
	err = a.reading(file, text, func() {
		for a.kind != atEnd {
			a.declaration()
		}
	})
	return a.needs, err
}

// A need is another grammar that a grammar names.
type need struct {
	name, pos string
	lexer     bool // for its tokens
}

type antlr struct {
	*scanner
	g     *Grammar
	needs []need
	mode  string
	fold  bool // letters stand for both cases
	rule  *Rule
}

func (a *antlr) declaration() {
	if a.is("@") { // @header {...}, @lexer::members {...}
		a.code("code")
		return
	}
	r := &Rule{Pos: a.pos, Mode: a.mode}
	r.Name = a.name("a rule")
	switch {
	case slices.Contains([]string{"lexer", "parser", "grammar"}, r.Name):
		a.upTo(";")
		return
	case r.Name == "import":
		a.imports()
		return
	case r.Name == "mode":
		a.mode = a.name("a mode")
		a.want(";")
		return
	case a.is("{"):
		a.block(r.Name)
		return
	case r.Name == "catch" || r.Name == "finally":
		a.code("code")
		return
	case r.Name == "fragment":
		r.Fragment = true
		r.Pos, r.Name = a.pos, a.tok
		a.next()
	}
	a.rule = r
	r.Lexical = r.Name[0] >= 'A' && r.Name[0] <= 'Z'
	fold := a.fold
	a.untilColon()
	r.Body = a.alternatives()
	a.want(";")
	a.fold = fold
	a.g.Rules = append(a.g.Rules, r)
}

// imports reads the names of grammars to import.
func (a *antlr) imports() {
	for again := true; again; again = a.take(",") {
		n := need{pos: a.pos}
		if n.name = a.name("the name of a grammar"); a.take("=") {
			n.name = a.name("the name of a grammar")
		}
		a.needs = append(a.needs, n)
	}
	a.want(";")
}

// block reads options, tokens or channels.
func (a *antlr) block(name string) {
	a.want("{")
	for !a.take("}") {
		switch option := a.tok; {
		case a.kind == atEnd:
			a.want("}")
		case name == "tokens" && a.kind == ident:
			a.g.declared = append(a.g.declared, a.tok)
			a.next()
		default:
			pos := a.pos
			if a.next(); name == "options" && a.take("=") {
				a.option(option, pos)
			}
		}
	}
}

// option reads the value of an option.
func (a *antlr) option(name, pos string) {
	switch value := a.tok; name {
	case "caseInsensitive":
		a.fold = value == "true"
	case "tokenVocab":
		a.needs = append(a.needs, need{value, pos, true})
	case "superClass":
		a.g.note(pos, "the superclass %s is left out: what its code does to tokens is unknown", value)
	}
	a.next()
}

// untilColon reads what is between the name of a rule and its colon: options, arguments, results.
func (a *antlr) untilColon() {
	for !a.is(":") && a.kind != atEnd {
		switch {
		case a.kind == ident && a.tok == "options":
			if a.next(); a.is("{") {
				a.block("options")
			}
		case a.is("{"):
			a.code("code")
		default:
			a.next()
		}
	}
	a.want(":")
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

// code moves after the next code in braces, and notes it. In a rule, it is an action or a predicate.
func (a *antlr) code(what string) {
	begin := a.pos
	for !a.is("{") {
		if a.kind == atEnd {
			a.want("{")
		}
		a.next()
	}
	start := a.Position.Offset
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
	text := brief(a.text[start : a.Position.Offset+1])
	switch a.next(); {
	case what != "action":
		a.g.note(begin, "%s %s is left out", what, text)
	case a.take("?"):
		a.take("=>")
		a.g.note(begin, "rule %s: the predicate %s is taken to be true", a.rule.Name, text)
	default:
		a.g.note(begin, "rule %s: the action %s is left out", a.rule.Name, text)
	}
}

// brief returns code in one short line.
func brief(text string) string {
	const most = 60
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most-1]) + "…"
	}
	return text
}

func (a *antlr) alternatives() *Expr { return a.scanner.alternatives(a.element, a.end) }

// end reads a label, or what a lexer does with the token.
func (a *antlr) end(seq *Expr) *Expr {
	var commands []command
	if a.take("->") {
		for again := true; again; again = a.take(",") {
			c := command{name: a.name("a command")}
			if a.take("(") {
				c.arg = a.tok
				a.upTo(")")
			}
			commands = append(commands, c)
		}
	}
	if a.take("#") {
		seq.Label = a.name("a label")
		return seq
	}
	if len(commands) > 0 {
		seq.commands = commands
		return seq
	}
	return seq.single()
}

// element returns nil if there is none.
func (a *antlr) element() *Expr {
	a.notText()
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
	a.elementOptions()
	if e.Op == Ref && e.Text == "EOF" {
		if e = (&Expr{Op: Seq, Pos: e.Pos}); a.rule.Lexical {
			e.Op = End
		}
	}
	for _, suffix := range []struct {
		tok string
		op  Op
	}{{"?", Opt}, {"*", Rep}, {"+", Rep1}} {
		if a.take(suffix.tok) {
			return &Expr{Op: suffix.op, Kids: []*Expr{e}, Lazy: a.take("?"), Pos: e.Pos}
		}
	}
	return e
}

// notText moves after code and the options of an alternative.
func (a *antlr) notText() {
	for {
		switch {
		case a.is("{"):
			a.code("action")
		case a.is("<"):
			a.elementOptions()
		default:
			return
		}
	}
}

func (a *antlr) elementOptions() {
	if a.take("<") {
		a.upTo(">")
	}
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
		e.Fold, e.units = a.fold, a.runes
		if a.next(); a.take("..") {
			e = a.class(a.to(e), e.Pos)
		}
	case a.kind == set:
		e = a.set(a.tok, a.pos)
		a.next()
	case a.take("."):
		e.Op, e.Text = Not, ""
	case a.take("~"):
		kid := a.atom()
		if kid == nil {
			a.expected("what must not be there")
		}
		e.Op, e.Text, e.Kids = Not, "", []*Expr{kid}
	case a.take("("):
		if a.kind == ident && a.tok == "options" {
			a.untilColon()
		} else {
			a.notText()
			a.take(":")
		}
		e = a.alternatives()
		a.want(")")
	default:
		return nil
	}
	return e
}

// note adds a line to the report.
func (g *Grammar) note(pos, format string, args ...any) {
	g.Notes = append(g.Notes, pos+": "+fmt.Sprintf(format, args...))
}
