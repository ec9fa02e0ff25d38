package grammar

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A scanner splits a grammar into tokens. A mistake ends it by a panic.
type scanner struct {
	file  string
	text  string
	antlr bool   // comments, literals and sets are those of ANTLR
	at    int    // behind the token
	tok   string // the token
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

// reading calls read, and returns the mistake that ends it.
func (s *scanner) reading(read func()) (err error) {
	defer func() {
		r := recover()
		if m, ok := r.(mistake); ok {
			err = m
		} else if r != nil {
			panic(r)
		}
	}()
	s.next()
	read()
	return nil
}

// next moves to the next token.
func (s *scanner) next() {
	s.skip()
	rest := s.text[s.at:]
	line := s.text[strings.LastIndexByte(s.text[:s.at], '\n')+1 : s.at]
	s.pos = fmt.Sprintf("%s:%d:%d", s.file, strings.Count(s.text[:s.at], "\n")+1, utf8.RuneCountInString(line)+1)
	if rest == "" {
		s.tok, s.kind = "", atEnd
		return
	}
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case unicode.IsLetter(r) || r == '_':
		s.kind = ident
		size = len(rest) - len(strings.TrimLeftFunc(rest, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }))
	case r == '`' && !s.antlr, r == '"' && !s.antlr, r == '\'':
		s.kind, s.tok = literal, ""
		raw := s.quoted(byte(r))
		if r == '`' {
			s.tok = raw
			return
		}
		for raw != "" {
			r, raw = s.char(raw)
			s.tok += string(r)
		}
		return
	case r == '[' && s.antlr:
		s.kind, s.tok = set, s.quoted(']')
		return
	default:
		s.kind = punct
		for _, p := range []string{"...", "..", "->", "+=", "::="} {
			if strings.HasPrefix(rest, p) {
				size = len(p)
				break
			}
		}
	}
	s.tok = rest[:size]
	s.at += size
}

// skip skips space and comments.
func (s *scanner) skip() {
	for {
		s.at = len(s.text) - len(strings.TrimLeftFunc(s.text[s.at:], unicode.IsSpace))
		rest := s.text[s.at:]
		end := ""
		switch {
		case strings.HasPrefix(rest, "//"):
			end = "\n"
		case strings.HasPrefix(rest, "/*"):
			end = "*/"
		case strings.HasPrefix(rest, "(*") && !s.antlr:
			end = "*)"
		default:
			return
		}
		n := strings.Index(rest[2:], end)
		if n < 0 { // there is nothing else
			n = len(rest) - 2 - len(end)
		}
		s.at += 2 + n + len(end)
	}
}

// quoted moves behind a text that begins here and ends with end, and returns what is between.
func (s *scanner) quoted(end byte) string {
	for i := s.at + 1; i < len(s.text) && (s.text[i] != '\n' || end == '`'); i++ {
		switch {
		case s.text[i] == '\\' && end != '`':
			i++
		case s.text[i] == end:
			raw := s.text[s.at+1 : i]
			s.at = i + 1
			return raw
		}
	}
	s.fail(s.pos, "the text that begins here does not end in its line: want %c", end)
	return ""
}

// char returns the first character of a literal or a set, and what follows it.
func (s *scanner) char(text string) (rune, string) {
	if hex, tail, ok := strings.Cut(text, "}"); ok && strings.HasPrefix(hex, `\u{`) {
		if r, err := strconv.ParseUint(hex[3:], 16, 21); err == nil {
			return rune(r), tail
		}
	}
	if len(text) > 1 && text[0] == '\\' && strings.IndexByte(`'"]-[}`, text[1]) >= 0 {
		return rune(text[1]), text[2:]
	}
	r, _, tail, err := strconv.UnquoteChar(text, 0)
	if err != nil {
		s.fail(s.pos, `%q is no escape sequence`, text)
	}
	return r, tail
}

// is reports whether the token is that punctuation.
func (s *scanner) is(tok string) bool { return s.kind == punct && s.tok == tok }

// take moves behind a token if it is there.
func (s *scanner) take(tok string) bool {
	if !s.is(tok) {
		return false
	}
	s.next()
	return true
}

// want moves behind a token that must be there.
func (s *scanner) want(tok string) {
	if !s.take(tok) {
		s.expected(tok)
	}
}

func (s *scanner) expected(what string) {
	switch s.kind {
	case atEnd:
		s.fail(s.pos, "want %s, but the file ends", what)
	case literal:
		s.fail(s.pos, "want %s, not the text %q", what, s.tok)
	}
	s.fail(s.pos, "want %s, not %s", what, s.tok)
}

// name moves behind a name, and returns it.
func (s *scanner) name(what string) string {
	if s.kind != ident {
		s.expected(what)
	}
	name := s.tok
	s.next()
	return name
}

// alternatives reads sequences with bars between them. Term reads part of one, and returns nil behind
// the last; end reads what follows a sequence, and returns it.
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
