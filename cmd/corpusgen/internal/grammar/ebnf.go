package grammar

import (
	"unicode"
	"unicode/utf8"
)

// readEBNF adds the rules of a file in the notation of the Go specification:
//
//	Production  = name ( "=" | "::=" ) [ Expression ] ( "." | ";" ) .
//	Expression  = Alternative { "|" Alternative } .
//	Alternative = { Term } .
//	Term        = name | literal [ "…" literal ] | "(" Expression ")" | "[" Expression "]" | "{" Expression "}" .
//
// Names in lower case are lexical. A literal is in double quotes, single quotes or backquotes.
// Three dots may take the place of "…".
func (g *Grammar) readEBNF(file, text string) error {
	s := &scanner{}
	return s.reading(file, text, func() {
		for s.kind != atEnd {
			r := &Rule{Pos: s.pos}
			r.Name = s.name("the name of a rule")
			first, _ := utf8.DecodeRuneInString(r.Name)
			r.Lexical = !unicode.IsUpper(first)
			if !s.take("::=") {
				s.want("=")
			}
			r.Body = s.ebnf()
			if !s.take(";") {
				s.want(".")
			}
			g.Rules = append(g.Rules, r)
		}
	})
}

func (s *scanner) ebnf() *Expr { return s.alternatives(s.ebnfTerm, (*Expr).single) }

// ebnfTerm returns nil if there is none.
func (s *scanner) ebnfTerm() *Expr {
	e := &Expr{Pos: s.pos, Text: s.tok, units: s.runes}
	switch {
	case s.kind == ident:
		e.Op = Ref
		s.next()
	case s.kind == literal:
		if s.next(); s.take("…") || s.take("...") {
			return &Expr{Op: Set, Text: itemsOf(s.to(e)), Pos: e.Pos}
		}
	case s.take("("):
		e = s.ebnf()
		s.want(")")
	case s.take("["):
		e = &Expr{Op: Opt, Kids: []*Expr{s.ebnf()}, Pos: e.Pos}
		s.want("]")
	case s.take("{"):
		e = &Expr{Op: Rep, Kids: []*Expr{s.ebnf()}, Pos: e.Pos}
		s.want("}")
	default:
		return nil
	}
	return e
}
