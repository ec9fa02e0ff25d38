package shprograms

import "mvdan.cc/sh/v3/syntax"

// arithm is an arithmetic expression.
type arithm interface{ expr() syntax.ArithmExpr }

type number struct{ Value digits }

func (n number) expr() syntax.ArithmExpr { return wordOf(lit(n.Value)) }

type variable struct{ Name name }

func (v variable) expr() syntax.ArithmExpr { return wordOf(lit(v.Name)) }

type expanded struct{ Param *syntax.ParamExp }

func (e expanded) expr() syntax.ArithmExpr { return wordOf(e.Param) }

type unary struct {
	Op syntax.UnAritOperator
	X  arithm
}

func (u unary) expr() syntax.ArithmExpr {
	return &syntax.UnaryArithm{Op: u.Op, X: operand(u.X, true)}
}

type stepOp uint32

const (
	increment stepOp = stepOp(syntax.Inc)
	decrement stepOp = stepOp(syntax.Dec)
)

func (o stepOp) String() string { return syntax.UnAritOperator(o).String() }

type step struct {
	Op   stepOp
	Post bool
	Name name
}

func (s step) expr() syntax.ArithmExpr {
	return &syntax.UnaryArithm{Op: syntax.UnAritOperator(s.Op), Post: s.Post, X: wordOf(lit(s.Name))}
}

type binary struct {
	Op   syntax.BinAritOperator
	X, Y arithm
}

func (b binary) expr() syntax.ArithmExpr {
	return &syntax.BinaryArithm{Op: b.Op, X: operand(b.X, false), Y: operand(b.Y, false)}
}

type assignOp syntax.BinAritOperator

func (o assignOp) String() string { return syntax.BinAritOperator(o).String() }

func assignOps() []assignOp {
	var ops []assignOp
	for _, op := range []syntax.BinAritOperator{syntax.Assgn, syntax.AddAssgn, syntax.SubAssgn, syntax.MulAssgn, syntax.QuoAssgn,
		syntax.RemAssgn, syntax.AndAssgn, syntax.OrAssgn, syntax.XorAssgn, syntax.ShlAssgn, syntax.ShrAssgn} {
		ops = append(ops, assignOp(op))
	}
	return ops
}

type assignment struct {
	Op   assignOp
	Name name
	X    arithm
}

func (a assignment) expr() syntax.ArithmExpr {
	return &syntax.BinaryArithm{Op: syntax.BinAritOperator(a.Op), X: wordOf(lit(a.Name)), Y: a.X.expr()}
}

type ternary struct{ Cond, Then, Else arithm }

func (t ternary) expr() syntax.ArithmExpr {
	return &syntax.BinaryArithm{Op: syntax.TernQuest, X: operand(t.Cond, false), Y: &syntax.BinaryArithm{
		Op: syntax.TernColon, X: operand(t.Then, false), Y: operand(t.Else, false)}}
}

type parens struct{ X arithm }

func (p parens) expr() syntax.ArithmExpr { return &syntax.ParenArithm{X: p.X.expr()} }

// operand returns x, in parentheses where it would be read otherwise.
func operand(x arithm, ofUnary bool) syntax.ArithmExpr {
	switch x.(type) {
	case unary, step, binary:
		if ofUnary {
			return &syntax.ParenArithm{X: x.expr()}
		}
	case assignment, ternary:
		return &syntax.ParenArithm{X: x.expr()}
	}
	return x.expr()
}

// test is an expression between double brackets.
type test interface{ test() syntax.TestExpr }

type testWord struct{ Word *syntax.Word }

func (t testWord) test() syntax.TestExpr { return t.Word }

type testUnary struct {
	Op   syntax.UnTestOperator
	Word *syntax.Word
}

func (t testUnary) test() syntax.TestExpr { return &syntax.UnaryTest{Op: t.Op, X: t.Word} }

type testBinary struct {
	Op   syntax.BinTestOperator
	X, Y *syntax.Word
}

func (t testBinary) test() syntax.TestExpr { return &syntax.BinaryTest{Op: t.Op, X: t.X, Y: t.Y} }

type testMatch struct {
	X       *syntax.Word
	Pattern digits
}

func (t testMatch) test() syntax.TestExpr {
	return &syntax.BinaryTest{Op: syntax.TsReMatch, X: t.X, Y: wordOf(lit(t.Pattern))}
}

type testNot struct{ X test }

func (t testNot) test() syntax.TestExpr {
	return &syntax.UnaryTest{Op: syntax.TsNot, X: &syntax.ParenTest{X: t.X.test()}}
}

type testLogicOp syntax.BinTestOperator

const (
	testAnd = testLogicOp(syntax.AndTest)
	testOr  = testLogicOp(syntax.OrTest)
)

func (o testLogicOp) String() string { return syntax.BinTestOperator(o).String() }

type testLogic struct {
	Op   testLogicOp
	X, Y test
}

func (t testLogic) test() syntax.TestExpr {
	return &syntax.BinaryTest{Op: syntax.BinTestOperator(t.Op), X: t.X.test(), Y: t.Y.test()}
}

type testParens struct{ X test }

func (t testParens) test() syntax.TestExpr { return &syntax.ParenTest{X: t.X.test()} }
