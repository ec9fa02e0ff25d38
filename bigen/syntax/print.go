package syntax

import (
	"regexp"
	"strings"

	"golang.org/x/exp/slices"
)

// A printing is the text of a tree so far.
type printing struct {
	out    []byte
	last   int            // where the last token begins in out
	lexeme *regexp.Regexp // of the last token, unless that is always the same
	apart  string         // the text that keeps tokens apart

	lexer  *Lexer // nil if the language has none
	spread bool   // all tokens are apart
	marks  []mark
	before stack // the modes at the last token
	after  stack // and after it
}

// A mark is a token that has been printed.
type mark struct {
	start, end int
	text       string // if it is always the same
	kinds      []bool // or else, what it may be
}

// Print returns the text of a tree. It panics if an interface in the tree holds none of the types
// that its [Rule] names.
func (l *Language[T]) Print(v T) string {
	text, _ := l.print(v)
	return text
}

// Splits reports whether the text of a tree is split into the tokens of the tree. If the language
// has no [Lexer], it is true. Otherwise tokens may become one with others if nothing can be between
// them, and what a token is may depend on those before it. So a generator of trees needs this
// filter.
func (l *Language[T]) Splits(v T) bool {
	_, ok := l.print(v)
	return ok
}

// print prints a tree with few hidden tokens, or with many if it must.
func (l *Language[T]) print(v T) (text string, ok bool) {
	for _, spread := range []bool{false, true} {
		p := &printing{apart: l.apart, lexer: l.lexer, spread: spread, before: bottom, after: bottom}
		l.root(&C{printing: p}, &v)
		again := string(p.out)
		if ok = p.splits(); ok || !spread {
			text = again
		}
		if ok {
			break
		}
	}
	return text, ok
}

// splits reports whether the lexer splits the text as it is printed.
func (p *printing) splits() bool {
	if p.lexer == nil {
		return true
	}
	all := p.lexer.tokens(string(p.out))
	return len(all) == len(p.marks) && !slices.ContainsFunc(p.marks, func(m mark) bool {
		t := all[0]
		all = all[1:]
		return t.start != m.start || t.end != m.end || t.kind < 0 || !m.is(p.lexer, t.kind)
	})
}

// is reports whether a token of a kind is what has been printed.
func (m *mark) is(l *Lexer, kind int) bool {
	if m.kinds != nil {
		return m.kinds[kind]
	}
	return l.kinds[kind].Text == m.text
}

// write writes a token, separated from the previous one if the two would become one.
func (p *printing) write(text string, lexeme *regexp.Regexp, kinds []bool) {
	if p.lexer != nil {
		p.writeLexed(text, kinds)
		return
	}
	if len(p.out) > 0 && text != "" && p.fuses(text) {
		p.out = append(p.out, p.apart...)
	}
	if text != "" {
		p.last, p.lexeme = len(p.out), lexeme
	}
	p.out = append(p.out, text...)
}

// fuses reports whether the last token and another one may be one if nothing is between them:
// two words, numbers or quoted texts, two operators, or what the last lexeme matches, too. A
// bracket, a comma and a semicolon are tokens of their own.
func (p *printing) fuses(text string) bool {
	last := p.out[p.last:]
	a, b := last[len(last)-1], text[0]
	x, y := kindOf(a), kindOf(b)
	return x == y && x != alone || a == '.' && digit(b) || digit(a) && b == '.' && !letter(last[0]) ||
		p.lexeme != nil && len(p.lexeme.Find(append(slices.Clip(last), text...))) > len(last)
}

// writeLexed writes a token of a lexer, and a hidden one before it if that is needed.
func (p *printing) writeLexed(text string, kinds []bool) {
	if gap, ok := p.gap(text); ok {
		p.out = append(p.out, gap...)
	}
	m := mark{len(p.out), len(p.out) + len(text), text, kinds}
	p.marks = append(p.marks, m)
	p.last = m.start
	p.out = append(p.out, text...)
	p.before = p.after
	if _, after := p.lexer.next(text, 0, p.before); text != "" {
		p.after = after
	}
}

// gap returns the hidden text, if there is one, with which the last token and another one are two.
func (p *printing) gap(text string) (gap string, ok bool) {
	if len(p.marks) == 0 {
		return "", true
	}
	all := p.lexer.gapsOf(p.after[len(p.after)-1])
	gaps := append([]string{""}, all...)
	if p.spread {
		gaps = append(slices.Clone(all), "")
	}
	last := string(p.out[p.last:])
	for _, gap = range gaps {
		whole := last + gap + text
		t, modes := p.lexer.next(whole, 0, p.before)
		for pos := len(last); t.end == pos && pos < len(last)+len(gap); pos = t.end {
			t, modes = p.lexer.next(whole, pos, modes)
		}
		if t.end != len(last)+len(gap) {
			continue
		}
		if t, _ = p.lexer.next(whole, t.end, modes); t.end == len(whole) {
			return gap, true
		}
	}
	return "", false
}

// The kinds of characters that tokens begin and end with.
const (
	alone = iota
	word
	operator
)

func kindOf(b byte) int {
	switch {
	case letter(b) || digit(b) || b == '"' || b == '\'' || b == '`':
		return word
	case b <= ' ' || strings.IndexByte("()[]{},;", b) >= 0:
		return alone
	}
	return operator
}

func letter(b byte) bool {
	return 'a' <= b|0x20 && b|0x20 <= 'z' || b == '_' || b == '$' || b >= 0x80
}

func digit(b byte) bool { return '0' <= b && b <= '9' }
