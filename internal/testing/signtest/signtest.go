// Package signtest has arithmetic expressions, and a relation between their parts that examples
// may keep: minus stands within parentheses only, and plus outside of them only.
package signtest

import (
	"fmt"
	"math/rand/v2"

	"github.com/espalier-go/espalier/bigen"
)

// An Expr is a number, an operation or an expression in parentheses.
type Expr struct {
	Op   string // "" for a number; "plus", "minus", "times" or "parens"
	N    int
	X, Y *Expr
}

// String writes the expression. It shows how it is built only as far as its parentheses do.
func (e *Expr) String() string {
	switch e.Op {
	case "":
		return fmt.Sprint(e.N)
	case "parens":
		return "(" + e.X.String() + ")"
	}
	return e.X.String() + map[string]string{"plus": "+", "minus": "-", "times": "*"}[e.Op] + e.Y.String()
}

// Gen makes all expressions, whether they keep the relation or not.
var Gen = gen()

func gen() bigen.Gen[*Expr] {
	var expr bigen.Gen[*Expr]
	self := bigen.Lazy(func() bigen.Gen[*Expr] { return expr })
	operation := func(op string) bigen.Alt[*Expr] {
		return bigen.Tag(op, bigen.New(func(c *bigen.C, e *Expr) {
			e.Op = op
			bigen.At(c, &e.X, self)
			if op != "parens" {
				bigen.At(c, &e.Y, self)
			}
		}))
	}
	number := bigen.New(func(c *bigen.C, e *Expr) { bigen.At(c, &e.N, bigen.IntRange(0, 99)) })
	expr = bigen.Pick(bigen.Tag("num", number).Weight(5), operation("plus"), operation("minus"), operation("times"), operation("parens"))
	return expr
}

// Keeps reports whether e keeps the relation.
func Keeps(e *Expr) bool { return keeps(e, false) }

func keeps(e *Expr, within bool) bool {
	switch {
	case e.Op == "":
		return true
	case e.Op == "plus" && within, e.Op == "minus" && !within:
		return false
	case e.Op == "parens":
		return keeps(e.X, true)
	}
	return keeps(e.X, within) && keeps(e.Y, within)
}

// Examples returns n expressions that keep the relation.
func Examples(r *rand.Rand, n int) []*Expr {
	all := make([]*Expr, n)
	for i := range all {
		all[i] = example(r, 6, false)
	}
	return all
}

func example(r *rand.Rand, depth int, within bool) *Expr {
	if depth == 0 || r.IntN(4) == 0 {
		return &Expr{N: r.IntN(20)}
	}
	below := func() *Expr { return example(r, depth-1, within) }
	switch r.IntN(4) {
	case 0:
		return &Expr{Op: "times", X: below(), Y: below()}
	case 1:
		return &Expr{Op: "parens", X: example(r, depth-1, true)}
	}
	if within {
		return &Expr{Op: "minus", X: below(), Y: below()}
	}
	return &Expr{Op: "plus", X: below(), Y: below()}
}
