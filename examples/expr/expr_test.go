package expr_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigentest"
	"github.com/espalier-go/espalier/examples/expr"
	"github.com/espalier-go/espalier/fuzzext"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// A grammar makes expressions, each nested at most n deep. This is the generator of
// "Bigenerators, Exposed!", section 6.1, with its tags; that without division by
// zero is of section 6.1.2.
type grammar struct{ divides bool } // whether the divisor must not be zero

// depth is the depth of fuzzed expressions, with room for several operators and
// digits.
const depth = 8

func genExpr(n int) bigen.Gen[expr.Expr] { return grammar{}.expr(n) }

// genDefined makes expressions that have a value.
func genDefined(n int) bigen.Gen[expr.Expr] { return grammar{divides: true}.expr(n) }

func (g grammar) expr(n int) bigen.Gen[expr.Expr] {
	if n == 0 {
		return as[expr.Expr](g.term(0))
	}
	return bigen.Pick(
		bigen.Case[expr.Expr]("term", g.term(n-1)),
		bigen.Case[expr.Expr]("plus", bigen.Struct(func(c *bigen.C, e *expr.Plus) {
			bigen.At(c, &e.X, g.expr(n-1))
			bigen.At(c, &e.Y, g.term(n-1))
		})),
		bigen.Case[expr.Expr]("minus", bigen.Struct(func(c *bigen.C, e *expr.Minus) {
			bigen.At(c, &e.X, g.expr(n-1))
			bigen.At(c, &e.Y, g.term(n-1))
		})),
	)
}

func (g grammar) term(n int) bigen.Gen[expr.Term] {
	if n == 0 {
		return as[expr.Term](g.factor(0))
	}
	return bigen.Pick(
		bigen.Case[expr.Term]("factor", g.factor(n-1)),
		bigen.Case[expr.Term]("times", bigen.Struct(func(c *bigen.C, e *expr.Times) {
			bigen.At(c, &e.X, g.term(n-1))
			bigen.At(c, &e.Y, g.factor(n-1))
		})),
		bigen.Case[expr.Term]("div", bigen.Struct(func(c *bigen.C, e *expr.Div) {
			bigen.At(c, &e.X, g.term(n-1))
			bigen.At(c, &e.Y, g.divisor(n-1))
		})),
	)
}

// divisor makes factors that are not zero. (In the paper, a zero divisor turns x/y
// into x; then x is made in two ways, and backward, only one of them is seen.)
func (g grammar) divisor(n int) bigen.Gen[expr.Factor] {
	if !g.divides {
		return g.factor(n)
	}
	return bigen.SuchThat(g.factor(n), func(e expr.Factor) bool {
		v, err := expr.Eval(e)
		return err == nil && v.Sign() != 0
	}, expr.Factor(expr.Digit(1)))
}

func (g grammar) factor(n int) bigen.Gen[expr.Factor] {
	if n == 0 {
		return as[expr.Factor](genDigits(0))
	}
	return bigen.Pick(
		bigen.Case[expr.Factor]("digits", genDigits(n-1)),
		bigen.Case[expr.Factor]("pos",
			bigen.Struct(func(c *bigen.C, e *expr.Pos) { bigen.At(c, &e.X, g.factor(n-1)) })),
		bigen.Case[expr.Factor]("neg",
			bigen.Struct(func(c *bigen.C, e *expr.Neg) { bigen.At(c, &e.X, g.factor(n-1)) })),
		bigen.Case[expr.Factor]("parens",
			bigen.Struct(func(c *bigen.C, e *expr.Parens) { bigen.At(c, &e.X, g.expr(n-1)) })),
	)
}

func genDigits(n int) bigen.Gen[expr.Digits] {
	if n == 0 {
		return as[expr.Digits](genDigit)
	}
	return bigen.Pick(
		bigen.Case[expr.Digits]("digit", genDigit),
		bigen.Case[expr.Digits]("more", bigen.Struct(func(c *bigen.C, d *expr.More) {
			bigen.At(c, &d.First, genDigit)
			bigen.At(c, &d.Rest, genDigits(n-1))
		})),
	)
}

// genDigit picks a digit by its name, so that examples can be followed to it.
var genDigit = func() bigen.Gen[expr.Digit] {
	var digits []bigen.Alt[expr.Digit]
	for d := range 10 {
		digits = append(digits, bigen.Tag(fmt.Sprint(d), bigen.Just(expr.Digit(d))))
	}
	return bigen.Pick(digits...)
}()

// as makes the values of g as values of the interface type I, without a choice.
func as[I, V any](g bigen.Gen[V]) bigen.Gen[I] {
	return bigen.Iso(g,
		func(v V) I { return any(v).(I) },
		func(x I) (V, bool) { v, ok := any(x).(V); return v, ok })
}

