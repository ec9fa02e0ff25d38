package mistake

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"strconv"
)

// otherNumber returns a literal number in a constant expression, what is written for it, and the
// value that the expression then has. It is the first literal that makes a difference, or nil.
func (e *editor) otherNumber(x ast.Expr) (at ast.Expr, shown string, value constant.Value) {
	was := e.Info.Types[x].Value
	ast.Inspect(x, func(n ast.Node) bool {
		literal, ok := n.(*ast.BasicLit)
		if !ok || at != nil || literal.Kind == token.STRING || literal.Kind == token.IMAG {
			return true
		}
		other := nearer(constant.MakeFromLiteral(literal.Value, literal.Kind, 0))
		text := numberText(other)
		if r, ok := constant.Int64Val(constant.ToInt(other)); ok && literal.Kind == token.CHAR &&
			r >= ' ' && strconv.IsPrint(rune(r)) {
			text = strconv.QuoteRune(rune(r))
		}
		if v := e.with(x, literal, text); v != nil && !constant.Compare(v, token.EQL, was) {
			at, shown, value = literal, text, v
		}
		return true
	})
	return at, shown, value
}

// with returns the value of a constant expression with another literal, or nil if its type does not
// have it.
func (e *editor) with(x ast.Expr, literal *ast.BasicLit, text string) constant.Value {
	pkg, typ := e.pkg(), e.Info.Types[x].Type
	code := e.Between(x.Pos(), literal.Pos()) + text + e.Between(literal.End(), x.End())
	if _, ok := types.Unalias(typ).(*types.TypeParam); !ok {
		name, ok := e.typeText(typ)
		if !ok {
			return nil
		}
		code = name + "(" + code + ")"
	}
	parsed, err := parser.ParseExprFrom(token.NewFileSet(), "", code, 0)
	if pkg == nil || err != nil {
		return nil
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	if err := types.CheckExpr(token.NewFileSet(), pkg, x.Pos(), parsed, info); err != nil {
		return nil
	}
	if v := info.Types[parsed].Value; v != nil &&
		(v.Kind() == constant.Int || v.Kind() == constant.Float) {
		return v
	}
	return nil
}

// pkg returns the package that is edited, or nil if it declares nothing.
func (p *Package) pkg() *types.Package {
	for _, obj := range p.Info.Defs {
		if obj != nil && obj.Pkg() != nil {
			return obj.Pkg()
		}
	}
	return nil
}

// nearer returns a number that is one nearer to zero, and 1 for 0. So it fits all types that have
// the number.
func nearer(v constant.Value) constant.Value {
	one := constant.MakeInt64(1)
	switch {
	case constant.Sign(v) == 0:
		return one
	case constant.Compare(v, token.LSS, one):
		return constant.MakeInt64(0)
	}
	return constant.BinaryOp(v, token.SUB, one)
}

// numberText returns a number as code.
func numberText(v constant.Value) string {
	if v.Kind() == constant.Int {
		return v.ExactString()
	}
	f, _ := constant.Float64Val(v)
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// sameBoundary leaves the number as it is that an integer is compared with, if another number makes
// the same mistake as another operator: x < 1 is x <= 0.
func (e *editor) sameBoundary(x *ast.BinaryExpr) {
	number, op := x.Y, x.Op
	if e.Info.Types[number].Value == nil {
		number, op = x.X, mirrored[x.Op]
	}
	tv := e.Info.Types[number]
	b, ok := tv.Type.Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsInteger == 0 || tv.Value == nil {
		return
	}
	by := token.ADD // x < c+1 is x <= c, and x >= c+1 is x > c
	if op == token.LEQ || op == token.GTR {
		by = token.SUB
	}
	_, _, other := e.otherNumber(number)
	if other != nil &&
		constant.Compare(other, token.EQL, constant.BinaryOp(tv.Value, by, constant.MakeInt64(1))) {
		e.asIs[number] = true
	}
}

// mirrored are the operators of comparisons whose operands change places.
var mirrored = map[token.Token]token.Token{
	token.LSS: token.GTR, token.GTR: token.LSS, token.LEQ: token.GEQ, token.GEQ: token.LEQ,
}
