package overflow

import (
	"go/ast"
	"go/token"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gosource"
)

// Sites are what becomes of the operations that may overflow.
type Sites struct {
	Checked int
	Hashes  []Site // they look like hashing
	Meant   []Site // the code around them reckons with bits that are lost
	Wraps   []Site // a directive allows them
	Inexact []Site // they cannot be checked and stay exactly the same
	Unused  []string
}

// A Site is an operation that is not checked.
type Site struct{ At, Code string }

// Add adds the sites of another file.
func (s *Sites) Add(other Sites) {
	s.Checked += other.Checked
	s.Hashes = append(s.Hashes, other.Hashes...)
	s.Meant = append(s.Meant, other.Meant...)
	s.Wraps = append(s.Wraps, other.Wraps...)
	s.Inexact = append(s.Inexact, other.Inexact...)
	s.Unused = append(s.Unused, other.Unused...)
}

// decide reports whether an operation is checked, and takes note of it.
func (e *editor) decide(op operation, stack []ast.Node) bool {
	code, _, _ := strings.Cut(e.Between(op.pos(), op.end()), "\n")
	site := Site{e.at(op.pos()), code}
	f := outermost(stack)
	switch {
	case e.wraps.Cover(op.pos(), op.end()):
		e.Wraps = append(e.Wraps, site)
	case f != nil && e.looksLikeHashing(op, f, stack):
		e.Hashes = append(e.Hashes, site)
	case e.isMeant(op, stack):
		e.Meant = append(e.Meant, site)
	case f == nil || !e.exact(op) || !e.calm(op, stack):
		e.Inexact = append(e.Inexact, site)
	default:
		e.Checked++
		return true
	}
	return false
}

// outermost returns the function that is around all others, or nil.
func outermost(stack []ast.Node) ast.Node {
	for _, n := range stack {
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return n
		}
	}
	return nil
}

// calm reports whether a call in place of an operation changes no order: nothing is called in its
// operands, and what is called besides, in the same statement, changes no operand. If the only
// operand that is not constant is a call, there is a call in this place already.
func (e *editor) calm(op operation, stack []ast.Node) bool {
	steady := true
	for _, x := range op.operands() {
		if e.isCall(x) && op.stmt == nil && (len(op.operands()) == 1 || e.value(op.x) != nil ||
			e.value(op.y) != nil) {
			continue
		}
		if !e.quiet(x) {
			return false
		}
		steady = steady && e.steady(x)
	}
	if (op.stmt != nil || op.op == token.QUO) && !e.twice(op.x) {
		return false
	}
	var child ast.Node = op.node
	if op.stmt != nil {
		child = op.stmt
	}
	for i := len(stack) - 1; i >= 0; i-- {
		parent := stack[i]
		switch parent := parent.(type) {
		case *ast.BinaryExpr:
			if parent.Op == token.LAND || parent.Op == token.LOR {
				child = parent
				continue
			}
		case *ast.CommClause:
			return child != ast.Node(parent.Comm)
		case *ast.CaseClause:
		case *ast.BlockStmt, *ast.IfStmt, *ast.ForStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt,
			*ast.RangeStmt, *ast.LabeledStmt:
			return true
		}
		if _, within := child.(ast.Stmt); within {
			return true
		}
		if !steady && !e.othersQuiet(parent, child) {
			return false
		}
		child = parent
	}
	return true
}

// isCall reports whether an expression is a call with quiet arguments.
func (e *editor) isCall(x ast.Expr) bool {
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok || e.Info.Types[call.Fun].IsType() || e.Info.Types[call.Fun].IsBuiltin() ||
		!e.quiet(call.Fun) {
		return false
	}
	for _, arg := range call.Args {
		if !e.quiet(arg) {
			return false
		}
	}
	return true
}

// othersQuiet reports whether nothing is called in the parts of a node other than one.
func (e *editor) othersQuiet(parent, child ast.Node) bool {
	quiet := true
	ast.Inspect(parent, func(n ast.Node) bool {
		if n == parent {
			return true
		}
		if x, ok := n.(ast.Expr); ok && n != child {
			quiet = quiet && e.quiet(x)
		}
		return false
	})
	if clause, ok := parent.(*ast.CaseClause); ok {
		quiet = true
		for _, x := range clause.List {
			quiet = quiet && (x == child || e.quiet(x))
		}
	}
	return quiet
}

// quiet is like [gosource.Quiet]. Points between a read and a write of a statement count as quiet:
// such a statement calls nothing else.
func (e *editor) quiet(x ast.Expr) bool {
	if call, ok := ast.Unparen(x).(*ast.CallExpr); ok {
		if sel, ok := call.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Before" {
			if id, ok := sel.X.(*ast.Ident); ok && id.Name == e.Prefix+"Point" {
				return true
			}
		}
	}
	return gosource.Quiet(e.Info, x)
}
