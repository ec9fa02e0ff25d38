// Package syntax prints trees as texts, and parses texts into trees, by one description of the
// text of each type. So a generator of trees makes texts of a language, and files in that language
// become trees: seeds, which the generator reads backward. `corpusgen grammar` writes descriptions
// from grammars.
//
// A description is a function, a [Rule]. It names the tokens and parts of a tree in their order:
//
//	// A Let is "let" Name "=" Expr.
//	type Let struct {
//		Name Name
//		Expr Expr
//	}
//
//	func textLet(c *syntax.C, p *Let) {
//		c.Token("let")
//		name.Text(c, &p.Name)
//		c.Token("=")
//		syntax.At(c, &p.Expr, textExpr)
//	}
//
// To print, the function runs once, and everything that it names is written. To parse, it runs
// once for each way to continue, and fills in the tree. So it must not look at the tree. The
// function of an interface type names the types that the interface may hold:
//
//	func textExpr(c *syntax.C, p *Expr) {
//		switch {
//		case syntax.Is(c, p, textSum):
//		case syntax.Is(c, p, textCall):
//		default:
//			c.None()
//		}
//	}
//
// [New] makes a [Language] from the function of the root. It parses by any grammar, including
// ambiguous and left-recursive ones. If a text has several trees, it returns one.
package syntax

import (
	"reflect"
	"regexp"
	"strings"

	"github.com/espalier-go/espalier/bigen"
	"golang.org/x/exp/slices"
)

// A Rule describes the text of a T.
type Rule[T any] func(c *C, p *T)

// A C is one run of a [Rule].
type C struct {
	*reading // nil to print
	out      []byte
	last     int            // where the last token begins in out
	lexeme   *regexp.Regexp // of the last token, unless that is always the same
	apart    string         // the text that keeps tokens apart
}

// A Language prints and parses the values of T.
type Language[T any] struct {
	root  Rule[T]
	space *regexp.Regexp
	apart string
}

// New returns the language of the texts that root describes. Space is a regular expression of what
// may stand between tokens: white space and comments. If two tokens would become one, Print writes
// a space between them, or a newline if space does not match a space. If space is empty, nothing
// is between tokens.
func New[T any](root Rule[T], space string) *Language[T] {
	l := &Language[T]{root: root}
	if space != "" {
		l.space = regexp.MustCompile(`\A(?:` + space + `)+`)
		l.apart = " "
		if !l.space.MatchString(l.apart) {
			l.apart = "\n"
		}
	}
	return l
}

// Print returns the text of a tree. It panics if an interface in the tree holds none of the types
// that its [Rule] names.
func (l *Language[T]) Print(v T) string {
	c := C{apart: l.apart}
	l.root(&c, &v)
	return string(c.out)
}

// Token is a token that is always the same.
func (c *C) Token(text string) {
	if c.reading == nil {
		c.write(text, nil)
		return
	}
	c.read(text, nil)
}

// None says that an interface holds none of the types that it is allowed to hold. It ends the
// switch of [Is].
func (c *C) None() {
	if c.reading == nil {
		panic("syntax: an interface is nil, or of a type that its Rule does not name")
	}
	c.failed = true
}

// A Lexeme is a token that matches a regular expression.
type Lexeme[T ~string] struct {
	name   string // of T
	expr   string
	match  *regexp.Regexp
	except []string
}

// NewLexeme returns the lexeme whose texts match the whole of expr, with some exceptions, such as
// keywords. Parsing takes the longest match. NewLexeme panics if expr is not a regular expression.
func NewLexeme[T ~string](expr string, except ...string) *Lexeme[T] {
	l := &Lexeme[T]{reflect.TypeFor[T]().Name(), expr, regexp.MustCompile(`\A(?:` + expr + `)`),
		except}
	l.match.Longest()
	return l
}

