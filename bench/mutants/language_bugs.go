package mutants

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// A printer prints expressions with as few parentheses as possible.
type printer string

// print prints e where something of a level is wanted.
func (m printer) print(e expr, level int) string {
	s := m.bare(e)
	if e.level() < level {
		return "(" + s + ")"
	}
	return s
}

func (m printer) bare(e expr) string {
	switch e := e.(type) {
	case number:
		return strconv.Itoa(int(e))
	case name:
		return string(e)
	case text:
		return m.quote(string(e))
	case unary:
		x := m.print(e.X, negating)
		if e.Op == "-" && x[0] == '-' && m != "print: minus signs touch" {
			x = " " + x // since -- begins a comment
		}
		return e.Op + x
	case conditional:
		return "if " + m.print(e.If, 0) + " then " + m.print(e.Then, 0) + " else " + m.print(e.Else, 0)
	case call:
		args := make([]string, len(e.Args))
		for i, a := range e.Args {
			args[i] = m.print(a, 0)
		}
		return e.Name + "(" + strings.Join(args, ", ") + ")"
	}
	return m.binary(e.(binary))
}

func (m printer) binary(e binary) string {
	level, left, right := e.level(), e.level(), e.level()+1
	switch level {
	case comparing:
		left = adding
	case raising:
		left, right = atom, negating
	}
	x, y := e.X.level(), e.Y.level()
	switch {
	case m == "print: right of minus has no parentheses" && e.Op == "-" && y == adding,
		m == "print: right of division has no parentheses" && e.Op == "/" && y == multiplying,
		m == "print: sum behind a product sign has no parentheses" && level == multiplying && y == adding,
		m == "print: comparison in a comparison has no parentheses" && level == comparing && y == comparing,
		m == "print: conditional as an operand has no parentheses" && level == adding && y == 0:
		right = y
	case m == "print: left of power has no parentheses" && e.Op == "^" && (x == raising || x == negating),
		m == "print: sum before a product sign has no parentheses" && level == multiplying && x == adding:
		left = x
	}
	l, r := m.print(e.X, left), m.print(e.Y, right)
	if m == "print: equal sides are printed once" && level == comparing && l == r {
		return l
	}
	if e.Op == "-" && r[0] == '-' && m != "print: minus touches the minus before" {
		r = " " + r
	}
	return l + e.Op + r
}

