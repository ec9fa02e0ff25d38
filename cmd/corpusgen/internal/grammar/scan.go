package grammar

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A scanner splits a grammar into tokens. A mistake ends it by a panic with a mistake.
type scanner struct {
	file string
	text string
	at   int    // where the next token begins, or the space before it
	tok  string // the token; "" at the end
	pos  string // of tok
	kind tokenKind

	antlr bool // comments, texts and sets are those of ANTLR
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

// position returns file:line:column of an offset.
func (s *scanner) position(at int) string {
	before := s.text[:at]
	column := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
	return fmt.Sprintf("%s:%d:%d", s.file, strings.Count(before, "\n")+1, column)
}

// next moves to the next token.
func (s *scanner) next() {
	s.skip()
	start := s.at
	s.pos = s.position(start)
	if start == len(s.text) {
		s.tok, s.kind = "", atEnd
		return
	}
	r, size := utf8.DecodeRuneInString(s.text[start:])
	rest := s.text[start:]
	switch {
	case unicode.IsLetter(r) || r == '_':
		n := strings.IndexFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
		if n < 0 {
			n = len(rest)
		}
		s.at, s.tok, s.kind = start+n, rest[:n], ident
	case r == '\'' || !s.antlr && (r == '"' || r == '`'):
		raw := s.quoted(byte(r))
		s.tok, s.kind = s.unquote(raw), literal
	case s.antlr && r == '[':
		s.tok, s.kind = s.quoted(']'), set
	default:
		s.kind = punct
		for _, p := range []string{"...", "…", "..", "->", "+=", "::="} {
			if strings.HasPrefix(rest, p) {
				size = len(p)
				break
			}
		}
		s.at, s.tok = start+size, rest[:size]
	}
}

// skip skips space and comments.
func (s *scanner) skip() {
	for {
		rest := s.text[s.at:]
		trimmed := strings.TrimLeftFunc(rest, unicode.IsSpace)
		s.at += len(rest) - len(trimmed)
		for _, c := range [][2]string{{"//", "\n"}, {"/*", "*/"}, {"(*", "*)"}} {
			if c[0] == "(*" && s.antlr || !strings.HasPrefix(trimmed, c[0]) {
				continue
			}
			n := strings.Index(trimmed[2:], c[1])
			if n < 0 && c[1] != "\n" {
				s.fail(s.position(s.at), "the comment does not end")
			} else if n < 0 {
				n = len(trimmed) - 2 - len(c[1])
			}
			s.at += 2 + n + len(c[1])
			trimmed = ""
			break
		}
		if trimmed != "" || s.at == len(s.text) {
			return
		}
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

// unquote returns what a literal stands for.
func (s *scanner) unquote(raw string) string {
	if s.text[s.at-1] == '`' {
		return raw
	}
	var b strings.Builder
	for rest := raw; rest != ""; {
		r, tail := s.char(rest)
		b.WriteRune(r)
		rest = tail
	}
	return b.String()
}

// char returns the first character of a literal or a set, and what follows it.
func (s *scanner) char(text string) (rune, string) {
	if text[0] != '\\' {
		r, n := utf8.DecodeRuneInString(text)
		return r, text[n:]
	}
	if len(text) > 1 {
		if strings.IndexByte(`'"]-[}`, text[1]) >= 0 {
			return rune(text[1]), text[2:]
		}
		if text[1] == 'u' && strings.HasPrefix(text[2:], "{") {
			if n := strings.IndexByte(text, '}'); n > 0 {
				if r, err := strconv.ParseUint(text[3:n], 16, 21); err == nil {
					return rune(r), text[n+1:]
				}
			}
		}
		if r, _, tail, err := strconv.UnquoteChar(text, 0); err == nil {
			return r, tail
		}
	}
	s.fail(s.pos, `%q is no escape sequence`, text)
	return 0, ""
}

// take moves behind a token if it is there.
func (s *scanner) take(tok string) bool {
	if s.kind != punct || s.tok != tok {
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

// reading calls read, and returns the mistake that ends it.
func (s *scanner) reading(read func()) (err error) {
	defer func() {
		switch m := recover().(type) {
		case nil:
		case mistake:
			err = m.error
		default:
			panic(m)
		}
	}()
	s.next()
	read()
	return nil
}
