package overflow

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gosource"
)

// An operation may lose bits.
type operation struct {
	node ast.Expr    // or nil
	stmt ast.Stmt    // which assigns to x; or nil
	op   token.Token // ( for a conversion, - without x for a negation
	x, y ast.Expr    // y is nil for x++ and x--, which add or subtract 1
	typ  types.Type  // of the result
}

func (op operation) pos() token.Pos {
	if op.stmt != nil {
		return op.stmt.Pos()
	}
	return op.node.Pos()
}

func (op operation) end() token.Pos {
	if op.stmt != nil {
		return op.stmt.End()
	}
	return op.node.End()
}

// operands are the expressions that the operation has as operands.
func (op operation) operands() (list []ast.Expr) {
	for _, x := range []ast.Expr{op.x, op.y} {
		if x != nil {
			list = append(list, x)
		}
	}
	return list
}

// mayOverflow reports whether an operation is one that loses bits for some values of its operands.
func (e *editor) mayOverflow(op operation) bool {
	if op.typ == nil || !signed(op.typ) {
		return false
	}
	switch op.op {
	case token.ADD, token.SUB, token.MUL, token.SHL:
		if op.x == nil && op.stmt == nil && e.takesBits(op.y) {
			return false
		}
	case token.QUO:
		if v := e.value(op.y); v != nil && constant.Compare(v, token.NEQ, constant.MakeInt64(-1)) {
			return false
		}
	case token.LPAREN:
		from := e.Info.TypeOf(op.x)
		if from == nil || !signed(from) || e.value(op.x) != nil {
			return false
		}
		if !generic(from) && !generic(op.typ) && e.Sizes.Sizeof(op.typ) >= e.Sizes.Sizeof(from) {
			return false
		}
	default:
		return false
	}
	return !e.fits(op)
}

// takesBits reports whether an expression converts an unsigned number, whose negation is then meant:
// -int64(u) is right even if u is 1<<63.
func (e *editor) takesBits(x ast.Expr) bool {
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 || !e.Info.Types[call.Fun].IsType() {
		return false
	}
	basic, ok := e.Info.TypeOf(call.Args[0]).Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsUnsigned != 0
}

// givesBits reports whether the innermost of these nodes, but for parentheses, is a conversion to an
// unsigned type: uint64(-x) is right even if x is the least number.
func (e *editor) givesBits(stack []ast.Node) bool {
	for i := len(stack) - 1; i >= 0; i-- {
		switch n := stack[i].(type) {
		case *ast.ParenExpr:
			continue
		case *ast.CallExpr:
			if !e.Info.Types[n.Fun].IsType() {
				return false
			}
			basic, ok := e.Info.TypeOf(n).Underlying().(*types.Basic)
			return ok && basic.Info()&types.IsUnsigned != 0
		}
		break
	}
	return false
}

// signed reports whether a type is a signed integer, or a type parameter that only integers have,
// some of them signed.
func signed(t types.Type) bool {
	if basic, ok := t.Underlying().(*types.Basic); ok {
		return basic.Info()&(types.IsInteger|types.IsUnsigned|types.IsUntyped) == types.IsInteger
	}
	param, ok := types.Unalias(t).(*types.TypeParam)
	if !ok {
		return false
	}
	terms := typeSet(param.Constraint(), nil)
	some := false
	for _, term := range terms {
		basic, ok := term.Underlying().(*types.Basic)
		if !ok || basic.Info()&types.IsInteger == 0 {
			return false
		}
		some = some || signed(basic)
	}
	return some
}

// typeSet returns the types of the unions of a constraint.
func typeSet(t types.Type, list []types.Type) []types.Type {
	i, ok := t.Underlying().(*types.Interface)
	if !ok {
		return append(list, t)
	}
	for j := range i.NumEmbeddeds() {
		switch embedded := i.EmbeddedType(j).(type) {
		case *types.Union:
			for k := range embedded.Len() {
				list = typeSet(embedded.Term(k).Type(), list)
			}
		default:
			list = typeSet(embedded, list)
		}
	}
	return list
}

func generic(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

// exact reports whether the functions that are called find the type of an operation by the types of
// its operands.
func (e *editor) exact(op operation) bool {
	switch {
	case op.op == token.LPAREN:
		return e.typed(op.x)
	case op.x == nil: // negation
		return e.typed(op.y)
	case op.op == token.SHL:
		if op.stmt == nil && e.value(op.x) != nil {
			basic, ok := types.Unalias(op.typ).(*types.Basic)
			ok = e.typedConstant(op.x) || ok && !untyped(basic)
			return ok && (e.value(op.y) != nil || e.typed(op.y))
		}
		return e.typed(op.x) && (e.value(op.y) != nil || e.typed(op.y))
	case op.stmt != nil:
		return op.y == nil || e.value(op.y) != nil || e.typed(op.y)
	}
	x, y := e.value(op.x) != nil, e.value(op.y) != nil
	return (x || e.typed(op.x)) && (y || e.typed(op.y))
}

// typedConstant reports whether a constant would be typed on its own.
func (e *editor) typedConstant(x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.BasicLit:
		return false
	case *ast.CallExpr:
		return e.Info.Types[x.Fun].IsType()
	case *ast.Ident:
		c, ok := e.Info.Uses[x].(*types.Const)
		return ok && !untyped(c.Type())
	case *ast.SelectorExpr:
		c, ok := e.Info.Uses[x.Sel].(*types.Const)
		return ok && !untyped(c.Type())
	case *ast.UnaryExpr:
		return e.typedConstant(x.X)
	case *ast.BinaryExpr:
		return e.typedConstant(x.X) || x.Op != token.SHL && x.Op != token.SHR && e.typedConstant(x.Y)
	}
	return false
}

func untyped(t types.Type) bool {
	basic, ok := t.(*types.Basic)
	return ok && basic.Info()&types.IsUntyped != 0
}

// typed reports whether an expression that is not constant would have its type as an argument, too.
func (e *editor) typed(x ast.Expr) bool {
	if e.checks[ast.Unparen(x)] {
		return true
	}
	switch x := ast.Unparen(x).(type) {
	case *ast.BinaryExpr:
		switch x.Op {
		case token.SHL, token.SHR:
			if e.value(x.X) != nil {
				return e.typedConstant(x.X)
			}
			return e.typed(x.X)
		case token.ADD, token.SUB, token.MUL, token.QUO, token.REM, token.AND, token.OR, token.XOR,
			token.AND_NOT:
			a, b := e.value(x.X) != nil, e.value(x.Y) != nil
			return (a || e.typed(x.X)) && (b || e.typed(x.Y)) && !(a && b)
		}
	case *ast.UnaryExpr:
		if x.Op == token.SUB || x.Op == token.ADD || x.Op == token.XOR {
			return e.typed(x.X)
		}
	}
	return gosource.Exact(e.Info, x)
}

// twice reports whether the text of an expression can stand in two places.
func (e *editor) twice(x ast.Expr) bool {
	return !strings.Contains(e.Of(x), "\n") && !strings.Contains(e.Of(x), "/*") &&
		gosource.Quiet(e.Info, x) && noLiterals(x)
}

func noLiterals(x ast.Expr) bool {
	none := true
	ast.Inspect(x, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit, *ast.CompositeLit:
			none = false
		}
		return none
	})
	return none
}
