package syntax

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/exp/slices"
)

// A Lexer splits a text into tokens, as the lexers of ANTLR do: at each position, the longest text
// that a [Kind] of the current mode matches is a token; of kinds that match equally much, the first
// one. A character that none matches is a token of no kind.
type Lexer struct {
	kinds []Kind
	modes map[string]*mode
	names map[string][]int // of kinds
}

// A Kind describes tokens.
type Kind struct {
	Name   string // several kinds may have one; if it is empty, Text in single quotes
	Text   string // of its tokens, if they differ in case at most
	Expr   string // regular expression of its tokens; if it is empty, they are Text
	Mode   string // of the lexer, in which it is known; empty at the beginning
	Hidden bool   // its tokens may be between others, and are no part of a tree
	More   bool   // its text is the beginning of the token that follows
	Then   string // what its tokens do with the mode: some of "push NAME", "pop", "mode NAME", with commas

	then []change
}

// A change changes the stack of modes.
type change struct{ verb, mode string }

// A mode is the kinds that are known at a time.
type mode struct {
	kinds []int
	auto  *automaton
	once  sync.Once
	gaps  []string // texts that may be between tokens
}

// A stack is the modes of a lexer, the current one last.
type stack []string

// A token is one of a text.
type token struct {
	kind       int // -1 for none
	start, end int
}

// NewLexer returns the lexer of some kinds. It panics if an expression or a change is wrong.
func NewLexer(kinds []Kind) *Lexer {
	l := &Lexer{kinds: slices.Clone(kinds), modes: map[string]*mode{"": {}}, names: map[string][]int{}}
	for i := range l.kinds {
		k := &l.kinds[i]
		if k.Name == "" && !k.Hidden {
			k.Name = "'" + k.Text + "'"
		}
		if k.Expr == "" {
			k.Expr = regexp.QuoteMeta(k.Text)
		}
		if err := k.parseThen(); err != nil {
			panic(fmt.Sprintf("syntax: kind %s: %v", k.Name, err))
		}
		m := l.modes[k.Mode]
		if m == nil {
			m = &mode{}
			l.modes[k.Mode] = m
		}
		m.kinds = append(m.kinds, i)
		l.names[k.Name] = append(l.names[k.Name], i)
	}
	for _, k := range l.kinds {
		for _, c := range k.then {
			if c.verb != "pop" && l.modes[c.mode] == nil {
				panic(fmt.Sprintf("syntax: kind %s: no kind has the mode %q", k.Name, c.mode))
			}
		}
	}
	for _, m := range l.modes {
		var exprs []string
		for _, k := range m.kinds {
			exprs = append(exprs, l.kinds[k].Expr)
		}
		var err error
		if m.auto, err = newAutomaton(exprs); err != nil {
			panic("syntax: " + err.Error())
		}
	}
	return l
}

// parseThen reads the changes of the mode.
func (k *Kind) parseThen() error {
	if k.Then == "" {
		return nil
	}
	for _, text := range strings.Split(k.Then, ",") {
		verb, name, _ := strings.Cut(strings.TrimSpace(text), " ")
		if verb != "push" && verb != "pop" && verb != "mode" || verb == "pop" && name != "" {
			return fmt.Errorf("%q is not a change of modes: want push NAME, pop or mode NAME", text)
		}
		k.then = append(k.then, change{verb, name})
	}
	return nil
}

// after returns the modes after a token of a kind.
func (k *Kind) after(modes stack) stack {
	for _, c := range k.then {
		switch n := len(modes); c.verb {
		case "push":
			modes = append(slices.Clip(modes), c.mode)
		case "pop":
			if n > 1 {
				modes = modes[:n-1]
			}
		default:
			modes = append(slices.Clip(modes[:n-1]), c.mode)
		}
	}
	return modes
}

// next returns the token at a position, hidden or not, and the modes after it.
func (l *Lexer) next(text string, start int, modes stack) (token, stack) {
	for pos := start; ; {
		m := l.modes[modes[len(modes)-1]]
		n, rule := m.auto.match(text[pos:])
		if rule < 0 {
			for range text[pos:] { // the first character
				n++
				if pos+n == len(text) || text[pos+n]&0xC0 != 0x80 {
					break
				}
			}
			return token{-1, start, pos + n}, modes
		}
		pos += n
		kind := m.kinds[rule]
		k := &l.kinds[kind]
		if modes = k.after(modes); !k.More {
			return token{kind, start, pos}, modes
		}
		if pos == len(text) {
			return token{-1, start, pos}, modes
		}
	}
}

// bottom is the modes at the beginning of a text.
var bottom = stack{""}

// tokens returns the tokens of a text that are not hidden.
func (l *Lexer) tokens(text string) (all []token) {
	modes := bottom
	for pos := 0; pos < len(text); {
		var t token
		if t, modes = l.next(text, pos, modes); t.kind < 0 || !l.kinds[t.kind].Hidden {
			all = append(all, t)
		}
		pos = t.end
	}
	return all
}

// set returns the kinds of some names, or all others that are not hidden.
func (l *Lexer) set(names []string, others bool) []bool {
	all := make([]bool, len(l.kinds))
	for i, k := range l.kinds {
		all[i] = others && !k.Hidden && !k.More
	}
	for _, name := range names {
		if l.names[name] == nil {
			panic("syntax: the lexer has no kind " + strconv.Quote(name))
		}
		for _, i := range l.names[name] {
			all[i] = !others && !l.kinds[i].More
		}
	}
	return all
}
