package expr

import "fmt"

// Parse parses the expression s, which must not contain spaces.
func Parse(s string) (Expr, error) {
	p := parser{text: s}
	e, err := p.expr()
	if err == nil && p.pos < len(s) {
		err = p.unexpected()
	}
	if err != nil {
		return nil, err
	}
	return e, nil
}

// A parser has a function for each kind of expression.
type parser struct {
	text string
	pos  int
}

// next returns the next byte, 0 at the end.
func (p *parser) next() byte {
	if p.pos == len(p.text) {
		return 0
	}
	return p.text[p.pos]
}

func (p *parser) unexpected() error {
	if p.pos == len(p.text) {
		return fmt.Errorf("unexpected end of %q", p.text)
	}
	return fmt.Errorf("unexpected %q at %d in %q", p.next(), p.pos, p.text)
}

func (p *parser) expr() (Expr, error) {
	var e Expr
	e, err := p.term()
	for op := p.next(); err == nil && (op == '+' || op == '-'); op = p.next() {
		p.pos++
		var y Term
		if y, err = p.term(); op == '+' {
			e = Plus{e, y}
		} else {
			e = Minus{e, y}
		}
	}
	return e, err
}

func (p *parser) term() (Term, error) {
	var t Term
	t, err := p.factor()
	for op := p.next(); err == nil && (op == '*' || op == '/'); op = p.next() {
		p.pos++
		var y Factor
		if y, err = p.factor(); op == '*' {
			t = Times{t, y}
		} else {
			t = Div{t, y}
		}
	}
	return t, err
}

func (p *parser) factor() (Factor, error) {
	switch op := p.next(); {
	case op == '+' || op == '-':
		p.pos++
		x, err := p.factor()
		if op == '+' {
			return Pos{x}, err
		}
		return Neg{x}, err
	case op == '(':
		p.pos++
		x, err := p.expr()
		if err != nil {
			return nil, err
		}
		if p.next() != ')' {
			return nil, p.unexpected()
		}
		p.pos++
		return Parens{x}, nil
	}
	return p.digits()
}

func (p *parser) digits() (Digits, error) {
	c := p.next()
	if c < '0' || c > '9' {
		return nil, p.unexpected()
	}
	p.pos++
	d := Digit(c - '0')
	if c := p.next(); c < '0' || c > '9' {
		return d, nil
	}
	rest, err := p.digits()
	return More{d, rest}, err
}
