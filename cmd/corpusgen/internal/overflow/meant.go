package overflow

import (
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

// isBit reports whether an operation shifts a 1 that is then an operand of &, |, ^ or &^.
func (e *editor) isBit(op operation, stack []ast.Node) bool {
	if op.op != token.SHL || op.stmt != nil {
		return false
	}
	if v := e.value(op.x); v == nil || constant.Compare(v, token.NEQ, constant.MakeInt64(1)) {
		return false
	}
	parent, _ := around(stack)
	switch parent := parent.(type) {
	case *ast.BinaryExpr:
		switch parent.Op {
		case token.AND, token.OR, token.XOR, token.AND_NOT:
			return true
		}
	case *ast.AssignStmt:
		switch parent.Tok {
		case token.AND_ASSIGN, token.OR_ASSIGN, token.XOR_ASSIGN, token.AND_NOT_ASSIGN:
			return true
		}
	}
	return false
}

// isTested reports whether a sum, a difference or a product is compared in a way that says whether it
// has wrapped around: where it stands, or, if it is assigned to a variable, in the condition of the
// next statement, or of the if statement that assigns it.
func (e *editor) isTested(op operation, stack []ast.Node) bool {
	if op.op != token.ADD && op.op != token.SUB && op.op != token.MUL || op.x == nil {
		return false
	}
	parent, above := around(stack)
	var assign *ast.AssignStmt
	switch parent := parent.(type) {
	case *ast.BinaryExpr:
		return op.stmt == nil && e.tells(parent, op, func(x ast.Expr) bool {
			return ast.Unparen(x) == op.node
		})
	case *ast.AssignStmt:
		assign = parent
	}
	if op.stmt != nil {
		var ok bool
		if assign, ok = op.stmt.(*ast.AssignStmt); !ok {
			return false
		}
		above = stack
	}
	if assign == nil || len(assign.Lhs) != 1 || len(assign.Rhs) != 1 || len(above) == 0 ||
		op.stmt == nil && ast.Unparen(assign.Rhs[0]) != op.node {
		return false
	}
	id, ok := assign.Lhs[0].(*ast.Ident)
	if !ok || e.Info.ObjectOf(id) == nil {
		return false
	}
	found := false
	ast.Inspect(conditionAfter(assign, above[len(above)-1]), func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok {
			found = found || e.tells(b, op, func(x ast.Expr) bool {
				return e.variable(x) == e.Info.ObjectOf(id)
			})
		}
		return !found
	})
	return found
}

// tells reports whether a comparison says that a result has wrapped around: it compares the result
// with an operand; asks whether a sum or a product is less than zero; or compares a product, divided
// again, with anything. A difference that is compared with zero says something else, which is wrong
// if it wraps around.
func (e *editor) tells(b *ast.BinaryExpr, op operation, isResult func(ast.Expr) bool) bool {
	switch b.Op {
	case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
	default:
		return false
	}
	less := b.Op == token.LSS || b.Op == token.LEQ
	greater := b.Op == token.GTR || b.Op == token.GEQ
	for i, way := range [][2]ast.Expr{{b.X, b.Y}, {b.Y, b.X}} {
		x, other := ast.Unparen(way[0]), way[1]
		if q, ok := x.(*ast.BinaryExpr); ok && q.Op == token.QUO && op.op == token.MUL &&
			isResult(q.X) {
			return true
		}
		if !isResult(x) {
			continue
		}
		if v := e.value(other); v != nil && v.Kind() == constant.Int {
			if constant.Sign(v) == 0 && op.op != token.SUB && (i == 0 && less || i == 1 && greater) {
				return true
			}
			continue
		}
		for _, operand := range op.operands() {
			if v := e.variable(operand); v != nil && v == e.variable(other) {
				return true
			}
		}
	}
	return false
}

// variable returns the variable that an expression is, or nil.
func (e *editor) variable(x ast.Expr) types.Object {
	if id, ok := ast.Unparen(x).(*ast.Ident); ok {
		if v, ok := e.Info.ObjectOf(id).(*types.Var); ok {
			return v
		}
	}
	return nil
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
