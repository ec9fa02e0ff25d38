package grammar

import (
	"strings"
)

// readANTLR adds the rules of a grammar of ANTLR 4. What a text does not show is ignored: actions,
// predicates, modes, options and the like. All lexical rules are taken as those of one mode. Tokens that are
// skipped, or sent to a channel, are what may be between others.
func (g *Grammar) readANTLR(file, text string) error {
	g.lexer = true
	s := &scanner{file: file, text: text, antlr: true}
	a := &antlr{scanner: s, g: g}
	return s.reading(a.file)
}

type antlr struct {
	*scanner
	g       *Grammar
	lexical bool // the rule is
	hidden  bool // the rule is skipped, or on a channel
}

func (a *antlr) file() {
	for a.kind != atEnd {
		switch {
		case a.kind == punct && a.tok == "@": // @header {...}, @lexer::members {...}
			for !(a.kind == punct && a.tok == "{") && a.kind != atEnd {
				a.next()
			}
			a.braces("actions")
		case a.kind != ident:
			a.expected("a rule")
		default:
			a.declaration()
		}
	}
}

func (a *antlr) declaration() {
	r := &Rule{Pos: a.pos}
	r.Name = a.name("a rule")
	switch r.Name {
	case "lexer", "parser", "grammar":
		a.upTo(";")
		return
	case "import", "mode":
		a.g.ignore(r.Name)
		a.upTo(";")
		return
	case "options", "tokens", "channels":
		if a.kind == punct && a.tok == "{" {
			a.braces(r.Name)
			return
		}
	case "catch", "finally":
		if a.kind == set {
			a.next()
		}
		a.braces("actions")
		return
	case "fragment":
		r.Hidden, r.Pos = true, a.pos
		r.Name = a.name("a rule")
	}
	a.lexical = r.Name[0] >= 'A' && r.Name[0] <= 'Z'
	r.Lexical = a.lexical
	for !(a.kind == punct && a.tok == ":") && a.kind != atEnd { // arguments, results, options
		if a.kind == punct && a.tok == "{" {
			a.braces("actions")
		} else {
			a.next()
		}
	}
	a.want(":")
	a.hidden = false
	r.Body = a.alternatives()
	a.want(";")
	if a.hidden {
		r.Hidden = true
		a.g.hidden = append(a.g.hidden, r)
	}
	a.g.Rules = append(a.g.Rules, r)
}

// upTo moves behind the next token of that kind.
func (a *antlr) upTo(tok string) {
	for !a.take(tok) {
		if a.kind == atEnd {
			a.expected(tok)
		}
		a.next()
	}
}

// braces moves behind code in braces.
func (a *antlr) braces(what string) {
	if !(a.kind == punct && a.tok == "{") {
		a.expected("{")
	}
	a.g.ignore(what)
	for depth := 1; depth > 0; a.at++ {
		if a.at == len(a.text) {
			a.fail(a.pos, "the braces that open here are not closed")
		}
		switch c := a.text[a.at]; c {
		case '/':
			if line, _, _ := strings.Cut(a.text[a.at:], "\n"); strings.HasPrefix(line, "//") {
				a.at += len(line) - 1
			}
		case '{':
			depth++
		case '}':
			depth--
		case '\'', '"':
			if end := closing(a.text[a.at+1:], c); end >= 0 {
				a.at += 1 + end
			}
		}
	}
	a.next()
}

// closing returns where a quoted text in code ends, or -1 if it does not end in its line.
func closing(text string, quote byte) int {
	for i := 0; i < len(text) && text[i] != '\n'; i++ {
		switch text[i] {
		case '\\':
			i++
		case quote:
			return i
		}
	}
	return -1
}

