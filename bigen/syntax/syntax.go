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
	"regexp"
)

// A Rule describes the text of a T.
type Rule[T any] func(c *C, p *T)

// A C is one run of a [Rule].
type C struct {
	*reading // nil to print
	*printing
}

// A Language prints and parses the values of T.
type Language[T any] struct {
	root  Rule[T]
	space *regexp.Regexp
	apart string
	lexer *Lexer
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

// NewLexed returns the language of the texts that root describes and a lexer splits into tokens. Its
// rules name tokens by [C.Token], for those whose [Kind] has that Text, and by lexemes of [TokensOf]
// and [TokensExcept]. Print writes hidden tokens between others where those would become one.
func NewLexed[T any](root Rule[T], lexer *Lexer) *Language[T] {
	return &Language[T]{root: root, lexer: lexer}
}

// Token is a token that is always the same.
func (c *C) Token(text string) {
	if c.reading == nil {
		c.write(text, nil, nil)
		return
	}
	if c.lex != nil {
		c.readToken(text, nil)
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
		t := c.attempt()
		*p = new(T)
		if At(c, *p, rule); t.fails(c) {
			*p = nil
		}
	}
}

// Flag is an optional token, true if it is present.
func Flag(c *C, p *bool, text string) {
	if c.reading == nil {
		if *p {
			c.Token(text)
		}
		return
	}
	if *p = c.choose(2) == 0; *p {
		t := c.attempt()
		c.Token(text)
		*p = !t.fails(c)
	}
}

// List is a list of at least least elements, with the token sep between them, unless that is empty.
func List[T any](c *C, p *[]T, least int, sep string, rule Rule[T]) {
	if c.reading != nil {
		readList(c, p, least, sep, rule)
		return
	}
	for i := range *p {
		if i > 0 && sep != "" {
			c.Token(sep)
		}
		rule(c, &(*p)[i])
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
	t := c.attempt()
	v := new(V)
	before := enter(c.reading, v)
	rule(c, v)
	if c.frame = before; t.fails(c) {
		return false
	}
	if !c.failed {
		*p = any(*v).(I)
	}
	return true
}
