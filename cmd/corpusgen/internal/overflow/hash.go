package overflow

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// mixed are variables and fields whose bits a function mixes, as hash functions and generators of
// random numbers do: it multiplies them by a large odd constant, or combines them by ^ and shifts
// them.
type mixed map[types.Object]bool

// large is the least odd factor that mixes bits.
const large = 1 << 16

// looksLikeHashing reports whether an operation in a function mixes bits, or is arithmetic with what
// the function mixes.
func (e *editor) looksLikeHashing(op operation, f ast.Node, stack []ast.Node) bool {
	if op.op == token.MUL && (e.isLargeOdd(op.x) || op.y != nil && e.isLargeOdd(op.y)) {
		return true
	}
	mix, ok := e.hashes[f]
	if !ok {
		mix = e.findMixed(f)
		e.hashes[f] = mix
	}
	if len(mix) == 0 {
		return false
	}
	found := false
	for _, x := range op.operands() {
		e.arithmetic(x, func(obj types.Object) { found = found || mix[obj] })
	}
	for i := len(stack) - 1; i >= 0 && !found; i-- {
		switch n := stack[i].(type) {
		case *ast.ParenExpr, *ast.UnaryExpr, *ast.BinaryExpr, *ast.CallExpr:
			if call, ok := n.(*ast.CallExpr); ok && !e.Info.Types[call.Fun].IsType() {
				return false
			}
			continue
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				e.arithmetic(x, func(obj types.Object) { found = found || mix[obj] })
			}
		}
		break
	}
	return found
}

func (e *editor) isLargeOdd(x ast.Expr) bool {
	v := e.value(x)
	if v == nil {
		return false
	}
	if v = constant.ToInt(v); v.Kind() != constant.Int {
		return false
	}
	odd := constant.BinaryOp(v, token.AND, constant.MakeInt64(1))
	if constant.Sign(v) < 0 {
		v = constant.UnaryOp(token.SUB, v, 0)
	}
	return constant.Sign(odd) != 0 && constant.Compare(v, token.GEQ, constant.MakeInt64(large))
}

// arithmetic calls f with the variables and fields that an integer is computed from.
func (e *editor) arithmetic(x ast.Expr, f func(types.Object)) {
	switch x := x.(type) {
	case *ast.ParenExpr:
		e.arithmetic(x.X, f)
	case *ast.UnaryExpr:
		e.arithmetic(x.X, f)
	case *ast.BinaryExpr:
		e.arithmetic(x.X, f)
		if x.Op != token.SHL && x.Op != token.SHR {
			e.arithmetic(x.Y, f)
		}
	case *ast.StarExpr:
		e.arithmetic(x.X, f)
	case *ast.IndexExpr:
		e.arithmetic(x.X, f)
	case *ast.CallExpr:
		if len(x.Args) == 1 && e.Info.Types[x.Fun].IsType() {
			e.arithmetic(x.Args[0], f)
		}
	case *ast.SelectorExpr:
		if obj := e.Info.Uses[x.Sel]; obj != nil {
			f(obj)
		}
	case *ast.Ident:
		if obj, ok := e.Info.ObjectOf(x).(*types.Var); ok {
			f(obj)
		}
	}
}

// findMixed returns what a function mixes.
func (e *editor) findMixed(f ast.Node) mixed {
	combined, shifted, found := mixed{}, mixed{}, mixed{}
	all := func(in mixed, list ...ast.Expr) {
		for _, x := range list {
			e.arithmetic(x, func(obj types.Object) { in[obj] = true })
		}
	}
	operator := func(op token.Token, x, y ast.Expr, to ...ast.Expr) {
		switch op {
		case token.XOR:
			all(combined, append(to, x, y)...)
		case token.SHL, token.SHR:
			all(shifted, append(to, x)...)
		case token.MUL:
			if e.isLargeOdd(x) || e.isLargeOdd(y) {
				all(found, append(to, x, y)...)
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			operator(n.Op, n.X, n.Y)
		case *ast.AssignStmt:
			if len(n.Lhs) != 1 || len(n.Rhs) != 1 {
				return true
			}
			x, y := n.Lhs[0], n.Rhs[0]
			switch n.Tok {
			case token.XOR_ASSIGN:
				operator(token.XOR, x, y)
			case token.SHL_ASSIGN, token.SHR_ASSIGN:
				operator(token.SHL, x, nil)
			case token.MUL_ASSIGN:
				operator(token.MUL, x, y)
			case token.ASSIGN, token.DEFINE:
				if b, ok := ast.Unparen(y).(*ast.BinaryExpr); ok {
					operator(b.Op, b.X, b.Y, x)
				}
			}
		}
		return true
	})
	for obj := range combined {
		found[obj] = found[obj] || shifted[obj]
	}
	for obj, is := range found {
		if !is {
			delete(found, obj)
		}
	}
	return found
}
