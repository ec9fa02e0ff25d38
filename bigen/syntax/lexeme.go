package syntax

import (
	"reflect"
	"regexp"

	"github.com/espalier-go/espalier/bigen"
	"golang.org/x/exp/slices"
)

// A Lexeme is a token that matches a regular expression, or that is of certain kinds of a [Lexer].
type Lexeme[T ~string] struct {
	name   string // of T
	expr   string
	match  *regexp.Regexp
	except []string

	lexer *Lexer // nil if the language has none
	kinds []bool
}

// NewLexeme returns the lexeme whose texts match the whole of expr, with some exceptions, such as
// keywords. Parsing takes the longest match. NewLexeme panics if expr is not a regular expression.
func NewLexeme[T ~string](expr string, except ...string) *Lexeme[T] {
	l := &Lexeme[T]{
		name: reflect.TypeFor[T]().Name(), expr: expr, match: regexp.MustCompile(`\A(?:` + expr + `)`),
		except: except,
	}
	l.match.Longest()
	return l
}

// Text is the [Rule] of the lexeme.
func (l *Lexeme[T]) Text(c *C, p *T) {
	switch {
	case c.reading == nil:
		c.write(string(*p), l.match, l.kinds)
	case l.lexer != nil:
		*p = T(c.readToken(l.name, l.kinds))
	default:
		if *p = T(c.read(l.name, l.match)); !c.failed && slices.Contains(l.except, string(*p)) {
			c.want(l.name, c.pos-len(*p))
		}
	}
}

// Gen makes texts of the lexeme.
func (l *Lexeme[T]) Gen() bigen.Gen[T] {
	if l.lexer != nil {
		return bigen.As[T](l.lexer.gen(l.kinds))
	}
	g := bigen.As[T](bigen.Matching(l.expr))
	if len(l.except) == 0 {
		return g
	}
	return bigen.SuchThat(g, func(s T) bool { return !slices.Contains(l.except, string(s)) })
}
