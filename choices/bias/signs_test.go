package bias_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/espalier-go/espalier/bigen"
)

// A signExpr is an arithmetic expression with a relation between its parts that examples may keep:
// minus stands within parentheses only, and plus outside of them only. It is a number, an operation
// or an expression in parentheses.
type signExpr struct {
	Op   string // "" for a number; "plus", "minus", "times" or "parens"
	N    int
	X, Y *signExpr
}

// String writes the expression. It shows how it is built only as far as its parentheses do.
func (e *signExpr) String() string {
	switch e.Op {
	case "":
		return fmt.Sprint(e.N)
	case "parens":
		return "(" + e.X.String() + ")"
	}
	return e.X.String() + map[string]string{
		"plus": "+", "minus": "-", "times": "*",
	}[e.Op] + e.Y.String()
}

// genSigns makes all expressions, whether they keep the relation or not.
var genSigns = newGenSigns()

func newGenSigns() bigen.Gen[*signExpr] {
	var expr bigen.Gen[*signExpr]
	self := bigen.Lazy(func() bigen.Gen[*signExpr] { return expr })
	operation := func(op string) bigen.Alt[*signExpr] {
		return bigen.Tag(op, bigen.New(func(c *bigen.C, e *signExpr) {
			e.Op = op
			bigen.At(c, &e.X, self)
			if op != "parens" {
				bigen.At(c, &e.Y, self)
			}
		}))
	}
	number := bigen.New(func(c *bigen.C, e *signExpr) { bigen.At(c, &e.N, bigen.IntRange(0, 99)) })
	expr = bigen.Pick(
		bigen.Tag("num", number).Weight(5), operation("plus"), operation("minus"),
		operation("times"), operation("parens"),
	)
	return expr
}

// keepsSigns reports whether e keeps the relation.
func keepsSigns(e *signExpr) bool { return keepsSignsWithin(e, false) }

func keepsSignsWithin(e *signExpr, within bool) bool {
	switch {
	case e.Op == "":
		return true
	case e.Op == "plus" && within, e.Op == "minus" && !within:
		return false
	case e.Op == "parens":
		return keepsSignsWithin(e.X, true)
	}
	return keepsSignsWithin(e.X, within) && keepsSignsWithin(e.Y, within)
}

// signExamples returns n expressions that keep the relation.
func signExamples(r *rand.Rand, n int) []*signExpr {
	all := make([]*signExpr, n)
	for i := range all {
		all[i] = signExample(r, 6, false)
	}
	return all
}

func signExample(r *rand.Rand, depth int, within bool) *signExpr {
	if depth == 0 || r.IntN(4) == 0 {
		return &signExpr{N: r.IntN(20)}
	}
	below := func() *signExpr { return signExample(r, depth-1, within) }
	switch r.IntN(4) {
	case 0:
		return &signExpr{Op: "times", X: below(), Y: below()}
	case 1:
		return &signExpr{Op: "parens", X: signExample(r, depth-1, true)}
	}
	if within {
		return &signExpr{Op: "minus", X: below(), Y: below()}
	}
	return &signExpr{Op: "plus", X: below(), Y: below()}
}