func (m printer) quote(s string) string {
	if s == "" && m == "print: empty text is nothing" {
		return s
	}
	if m != "print: backslashes are not escaped" {
		s = strings.ReplaceAll(s, `\`, `\\`)
	}
	if m != "print: quotes are not escaped" {
		s = strings.ReplaceAll(s, `"`, `\"`)
	}
	if m != "print: line ends are not escaped" {
		s = strings.ReplaceAll(s, "\n", `\n`)
	}
	return `"` + s + `"`
}

// A parser reads what a printer prints.
type parser struct {
	bug  string
	s    string // what is left
	open int    // parentheses
}

var errSyntax = errors.New("syntax error")

func parse(bug, s string) (e expr, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	p := &parser{bug: bug, s: s}
	e = p.expr()
	if p.space(); p.s != "" {
		panic(errSyntax)
	}
	return e, nil
}

func (p *parser) space() {
	for {
		switch {
		case strings.HasPrefix(p.s, " "):
			p.s = p.s[1:]
		case strings.HasPrefix(p.s, "--"):
			_, p.s, _ = strings.Cut(p.s, "\n")
		default:
			return
		}
	}
}

// has skips a token if it is next.
func (p *parser) has(token string) bool {
	p.space()
	rest, ok := strings.CutPrefix(p.s, token)
	if ok {
		p.s = rest
	}
	return ok
}

func (p *parser) want(token string) {
	if !p.has(token) {
		panic(errSyntax)
	}
}

// keyword skips a keyword if it is next.
func (p *parser) keyword(word string) bool {
	p.space()
	if rest, ok := strings.CutPrefix(p.s, word); ok && rest != "" && (p.bug == "parse: keywords need no end" || !nameByte(rest[0], false)) {
		p.s = rest
		return true
	}
	return false
}

func (p *parser) expr() expr {
	if !p.keyword("if") {
		return p.comparison()
	}
	var e conditional
	if e.If = p.expr(); !p.keyword("then") {
		panic(errSyntax)
	}
	if e.Then = p.expr(); !p.keyword("else") {
		panic(errSyntax)
	}
	if e.Else = p.expr(); p.bug == "parse: conditional ends at a conditional" {
		if inner, ok := e.Else.(conditional); ok {
			e.Else = inner.If
		}
	}
	return e
}

// either skips one of some operators.
func (p *parser) either(ops ...string) string {
	for _, op := range ops {
		if p.has(op) {
			return op
		}
	}
	return ""
}

func (p *parser) comparison() expr {
	x := p.sum()
	if op := p.either("=", "<"); op != "" {
		return binary{op, x, p.sum()}
	}
	return x
}

func (p *parser) sum() expr {
	x := p.product()
	for {
		op := p.either("+", "-")
		switch {
		case op == "":
			return x
		case op == "-" && p.bug == "parse: minus groups right":
			return binary{op, x, p.sum()}
		}
		x = binary{op, x, p.product()}
	}
}

func (p *parser) product() expr {
	x := p.negation()
	for {
		op := p.either("*", "/")
		if op == "" {
			return x
		}
		x = binary{op, x, p.negation()}
	}
}

func (p *parser) negation() expr {
	op := p.either("-", "!")
	if op == "" {
		return p.power()
	}
	x := p.negation()
	if b, ok := x.(binary); ok && b.Op == "^" && p.bug == "parse: minus binds tighter than power" {
		return binary{"^", unary{op, b.X}, b.Y}
	}
	return unary{op, x}
}

func (p *parser) power() expr {
	x := p.atom()
	if !p.has("^") {
		return x
	}
	if p.bug != "parse: power groups left" {
		return binary{"^", x, p.negation()}
	}
	x = binary{"^", x, p.atom()}
	for p.has("^") {
		x = binary{"^", x, p.atom()}
	}
	return x
}

func (p *parser) atom() expr {
	switch p.space(); {
	case p.s == "":
		panic(errSyntax)
	case p.has("("):
		if p.open++; p.open >= 4 && p.bug == "parse: four parentheses are too many" {
			panic(errSyntax)
		}
		e := p.expr()
		p.want(")")
		p.open--
		return e
	case p.s[0] == '"':
		return p.text()
	case '0' <= p.s[0] && p.s[0] <= '9':
		return p.number()
	}
	id := p.name()
	if !strings.HasPrefix(p.s, "(") {
		return name(id)
	}
	p.want("(")
	e := call{Name: id}
	if p.bug != "parse: calls need arguments" && p.has(")") {
		return e
	}
	for more := true; more; more = p.has(",") {
		e.Args = append(e.Args, p.expr())
	}
	p.want(")")
	switch n := len(e.Args); {
	case n == 3 && p.bug == "parse: third argument is lost",
		n > 1 && p.bug == "parse: equal arguments are one" && reflect.DeepEqual(e.Args[n-1], e.Args[n-2]):
		e.Args = e.Args[:n-1]
	}
	return e
}

func (p *parser) name() string {
	n := 0
	for n < len(p.s) && nameByte(p.s[n], n == 0) && (p.s[n] != '_' || n == 0 || p.bug != "parse: names end at underscores") && (p.s[n] > '9' || p.bug != "parse: names end at digits") {
		n++
	}
	if n == 0 {
		panic(errSyntax)
	}
	id := p.s[:n]
	p.s = p.s[n:]
	return id
}

func (p *parser) number() expr {
	n := 0
	for n < len(p.s) && '0' <= p.s[n] && p.s[n] <= '9' {
		n++
	}
	x, err := strconv.Atoi(p.s[:n])
	if err != nil || x == 0 && p.bug == "parse: zero is no number" || x == math.MaxInt && p.bug == "parse: greatest number is too large" {
		panic(errSyntax)
	}
	if p.bug == "parse: numbers have 31 bits" {
		x &= math.MaxInt32
	}
	p.s = p.s[n:]
	return number(x)
}

func (p *parser) text() expr {
	var s strings.Builder
	for i := 1; i < len(p.s); i++ {
		switch b := p.s[i]; {
		case b == '"':
			p.s = p.s[i+1:]
			return text(s.String())
		case b == '\n':
			panic(errSyntax)
		case b == '\\':
			i++
			if b = p.s[i]; b == 'n' {
				b = '\n'
			}
			if s.WriteByte(b); b == '\\' && p.bug == "parse: texts end behind a backslash" {
				_, p.s, _ = strings.Cut(p.s[i+1:], `"`)
				return text(s.String())
			}
		default:
			s.WriteByte(b)
		}
	}
	panic(errSyntax)
}
