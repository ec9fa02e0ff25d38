package planted

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
)

// GenExpr makes expressions, of 16 nodes on average.
func GenExpr() bigen.Gen[*Expr] {
	return bigen.Pick(
		bigen.Tag("var", bigen.New(func(c *bigen.C, e *Expr) {
			bigen.At(c, &e.Var, bigen.IntRange(0, NumVars-1))
		})).Weight(17),
		bigen.Tag("op", bigen.New(func(c *bigen.C, e *Expr) {
			bigen.At(c, &e.Op, bigen.IntRange[Op](1, NumOps))
			bigen.At(c, &e.L, GenExpr())
			bigen.At(c, &e.R, GenExpr())
		})).Weight(15),
	)
}

// CheckShare checks that the code of e has the value of e.
func CheckShare(t testing.TB, e *Expr) {
	var env [NumVars]int64
	for i := range env {
		n := int64(i)
		env[i] = 1_000_003*n*n + 7919*n + 31
	}
	if got, want := Compile(e).Run(&env), e.Eval(&env); got != want {
		t.Errorf("the code computes %d, want %d", got, want)
	}
}
