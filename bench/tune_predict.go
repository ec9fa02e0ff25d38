package main

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune/predict"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/examples/expr"
	"github.com/espalier-go/espalier/examples/stlc"
)

// predictRows compare what is read off generators with what they make.
func predictRows() []row {
	errorOf := func(name string, measure func(n int) (float64, error)) row {
		return row{"tune/predict/" + name + "/largest error %", "values", oursAtMost(2), func(quick bool) (ours, base figure, err error) {
			n := 1_000_000
			if quick {
				n = 100_000
			}
			ours.value, err = measure(n)
			return ours, figure{value: float64(n)}, err
		}}
	}
	return []row{
		errorOf("expr", func(n int) (float64, error) { return largestError(newExprGrammar(8).exprs[8], n) }),
		errorOf("lambda", func(n int) (float64, error) { return largestError(genUntypedTerm(), n) }),
		{"tune/predict/genTerm/refused, with a witness", "generators", ratioAtLeast(1), func(bool) (ours, base figure, err error) {
			_, err = predict.Read(genTypedTerm(nil, stlc.Func{From: stlc.Bool{}, To: stlc.Bool{}}, 4))
			var refused *predict.ContextError
			if errors.As(err, &refused) && refused.A.Path != "" && refused.B.Path != "" {
				ours.value = 1
			}
			return ours, figure{value: 1}, nil
		}},
	}
}

// largestError returns by how many percent of the observed count a tag's predicted count is off,
// at most.
func largestError[A any](gen bigen.Gen[A], n int) (float64, error) {
	g, err := predict.Read(gen)
	if err != nil {
		return 0, err
	}
	observed, err := observeTags(gen, func(r *rand.Rand, _ choices.Prior) choices.Source { return choices.Random(r) }, nil, n)
	if err != nil {
		return 0, err
	}
	most := 0.0
	for tag, x := range observed {
		mean, _ := g.ExpectTags(predict.Unlimited, tag)
		most = max(most, 100*math.Abs(mean-x)/x)
	}
	return most, nil
}

// exprGrammar has the generators of examples/expr, for each depth.
type exprGrammar struct {
	exprs   []bigen.Gen[expr.Expr]
	terms   []bigen.Gen[expr.Term]
	factors []bigen.Gen[expr.Factor]
	digits  []bigen.Gen[expr.Digits]
}

func newExprGrammar(depth int) *exprGrammar {
	var tags []bigen.Alt[expr.Digit]
	for d := range 10 {
		tags = append(tags, bigen.Tag(fmt.Sprint(d), bigen.Just(expr.Digit(d))))
	}
	digit := bigen.Pick(tags...)
	g := &exprGrammar{}
	g.digits = append(g.digits, as[expr.Digits](digit))
	g.factors = append(g.factors, as[expr.Factor](g.digits[0]))
	g.terms = append(g.terms, as[expr.Term](g.factors[0]))
	g.exprs = append(g.exprs, as[expr.Expr](g.terms[0]))
	for n := range depth {
		x, t, f, d := g.exprs[n], g.terms[n], g.factors[n], g.digits[n]
		g.digits = append(g.digits, bigen.Pick(
			bigen.Case[expr.Digits]("digit", digit),
			bigen.Case[expr.Digits]("more", bigen.Struct(func(c *bigen.C, e *expr.More) {
				bigen.At(c, &e.First, digit)
				bigen.At(c, &e.Rest, d)
			}))))
		g.factors = append(g.factors, bigen.Pick(
			bigen.Case[expr.Factor]("digits", d),
			bigen.Case[expr.Factor]("pos", bigen.Struct(func(c *bigen.C, e *expr.Pos) { bigen.At(c, &e.X, f) })),
			bigen.Case[expr.Factor]("neg", bigen.Struct(func(c *bigen.C, e *expr.Neg) { bigen.At(c, &e.X, f) })),
			bigen.Case[expr.Factor]("parens", bigen.Struct(func(c *bigen.C, e *expr.Parens) { bigen.At(c, &e.X, x) }))))
		g.terms = append(g.terms, bigen.Pick(
			bigen.Case[expr.Term]("factor", f),
			bigen.Case[expr.Term]("times", bigen.Struct(func(c *bigen.C, e *expr.Times) {
				bigen.At(c, &e.X, t)
				bigen.At(c, &e.Y, f)
			})),
			bigen.Case[expr.Term]("div", bigen.Struct(func(c *bigen.C, e *expr.Div) {
				bigen.At(c, &e.X, t)
				bigen.At(c, &e.Y, f)
			}))))
		g.exprs = append(g.exprs, bigen.Pick(
			bigen.Case[expr.Expr]("term", t),
			bigen.Case[expr.Expr]("plus", bigen.Struct(func(c *bigen.C, e *expr.Plus) {
				bigen.At(c, &e.X, x)
				bigen.At(c, &e.Y, t)
			})),
			bigen.Case[expr.Expr]("minus", bigen.Struct(func(c *bigen.C, e *expr.Minus) {
				bigen.At(c, &e.X, x)
				bigen.At(c, &e.Y, t)
			}))))
	}
	return g
}

