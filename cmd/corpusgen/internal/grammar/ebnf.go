package grammar

import (
	"unicode"
	"unicode/utf8"
)

// readEBNF adds the rules of a file in the notation of the Go specification:
//
//	Production  = name ( "=" | "::=" ) [ Expression ] "." .
//	Expression  = Alternative { "|" Alternative } .
//	Alternative = { Term } .
//	Term        = name | literal [ "…" literal ] | "(" Expression ")" | "[" Expression "]" | "{" Expression "}" .
//
// Names in lower case are lexical. A literal is in double quotes, single quotes or backquotes. Three dots may
// take the place of "…", and a semicolon that of the dot at the end.
func (g *Grammar) readEBNF(file, text string) error {
	s := &scanner{file: file, text: text}
	return s.reading(func() {
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

func (s *scanner) ebnf() *Expr {
	alt := &Expr{Op: Alt, Pos: s.pos}
	for {
		seq := &Expr{Op: Seq, Pos: s.pos}
		for term := s.ebnfTerm(); term != nil; term = s.ebnfTerm() {
			seq.Kids = append(seq.Kids, term)
		}
		if alt.Kids = append(alt.Kids, seq.single()); !s.take("|") {
			return alt.single()
		}
	}
}

// single returns the only kid, if there is one.
func (e *Expr) single() *Expr {
	if len(e.Kids) == 1 {
		return e.Kids[0]
	}
	return e
}

// ebnfTerm returns nil if there is none.
func (s *scanner) ebnfTerm() *Expr {
	e := &Expr{Pos: s.pos, Text: s.tok}
	switch {
	case s.kind == ident:
		e.Op = Ref
		s.next()
		return e
	case s.kind == literal:
		s.next()
		if s.take("…") || s.take("...") {
			return s.to(e)
		}
		return e
	}
	for _, b := range []struct {
		begin, end string
		op         Op
	}{{"(", ")", Seq}, {"[", "]", Opt}, {"{", "}", Rep}} {
		if s.take(b.begin) {
			body := s.ebnf()
			s.want(b.end)
			if b.op == Seq {
				return body
			}
			return &Expr{Op: b.op, Kids: []*Expr{body}, Pos: e.Pos}
		}
	}
	return nil
}

// to returns the range that begins with a literal; its last character is the next token.
func (s *scanner) to(from *Expr) *Expr {
	if s.kind != literal {
		s.expected("the last character of a range")
	}
	lo, hi := []rune(from.Text), []rune(s.tok)
	if len(lo) != 1 || len(hi) != 1 || lo[0] > hi[0] {
		s.fail(from.Pos, "%q to %q is no range: want two characters in their order", from.Text, s.tok)
	}
	s.next()
	return &Expr{Op: Set, Text: item(lo[0]) + "-" + item(hi[0]), Pos: from.Pos}
}