// Text is the [Rule] of the lexeme.
func (l *Lexeme[T]) Text(c *C, p *T) {
	if c.reading == nil {
		c.write(string(*p), l.match)
		return
	}
	if *p = T(c.read(l.name, l.match)); !c.failed && slices.Contains(l.except, string(*p)) {
		c.want(l.name, c.pos-len(*p))
	}
}

// Gen makes texts of the lexeme.
func (l *Lexeme[T]) Gen() bigen.Gen[T] {
	g := bigen.As[T](bigen.Matching(l.expr))
	if len(l.except) == 0 {
		return g
	}
	return bigen.SuchThat(g, func(s T) bool { return !slices.Contains(l.except, string(s)) })
}

// At is a part of a tree that rule describes.
func At[T any](c *C, p *T, rule Rule[T]) {
	if c.reading == nil {
		rule(c, p)
		return
	}
	readAt(c, p, rule, false)
}

// Last is [At] for the operand at the end of an alternative of its own, left-recursive rule, such
// as the second operand in Expr = Expr "+" Expr. It reads no alternative that begins with another
// such operand, because each text also has a tree in which the first operand holds that one. So
// reading takes much less time.
func Last[T any](c *C, p *T, rule Rule[T]) {
	if c.reading == nil {
		rule(c, p)
		return
	}
	readAt(c, p, rule, true)
}

// Opt is an optional part, nil if it is absent.
func Opt[T any](c *C, p **T, rule Rule[T]) {
	switch {
	case c.reading == nil:
		if *p != nil {
			rule(c, *p)
		}
	case c.choose(2) == 0:
		*p = new(T)
		At(c, *p, rule)
	}
}

// Flag is an optional token, true if it is present.
func Flag(c *C, p *bool, text string) {
	if c.reading != nil {
		*p = c.choose(2) == 0
	}
	if *p {
		c.Token(text)
	}
}

// List is a list of at least least elements, with the token sep between them, unless that is empty.
func List[T any](c *C, p *[]T, least int, sep string, rule Rule[T]) {
	for n := 0; ; n++ {
		if c.reading == nil && n == len(*p) || c.reading != nil && n >= least && c.choose(2) == 1 {
			return
		}
		start := 0
		if c.reading != nil {
			start = c.pos
		}
		if n > 0 && sep != "" {
			c.Token(sep)
		}
		if c.reading == nil {
			rule(c, &(*p)[n])
			continue
		}
		v := new(T)
		At(c, v, rule)
		if c.failed = c.failed || n >= least && c.pos == start; c.failed {
			return
		}
		*p = append(*p, *v)
	}
}

// Is reports whether an interface holds a V, whose text rule describes.
func Is[V, I any](c *C, p *I, rule Rule[V]) bool {
	if c.reading == nil {
		v, ok := any(*p).(V)
		if ok {
			rule(c, &v)
		}
		return ok
	}
	if c.choose(2) == 1 {
		return false
	}
	v := new(V)
	if rule(c, v); !c.failed {
		*p = any(*v).(I)
	}
	return true
}

// write writes a token, separated from the previous one if the two would become one.
func (c *C) write(text string, lexeme *regexp.Regexp) {
	if len(c.out) > 0 && text != "" && c.fuses(text) {
		c.out = append(c.out, c.apart...)
	}
	if text != "" {
		c.last, c.lexeme = len(c.out), lexeme
	}
	c.out = append(c.out, text...)
}

// fuses reports whether the last token and another one may be one if nothing is between them:
// two words, numbers or quoted texts, two operators, or what the last lexeme matches, too. A
// bracket, a comma and a semicolon are tokens of their own.
func (c *C) fuses(text string) bool {
	last := c.out[c.last:]
	a, b := last[len(last)-1], text[0]
	x, y := kindOf(a), kindOf(b)
	return x == y && x != alone || a == '.' && digit(b) || digit(a) && b == '.' && !letter(last[0]) ||
		c.lexeme != nil && len(c.lexeme.Find(append(slices.Clip(last), text...))) > len(last)
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
