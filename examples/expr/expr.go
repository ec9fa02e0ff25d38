// Package expr parses, prints and evaluates arithmetic expressions. Tests of a parser
// need texts that are expressions, above all uncommon ones, and random texts are not
// expressions. expr_test.go makes them, and follow_test.go makes some that are like
// given examples, or unlike them.
package expr

import (
	"errors"
	"fmt"
	"math/big"
)

// An Expr is a sum: a [Plus], a [Minus] or any [Term].
type Expr interface {
	String() string
	expr()
}

// A Term is a product: a [Times], a [Div] or any [Factor].
type Term interface {
	Expr
	term()
}

// A Factor is a [Pos], a [Neg], a [Parens] or any [Digits].
type Factor interface {
	Term
	factor()
}

// Digits are an integer in decimal: a [Digit] or [More].
type Digits interface {
	Factor
	digits()
}

type (
	Plus struct {
		X Expr
		Y Term
	}
	Minus struct {
		X Expr
		Y Term
	}
	Times struct {
		X Term
		Y Factor
	}
	Div struct {
		X Term
		Y Factor
	}
	Pos    struct{ X Factor }
	Neg    struct{ X Factor }
	Parens struct{ X Expr }
	Digit  int
	More   struct {
		First Digit
		Rest  Digits
	}
)

func (Plus) expr()   {}
func (Minus) expr()  {}
func (Times) expr()  {}
func (Div) expr()    {}
func (Pos) expr()    {}
func (Neg) expr()    {}
func (Parens) expr() {}
func (Digit) expr()  {}
func (More) expr()   {}

func (Times) term()  {}
func (Div) term()    {}
func (Pos) term()    {}
func (Neg) term()    {}
func (Parens) term() {}
func (Digit) term()  {}
func (More) term()   {}

func (Pos) factor()    {}
func (Neg) factor()    {}
func (Parens) factor() {}
func (Digit) factor()  {}
func (More) factor()   {}

func (Digit) digits() {}
func (More) digits()  {}

func (e Plus) String() string   { return e.X.String() + "+" + e.Y.String() }
func (e Minus) String() string  { return e.X.String() + "-" + e.Y.String() }
func (e Times) String() string  { return e.X.String() + "*" + e.Y.String() }
func (e Div) String() string    { return e.X.String() + "/" + e.Y.String() }
func (e Pos) String() string    { return "+" + e.X.String() }
func (e Neg) String() string    { return "-" + e.X.String() }
func (e Parens) String() string { return "(" + e.X.String() + ")" }
func (d Digit) String() string  { return fmt.Sprint(int(d)) }
func (d More) String() string   { return d.First.String() + d.Rest.String() }

// ErrDivision is the error of [Eval] for a division by zero.
var ErrDivision = errors.New("division by zero")

// Eval returns the value of e.
func Eval(e Expr) (*big.Rat, error) {
	switch e := e.(type) {
	case Plus:
		return both(e.X, e.Y, (*big.Rat).Add)
	case Minus:
		return both(e.X, e.Y, (*big.Rat).Sub)
	case Times:
		return both(e.X, e.Y, (*big.Rat).Mul)
	case Div:
		if y, err := Eval(e.Y); err == nil && y.Sign() == 0 {
			return nil, ErrDivision
		}
		return both(e.X, e.Y, (*big.Rat).Quo)
	case Pos:
		return Eval(e.X)
	case Neg:
		x, err := Eval(e.X)
		if err != nil {
			return nil, err
		}
		return x.Neg(x), nil
	case Parens:
		return Eval(e.X)
	}
	n := new(big.Int)
	for e != nil {
		d, more := e.(More)
		if !more {
			d.First, _ = e.(Digit)
		}
		n.Add(n.Mul(n, big.NewInt(10)), big.NewInt(int64(d.First)))
		e = nil
		if more {
			e = d.Rest
		}
	}
	return new(big.Rat).SetInt(n), nil
}

func both(x, y Expr, op func(z, x, y *big.Rat) *big.Rat) (*big.Rat, error) {
	a, err := Eval(x)
	if err != nil {
		return nil, err
	}
	b, err := Eval(y)
	if err != nil {
		return nil, err
	}
	return op(new(big.Rat), a, b), nil
}