func defined(e expr.Expr) error {
	_, err := expr.Eval(e)
	return err
}

func TestGenerators(t *testing.T) {
	few := bigentest.Runs(long.Count(3, 100))
	bigentest.Laws(t, genExpr(4), few)
	bigentest.Laws(t, genDefined(4), few)
	bigentest.Sound(t, genDefined(6), defined, few)
	bigentest.Complete(t, genExpr(3), defined, genDefined(3), few)

	zero, err := expr.Parse("1/(2-02)")
	require.NoError(t, err)
	require.NoError(t, bigen.Check(genExpr(9), zero))
	require.ErrorContains(t, bigen.Check(genDefined(9), zero), "at /term/div/Y: expr.Parens{")
}

// Left-recursive expressions are read backward in one pass: of the alternatives,
// one has their type.
func TestLong(t *testing.T) {
	e, err := expr.Parse(strings.Repeat("(1+2)*3-", 300) + "4")
	require.NoError(t, err)
	tree, err := bigen.Choices(genExpr(1000), e)
	require.NoError(t, err)
	require.Equal(t, "minus(minus(", tree.String()[:12])
}

func TestParseErrors(t *testing.T) {
	for _, s := range []string{"", "1+", "(1", "1)", "()", "1 2", "*1", "1**2", "a"} {
		_, err := expr.Parse(s)
		require.ErrorContains(t, err, "unexpected", s)
	}
}

// A printed expression parses to the same expression.
func FuzzParse(f *testing.F) {
	fuzzext.Add(f, genExpr(depth), seeds()...)
	f.Fuzz(fuzzext.Valid(genExpr(depth), func(t *fuzzext.T, e expr.Expr) {
		parsed, err := expr.Parse(e.String())
		require.NoError(t, err)
		require.Equal(t, e, parsed)
	}))
}

// The value is the same as by Go's parser and constants.
func FuzzEval(f *testing.F) {
	fuzzext.Add(f, genExpr(depth), seeds()...)
	f.Fuzz(fuzzext.Valid(genExpr(depth), func(t *fuzzext.T, e expr.Expr) {
		got, err := expr.Eval(e)
		want, ok := evalGo(t, e.String())
		require.Equal(t, ok, err == nil, "%v", e)
		if err != nil {
			require.ErrorIs(t, err, expr.ErrDivision)
			return
		}
		require.Equal(t, want.ExactString(), strings.TrimSuffix(got.String(), "/1"), "%v", e)
	}))
}

// seeds returns a few expressions known to be interesting, and random ones.
func seeds() []expr.Expr {
	list := []expr.Expr{mustParse("1*(2+3)"), mustParse("-+7/012"), mustParse("1/(2-02)")}
	r := rand.New(rand.NewPCG(1, 1))
	for range 100 {
		list = append(list, bigen.Sample(genExpr(depth), r))
	}
	return list
}

var (
	leadingZeros = regexp.MustCompile(`\b0+(\d)`)
	numbers      = regexp.MustCompile(`\d+`)
)

// evalGo returns the value of s as an expression of Go, and false if it has none.
func evalGo(t *fuzzext.T, s string) (constant.Value, bool) {
	s = numbers.ReplaceAllString(leadingZeros.ReplaceAllString(s, "$1"), " $0 ")
	s = strings.ReplaceAll(strings.ReplaceAll(s, "+", " + "), "-", " - ")
	e, err := parser.ParseExpr(s)
	require.NoError(t, err)
	v, err := evalAST(e)
	return v, err == nil
}

func evalAST(e ast.Expr) (constant.Value, error) {
	switch e := e.(type) {
	case *ast.BasicLit:
		return constant.MakeFromLiteral(e.Value, e.Kind, 0), nil
	case *ast.ParenExpr:
		return evalAST(e.X)
	case *ast.UnaryExpr:
		x, err := evalAST(e.X)
		if err != nil {
			return nil, err
		}
		return constant.UnaryOp(e.Op, x, 0), nil
	case *ast.BinaryExpr:
		x, err := evalAST(e.X)
		if err != nil {
			return nil, err
		}
		y, err := evalAST(e.Y)
		if err != nil {
			return nil, err
		}
		if e.Op == token.QUO && constant.Sign(y) == 0 {
			return nil, errors.New("division by zero")
		}
		return constant.BinaryOp(x, e.Op, y), nil
	}
	return nil, fmt.Errorf("%T", e)
}

func mustParse(s string) expr.Expr {
	e, err := expr.Parse(s)
	if err != nil {
		panic(err)
	}
	return e
}
