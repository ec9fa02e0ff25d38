package grammar

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	gotext "text/scanner"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// A scanner splits a grammar into tokens. A mistake ends it by a panic.
type scanner struct {
	gotext.Scanner
	antlr bool   // literals and sets are written as in ANTLR
	text  string // of the file
	tok   string // the token
	runes []rune // of a literal; in ANTLR, these may be surrogates
	pos   string // file:line:column of it
	kind  tokenKind
	depth int // of parentheses
}

type tokenKind int

const (
	atEnd tokenKind = iota
	ident
	literal // tok is what it stands for
	set     // of ANTLR, tok is its items
	punct
)

type mistake struct{ error }

func (s *scanner) fail(pos, format string, args ...any) {
	panic(mistake{fmt.Errorf("%s: "+format, append([]any{pos}, args...)...)})
}

// reading calls read for the tokens of a file, and returns the mistake that ends it.
func (s *scanner) reading(file, text string, read func()) (err error) {
	defer func() {
		r := recover()
		if m, ok := r.(mistake); ok {
			err = m
		} else if r != nil {
			panic(r)
		}
	}()
	s.text = text
	s.Init(strings.NewReader(text))
	s.Filename = file
	s.Mode = gotext.ScanIdents | gotext.ScanComments | gotext.SkipComments
	if !s.antlr {
		s.Mode |= gotext.ScanStrings | gotext.ScanRawStrings
	}
	s.Error = func(_ *gotext.Scanner, message string) { s.fail(s.Position.String(), "%s", message) }
	s.next()
	read()
	return nil
}

// next moves to the next token.
func (s *scanner) next() {
	r := s.Scan()
	s.tok, s.pos = s.TokenText(), s.Position.String()
	switch {
	case r == gotext.EOF:
		s.kind = atEnd
	case r == gotext.Ident:
		s.kind = ident
	case r == gotext.String || r == gotext.RawString:
		text, err := strconv.Unquote(s.tok)
		if err != nil {
			s.fail(s.pos, "%s is not a Go literal", s.tok)
		}
		s.tok, s.kind, s.runes = text, literal, []rune(text)
	case r == '\'':
		s.kind, s.runes = literal, nil
		for raw := s.quoted('\''); raw != ""; {
			if r, raw = s.char(raw); len(s.runes) > 0 {
				if pair := utf16.DecodeRune(s.runes[len(s.runes)-1], r); pair != unicode.ReplacementChar {
					s.runes, r = s.runes[:len(s.runes)-1], pair
				}
			}
			s.runes = append(s.runes, r)
		}
		s.tok = string(s.runes)
	case r == '[' && s.antlr:
		s.tok, s.kind = s.quoted(']'), set
	default:
		s.kind = punct
		longer := func(p string) bool { return strings.HasPrefix(p, s.tok+string(s.Peek())) }
		for slices.ContainsFunc([]string{"...", "->", "+=", "::="}, longer) {
			s.tok += string(s.Next())
		}
	}
}

// quoted moves after a text that has begun and ends with end, and returns it.
func (s *scanner) quoted(end rune) (raw string) {
	for r := s.Next(); r != end; r = s.Next() {
		if raw += string(r); r == '\\' {
			r = s.Next()
			raw += string(r)
		}
		if r == '\n' && end != ']' || r == gotext.EOF {
			s.fail(s.pos, "the text that begins here does not end in its line: want %c", end)
		}
	}
	return raw
}

// char returns the first character of a literal or a set, and what follows it. A backslash before a
// character that is not an escape is the character's.
func (s *scanner) char(text string) (rune, string) {
	r, n := utf8.DecodeRuneInString(text)
	if r != '\\' || len(text) == n {
		return r, text[n:]
	}
	r, n = utf8.DecodeRuneInString(text[1:])
	tail := text[1+n:]
	if plain := strings.IndexRune("btnfr", r); plain >= 0 {
		return rune("\b\t\n\f\r"[plain]), tail
	} else if r != 'u' {
		return r, tail
	}
	hex, rest, ok := "", "", false
	if strings.HasPrefix(tail, "{") {
		hex, rest, ok = strings.Cut(tail[1:], "}")
	} else if ok = len(tail) >= 4; ok {
		hex, rest = tail[:4], tail[4:]
	}
	code, err := strconv.ParseUint(hex, 16, 21)
	if !ok || err != nil {
		s.fail(s.pos, `%q is not an escape sequence`, text)
	}
	return rune(code), rest
}

// is reports whether the token is that punctuation.
func (s *scanner) is(tok string) bool { return s.kind == punct && s.tok == tok }

// take moves after a token if it is there.
func (s *scanner) take(tok string) bool {
	if !s.is(tok) {
		return false
	}
	s.next()
	return true
}

// want moves after a token that must be there.
func (s *scanner) want(tok string) {
	if !s.take(tok) {
		s.expected(strconv.Quote(tok))
	}
}

func (s *scanner) expected(what string) {
	switch s.kind {
	case atEnd:
		s.fail(s.pos, "want %s, but the file ends", what)
	case literal:
		s.fail(s.pos, "want %s, not the text %q", what, s.tok)
	}
	s.fail(s.pos, "want %s, not %q", what, s.tok)
}

// name moves after a name, and returns it.
func (s *scanner) name(what string) string {
	if s.kind != ident {
		s.expected(what)
	}
	name := s.tok
	s.next()
	return name
}

// alternatives reads sequences with bars between them. Term reads part of one, and returns nil
// after the last; end reads what follows a sequence, and returns it.
func (s *scanner) alternatives(term func() *Expr, end func(*Expr) *Expr) *Expr {
	alt := &Expr{Op: Alt, Pos: s.pos}
	if s.depth++; s.depth > 1000 {
		s.fail(s.pos, "parentheses are nested too deep: make rules of them")
	}
	defer func() { s.depth-- }()
	for {
		seq := &Expr{Op: Seq, Pos: s.pos}
		for e := term(); e != nil; e = term() {
			seq.Kids = append(seq.Kids, e)
		}
		if alt.Kids = append(alt.Kids, end(seq)); !s.take("|") {
			return alt.single()
		}
	}
}

// to returns the range that begins with a literal; its last character is the next token.
func (s *scanner) to(from *Expr) []rune {
	if s.kind != literal {
		s.expected("the last character of a range")
	}
	lo, hi := from.units, s.runes
	if len(lo) != 1 || len(hi) != 1 || lo[0] > hi[0] {
		s.fail(from.Pos, "%q to %q is not a range: want two characters in their order", from.Text, s.tok)
	}
	s.next()
	return []rune{lo[0], hi[0]}
}
