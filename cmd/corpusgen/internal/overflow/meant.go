package overflow

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// isMeant reports whether the code around an operation reckons with bits that are lost: it tests the
// result for that, or takes a shifted 1 as a bit.
func (e *editor) isMeant(op operation, stack []ast.Node) bool {
	return e.isBit(op, stack) || e.isTested(op, stack)
}

// isBit reports whether an operation shifts a 1 that is then an operand of &, |, ^ or &^, also as the
// mask 1<<n - 1, or converted.
func (e *editor) isBit(op operation, stack []ast.Node) bool {
	switch {
	case op.stmt != nil:
		return false
	case op.op == token.SUB:
		x := ast.Unparen(op.x)
		if call, ok := x.(*ast.CallExpr); ok && len(call.Args) == 1 && e.Info.Types[call.Fun].IsType() {
			x = ast.Unparen(call.Args[0])
		}
		if b, ok := x.(*ast.BinaryExpr); !ok || b.Op != token.SHL || !e.isOne(b.X) || !e.isOne(op.y) {
			return false
		}
	case op.op != token.SHL || !e.isOne(op.x):
		return false
	}
	for i := len(stack) - 1; i >= 0; i-- {
		switch parent := stack[i].(type) {
		case *ast.ParenExpr:
			continue
		case *ast.CallExpr:
			if len(parent.Args) == 1 && e.Info.Types[parent.Fun].IsType() {
				continue
			}
		case *ast.BinaryExpr:
			switch parent.Op {
			case token.AND, token.OR, token.XOR, token.AND_NOT:
				return true
			case token.SUB:
				if op.op == token.SHL && e.isOne(parent.Y) {
					continue
				}
			}
		case *ast.AssignStmt:
			switch parent.Tok {
			case token.AND_ASSIGN, token.OR_ASSIGN, token.XOR_ASSIGN, token.AND_NOT_ASSIGN:
				return true
			}
		}
		break
	}
	return false
}

// isOne reports whether an expression is the constant 1, perhaps converted.
func (e *editor) isOne(x ast.Expr) bool {
	v := e.value(x)
	return v != nil && v.Kind() == constant.Int && constant.Compare(v, token.EQL, constant.MakeInt64(1))
}

// isTested reports whether a sum, a difference or a product is compared in a way that says whether it
// has wrapped around: where it stands, or, if it is assigned to a variable, in the condition of the
// next statement, or of the if statement that assigns it.
func (e *editor) isTested(op operation, stack []ast.Node) bool {
	if op.op != token.ADD && op.op != token.SUB && op.op != token.MUL || op.x == nil {
		return false
	}
	parent, above := around(stack)
	result, after := ast.Expr(nil), ast.Stmt(op.stmt)
	switch parent := parent.(type) {
	case *ast.BinaryExpr:
		return op.stmt == nil && e.tells(parent, op, func(x ast.Expr) bool {
			return ast.Unparen(x) == op.node
		})
	case *ast.AssignStmt:
		if op.stmt == nil && len(parent.Lhs) == 1 && ast.Unparen(parent.Rhs[0]) == op.node {
			result, after = parent.Lhs[0], parent
		}
	}
	if op.stmt != nil {
		result, above = op.x, stack
	}
	if result == nil || e.path(result) == "" || len(above) == 0 {
		return false
	}
	found := false
	ast.Inspect(conditionAfter(after, above[len(above)-1]), func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok {
			found = found || e.tells(b, op, func(x ast.Expr) bool { return e.path(x) == e.path(result) })
		}
		return !found
	})
	return found
}

// tells reports whether a comparison says that a result has wrapped around: a sum is less than an
// operand, a sum or a product less than zero, a difference greater than what it is taken from, or a
// product, divided again, not what it was. A difference that is compared with zero says something
// else, which is wrong if it wraps around.
func (e *editor) tells(b *ast.BinaryExpr, op operation, isResult func(ast.Expr) bool) bool {
	less := b.Op == token.LSS || b.Op == token.LEQ
	greater := b.Op == token.GTR || b.Op == token.GEQ
	for i, way := range [][2]ast.Expr{{b.X, b.Y}, {b.Y, b.X}} {
		x, other := ast.Unparen(way[0]), way[1]
		if i == 1 {
			less, greater = greater, less
		}
		q, ok := x.(*ast.BinaryExpr)
		if ok && q.Op == token.QUO && op.op == token.MUL && isResult(q.X) &&
			(less || greater || b.Op == token.EQL || b.Op == token.NEQ) {
			return true
		}
		if !isResult(x) {
			continue
		}
		v := e.value(other)
		zero := v != nil && v.Kind() == constant.Int && constant.Sign(v) == 0
		switch op.op {
		case token.ADD:
			if less && (zero || e.isOperand(op, other)) {
				return true
			}
		case token.MUL:
			if less && zero {
				return true
			}
		case token.SUB:
			if greater && op.stmt == nil && e.path(other) != "" && e.path(other) == e.path(op.x) {
				return true
			}
		}
	}
	return false
}

// isOperand reports whether an expression is an operand of an operation, other than the result.
func (e *editor) isOperand(op operation, x ast.Expr) bool {
	path := e.path(x)
	return path != "" && (op.stmt == nil && path == e.path(op.x) || op.y != nil && path == e.path(op.y))
}

// path returns what a variable, or a field of one, has in common with all expressions for it, or "".
func (e *editor) path(x ast.Expr) string {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		if v, ok := e.Info.ObjectOf(x).(*types.Var); ok {
			return fmt.Sprintf("%s@%d", v.Name(), v.Pos())
		}
	case *ast.SelectorExpr:
		if of := e.path(x.X); of != "" {
			return of + "." + x.Sel.Name
		}
	case *ast.StarExpr:
		return e.path(x.X) // fields have the same path with and without it
	}
	return ""
}

// around returns the innermost node of a stack that is not a parenthesis, and the nodes around it.
func around(stack []ast.Node) (ast.Node, []ast.Node) {
	for i := len(stack) - 1; i >= 0; i-- {
		if _, ok := stack[i].(*ast.ParenExpr); !ok {
			return stack[i], stack[:i]
		}
	}
	return nil, nil
}

// conditionAfter returns the condition of the if statement that follows a statement in its block, or
// that begins with it.
func conditionAfter(s ast.Stmt, parent ast.Node) ast.Expr {
	var list []ast.Stmt
	switch parent := parent.(type) {
	case *ast.IfStmt:
		if parent.Init == s {
			return parent.Cond
		}
	case *ast.BlockStmt:
		list = parent.List
	case *ast.CaseClause:
		list = parent.Body
	case *ast.CommClause:
		list = parent.Body
	}
	for i := range list {
		if list[i] == s && i+1 < len(list) {
			if next, ok := list[i+1].(*ast.IfStmt); ok && next.Init == nil {
				return next.Cond
			}
		}
	}
	return &ast.BadExpr{}
}