// as makes the values of g as values of the interface type I, without a choice.
func as[I, V any](g bigen.Gen[V]) bigen.Gen[I] {
	return bigen.Iso(g,
		func(v V) I { return any(v).(I) },
		func(x I) (V, bool) { v, ok := any(x).(V); return v, ok })
}

// genUntypedTerm makes lambda terms, well-typed or not, of any depth.
func genUntypedTerm() bigen.Gen[stlc.Term] {
	sub := bigen.Lazy(genUntypedTerm)
	return bigen.Pick(
		bigen.Case[stlc.Term]("var", bigen.IntRange[stlc.Var](0, 4)).Weight(4),
		bigen.Case[stlc.Term]("lam", bigen.Struct(func(c *bigen.C, l *stlc.Lam) {
			bigen.At(c, &l.Arg, genLambdaType())
			bigen.At(c, &l.Body, sub)
		})).Weight(2),
		bigen.Case[stlc.Term]("app", bigen.Struct(func(c *bigen.C, a *stlc.App) {
			bigen.At(c, &a.Fun, sub)
			bigen.At(c, &a.Arg, sub)
		})).Weight(2))
}

func genLambdaType() bigen.Gen[stlc.Type] {
	return bigen.Pick(
		bigen.Tag("bool", bigen.Just[stlc.Type](stlc.Bool{})).Weight(2),
		bigen.Case[stlc.Type]("func", bigen.Struct(func(c *bigen.C, f *stlc.Func) {
			bigen.At(c, &f.From, bigen.Lazy(genLambdaType))
			bigen.At(c, &f.To, bigen.Lazy(genLambdaType))
		})))
}

// genTypedTerm is the generator of examples/stlc, without "if".
func genTypedTerm(env []stlc.Type, want stlc.Type, n int) bigen.Gen[stlc.Term] {
	var alts []bigen.Alt[stlc.Term]
	if f, ok := want.(stlc.Func); ok {
		alts = append(alts, bigen.Case[stlc.Term]("lam", bigen.Struct(func(c *bigen.C, l *stlc.Lam) {
			l.Arg = f.From
			bigen.At(c, &l.Body, genTypedTerm(stlc.Bind(env, f.From), f.To, max(0, n-1)))
		})))
	} else {
		alts = append(alts,
			bigen.Tag("false", bigen.Just[stlc.Term](stlc.Lit(false))),
			bigen.Tag("true", bigen.Just[stlc.Term](stlc.Lit(true))))
	}
	for v := range env {
		if env[len(env)-1-v] == want {
			alts = append(alts, bigen.Tag("", bigen.Just[stlc.Term](stlc.Var(v))))
		}
	}
	if n > 0 {
		alts = append(alts, bigen.Case[stlc.Term]("app", bigen.Struct(func(c *bigen.C, a *stlc.App) {
			arg := bigen.Let(c, a, func(a *stlc.App) (stlc.Type, bool) {
				t, err := stlc.TypeOf(env, a.Arg)
				return t, err == nil
			}, genLambdaType())
			bigen.At(c, &a.Fun, genTypedTerm(env, stlc.Func{From: arg, To: want}, n-1))
			bigen.At(c, &a.Arg, genTypedTerm(env, arg, n-1))
		})).Weight(2))
	}
	return bigen.Pick(alts...)
}