func (a *antlr) alternatives() *Expr {
	alt := &Expr{Op: Alt, Pos: a.pos}
	for {
		seq := &Expr{Op: Seq, Pos: a.pos}
		for e := a.element(); e != nil; e = a.element() {
			if e.Op != Seq || len(e.Kids) > 0 {
				seq.Kids = append(seq.Kids, e)
			}
		}
		if a.take("->") {
			a.commands()
		}
		kid := seq.single()
		if a.take("#") {
			kid = seq
			kid.Label = a.name("a label")
		}
		if alt.Kids = append(alt.Kids, kid); !a.take("|") {
			return alt.single()
		}
	}
}

// commands reads what a lexer does with a token.
func (a *antlr) commands() {
	for again := true; again; again = a.take(",") {
		switch name := a.name("a command"); name {
		case "skip", "channel":
			a.hidden = true
		default:
			a.g.ignore(name)
		}
		if a.take("(") {
			a.upTo(")")
		}
	}
}

// element returns nil if there is none, and an empty sequence for what is ignored.
func (a *antlr) element() *Expr {
	for a.kind == punct {
		switch a.tok {
		case "{":
			a.braces("actions")
			if a.take("?") {
				a.g.ignore("predicates")
			}
		case "<":
			a.g.ignore("options")
			a.upTo(">")
		default:
			return a.repeated(a.atom())
		}
	}
	if a.kind != ident {
		return a.repeated(a.atom())
	}
	e := &Expr{Op: Ref, Text: a.tok, Pos: a.pos}
	a.next()
	if a.take("=") || a.take("+=") {
		label := e.Text
		if e = a.atom(); e == nil {
			a.expected("what the label is for")
		}
		if e.Label = label; e.Op == Lit {
			e.Label = ""
		}
	} else {
		if e.Text == "EOF" {
			e = &Expr{Op: Seq, Pos: e.Pos}
		}
		a.arguments()
	}
	return a.repeated(e)
}

// arguments moves behind the arguments and options of a reference.
func (a *antlr) arguments() {
	if a.kind == set && !a.lexical {
		a.g.ignore("arguments")
		a.next()
	}
}

// repeated returns e with what follows it: ?, * or +.
func (a *antlr) repeated(e *Expr) *Expr {
	if e == nil {
		return nil
	}
	for tok, op := range map[string]Op{"?": Opt, "*": Rep, "+": Rep1} {
		if a.take(tok) {
			label := e.Label
			e.Label = ""
			return &Expr{Op: op, Kids: []*Expr{e}, Label: label, Lazy: a.take("?"), Pos: e.Pos}
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
		a.next()
		if a.arguments(); e.Text == "EOF" {
			e.Op = Seq
		}
		return e
	case a.kind == literal:
		a.next()
		if a.take("..") {
			return a.to(e)
		}
		return e
	case a.kind == set:
		e.Op, e.Text = Set, a.items(a.tok)
		a.next()
		return e
	case a.take("."):
		e.Op, e.Text = Not, ""
		a.onlyLexical(e, "a dot")
		return e
	case a.take("~"):
		kid := a.atom()
		if kid == nil {
			a.expected("what must not be there")
		}
		e.Op, e.Text = Not, a.excluded(kid)
		a.onlyLexical(e, "a tilde")
		return e
	case a.take("("):
		e = a.alternatives()
		a.want(")")
		return e
	}
	return nil
}

func (a *antlr) onlyLexical(e *Expr, what string) {
	if !a.lexical {
		a.fail(e.Pos, "%s stands for tokens here: name these", what)
	}
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
	case !a.lexical:
		return ""
	}
	a.fail(e.Pos, "a tilde is for characters and sets of them only")
	return ""
}

// items returns a set of ANTLR as the items of a class of a regular expression.
func (a *antlr) items(text string) string {
	var b strings.Builder
	for text != "" {
		if n := strings.IndexByte(text, '}'); n > 0 && (strings.HasPrefix(text, `\p{`) || strings.HasPrefix(text, `\P{`)) {
			b.WriteString(text[:n+1])
			text = text[n+1:]
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
