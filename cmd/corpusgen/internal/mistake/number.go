package mistake

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"
	"unicode/utf8"
)

// otherNumber returns a literal number in a constant expression, what identifies another one, what is
// written for it, and the value that the expression then has. It is the first literal that makes a
// difference, or nil.
func (e *editor) otherNumber(x ast.Expr) (at ast.Expr, id, shown string, value constant.Value) {
	was := e.Info.Types[x].Value
	ast.Inspect(x, func(n ast.Node) bool {
		literal, ok := n.(*ast.BasicLit)
		if !ok || at != nil || literal.Kind == token.STRING || literal.Kind == token.IMAG {
			return true
		}
		other := nearer(constant.MakeFromLiteral(literal.Value, literal.Kind, 0))
		text := constantText(other)
		if r, ok := constant.Int64Val(constant.ToInt(other)); ok && literal.Kind == token.CHAR &&
			r >= ' ' && strconv.IsPrint(rune(r)) {
			text = strconv.QuoteRune(rune(r))
		}
		written := likeLiteral(literal, text)
		if v := e.with(x, literal, written); v != nil && !constant.Compare(v, token.EQL, was) {
			at, id, shown, value = literal, text, written, v
		}
		return true
	})
	return at, id, shown, value
}

// with returns the value of a constant expression with another literal, or nil if its type does not
// have it.
func (e *editor) with(x ast.Expr, literal *ast.BasicLit, text string) constant.Value {
	typ := e.Info.Types[x].Type
	code := e.Between(x.Pos(), literal.Pos()) + text + e.Between(literal.End(), x.End())
	if _, ok := types.Unalias(typ).(*types.TypeParam); !ok {
		name, ok := e.typeText(typ)
		if !ok {
			return nil
		}
		code = name + "(" + code + ")"
	}
	tv, ok := e.check(x.Pos(), code)
	if v := tv.Value; ok && v != nil && (v.Kind() == constant.Int || v.Kind() == constant.Float) {
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

// constantText returns a constant as code.
func constantText(v constant.Value) string {
	if v.Kind() != constant.Float {
		return v.ExactString()
	}
	f, _ := constant.Float64Val(v)
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// likeLiteral returns the text of a number as a literal of the same kind: in place of another kind,
// an expression may have another type.
func likeLiteral(literal *ast.BasicLit, text string) string {
	switch r, err := strconv.ParseInt(text, 0, 32); {
	case literal.Kind == token.CHAR && err == nil && utf8.ValidRune(rune(r)):
		return strconv.QuoteRune(rune(r))
	case literal.Kind == token.FLOAT && !strings.ContainsAny(text, ".e"):
		return text + ".0"
	}
	return text
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
	_, _, _, other := e.otherNumber(number)
	if other != nil &&
		constant.Compare(other, token.EQL, constant.BinaryOp(tv.Value, by, constant.MakeInt64(1))) {
		e.asIs[number] = true
	}
}

// mirrored are the operators of comparisons whose operands change places.
var mirrored = map[token.Token]token.Token{
	token.LSS: token.GTR, token.GTR: token.LSS, token.LEQ: token.GEQ, token.GEQ: token.LEQ,
}
