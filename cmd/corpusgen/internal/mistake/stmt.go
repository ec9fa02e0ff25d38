package mistake

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gosource"
)

// node makes the mistakes of a node, but for those of the nodes within. It reports whether there are
// such nodes.
func (e *editor) node(n ast.Node, stack []ast.Node) bool {
	switch n := n.(type) {
	case *ast.GenDecl:
		return n.Tok == token.VAR
	case *ast.LabeledStmt, *ast.BranchStmt, *ast.Ident, *ast.BasicLit, *ast.KeyValueExpr:
	case *ast.FuncLit:
		e.end(n.Type, n.Body)
	case *ast.IfStmt:
		e.condition(n.Cond)
	case *ast.ForStmt:
		e.condition(n.Cond)
		e.Insert(n.Body.Lbrace+1, " "+e.Prefix+"Turn(); ")
	case *ast.RangeStmt:
		e.Insert(n.Body.Lbrace+1, " "+e.Prefix+"Turn(); ")
	case *ast.SwitchStmt:
		if n.Tag == nil {
			for _, clause := range n.Body.List {
				for _, x := range clause.(*ast.CaseClause).List {
					e.condition(x)
				}
			}
		}
	case *ast.TypeSwitchStmt:
		for _, clause := range n.Body.List {
			for _, x := range clause.(*ast.CaseClause).List {
				e.asIs[x] = true
			}
		}
	case *ast.BlockStmt:
		e.statements(n.List)
		e.locks(n.List)
	case *ast.CaseClause:
		e.statements(n.Body)
		e.locks(n.Body)
	case *ast.CommClause:
		e.statements(n.Body)
		e.locks(n.Body)
	case *ast.IncDecStmt:
		e.step(n)
	case *ast.AssignStmt:
		e.by(n, stack)
	case *ast.ReturnStmt:
		e.returns(n, stack)
	}
	if x, ok := n.(ast.Expr); ok {
		return e.expr(x, stack)
	}
	return true
}

// statements leaves out statements of a list.
func (e *editor) statements(list []ast.Stmt) {
	for _, s := range list {
		if e.ends[s] {
			continue
		}
		kind := Statement
		switch s := s.(type) {
		case *ast.ExprStmt:
			if call, ok := ast.Unparen(s.X).(*ast.CallExpr); ok && e.lockOf(call) != "" {
				continue
			}
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE || isBlank(s.Lhs) {
				continue
			}
		case *ast.BranchStmt:
			if s.Tok == token.GOTO || s.Tok == token.FALLTHROUGH {
				continue
			}
		case *ast.ReturnStmt:
			if len(s.Results) > 0 {
				continue
			}
		case *ast.DeferStmt:
			if kind = Defer; e.lockOf(s.Call) != "" {
				continue
			}
		case *ast.IncDecStmt, *ast.SendStmt, *ast.GoStmt:
		default:
			continue
		}
		e.leaveOut(kind, s)
	}
}

// end finds the statements without which a function with results would not end in a terminating
// statement: a call of panic, and a return without values.
func (e *editor) end(typ *ast.FuncType, body *ast.BlockStmt) {
	if typ.Results == nil || len(typ.Results.List) == 0 {
		return
	}
	var last func(list []ast.Stmt)
	last = func(list []ast.Stmt) {
		for len(list) > 0 {
			if _, empty := list[len(list)-1].(*ast.EmptyStmt); !empty {
				break
			}
			list = list[:len(list)-1]
		}
		if len(list) == 0 {
			return
		}
		switch s := list[len(list)-1].(type) {
		case *ast.ExprStmt, *ast.ReturnStmt:
			e.ends[s] = true
		case *ast.BlockStmt:
			last(s.List)
		case *ast.LabeledStmt:
			last([]ast.Stmt{s.Stmt})
		case *ast.IfStmt:
			last(s.Body.List)
			if s.Else != nil {
				last([]ast.Stmt{s.Else})
			}
		case *ast.SwitchStmt:
			for _, clause := range s.Body.List {
				last(clause.(*ast.CaseClause).Body)
			}
		case *ast.TypeSwitchStmt:
			for _, clause := range s.Body.List {
				last(clause.(*ast.CaseClause).Body)
			}
		case *ast.SelectStmt:
			for _, clause := range s.Body.List {
				last(clause.(*ast.CommClause).Body)
			}
		}
	}
	last(body.List)
}

// leaveOut leaves out statements, together.
func (e *editor) leaveOut(kind Kind, list ...ast.Stmt) {
	var changes []change
	for _, s := range list {
		changes = append(changes, change{s.Pos(), s.End(), ""})
	}
	shown := changes
	if e.needs(changes...) {
		shown = nil
		for _, s := range list {
			shown = append(shown, change{s.Pos(), s.End(), "if false { " + e.Of(s) + " }"})
		}
	}
	if n, ok := e.addAs(kind, shown, changes...); ok {
		for _, s := range list {
			e.Around(s, "if !"+e.Prefix+"Mistake("+n+") { ", " }")
		}
	}
}

func isBlank(list []ast.Expr) bool {
	for _, x := range list {
		if id, ok := x.(*ast.Ident); !ok || id.Name != "_" {
			return false
		}
	}
	return true
}

// lockOf returns what a call locks or unlocks, as in "mu Lock", or "".
func (e *editor) lockOf(call *ast.CallExpr) string {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	switch f, ok := e.Info.Uses[sel.Sel].(*types.Func); {
	case !ok || f.Pkg() == nil || f.Pkg().Path() != "sync":
	case f.Name() == "Lock" || f.Name() == "RLock" || f.Name() == "Unlock" || f.Name() == "RUnlock":
		return e.Of(sel.X) + " " + f.Name()
	}
	return ""
}

// locks leaves out a lock, with all that unlocks it in the same list or below.
func (e *editor) locks(list []ast.Stmt) {
	for i, s := range list {
		x, ok := s.(*ast.ExprStmt)
		if !ok {
			continue
		}
		call, ok := x.X.(*ast.CallExpr)
		if !ok {
			continue
		}
		what, method, _ := strings.Cut(e.lockOf(call), " ")
		undo, ok := map[string]string{"Lock": "Unlock", "RLock": "RUnlock"}[method]
		if !ok {
			continue
		}
		together := []ast.Stmt{s}
		for _, later := range list[i+1:] {
			if x, ok := later.(*ast.ExprStmt); ok && e.locksAgain(x, what+" "+method) {
				break
			}
			together = append(together, e.unlocks(later, what+" "+undo)...)
		}
		if len(together) > 1 {
			e.leaveOut(Lock, together...)
		}
	}
}

// locksAgain reports whether a statement is the same lock.
func (e *editor) locksAgain(s *ast.ExprStmt, what string) bool {
	call, ok := s.X.(*ast.CallExpr)
	return ok && e.lockOf(call) == what
}

// unlocks returns the statements within one that unlock something. Those of function literals run at
// other times.
func (e *editor) unlocks(s ast.Stmt, what string) (found []ast.Stmt) {
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ExprStmt:
			if call, ok := n.X.(*ast.CallExpr); ok && e.lockOf(call) == what {
				found = append(found, n)
			}
		case *ast.DeferStmt:
			if e.lockOf(n.Call) == what {
				found = append(found, n)
			}
		}
		return true
	})
	return found
}

// step makes x++ count in the other direction.
func (e *editor) step(s *ast.IncDecStmt) {
	x := e.plainNumber(s.X)
	if x == "" {
		return
	}
	other, assign := "--", "+="
	if s.Tok == token.DEC {
		other, assign = "++", "-="
	}
	if n, ok := e.add(Arithmetic, change{s.TokPos, s.TokPos + 2, other}); ok {
		e.Replace(s.TokPos, s.TokPos+2, fmt.Sprintf(" %s %sStep(%s, %s)", assign, e.Prefix, n, x))
	}
}

// by makes x += y subtract.
func (e *editor) by(s *ast.AssignStmt, stack []ast.Node) {
	other := map[token.Token]string{token.ADD_ASSIGN: "-=", token.SUB_ASSIGN: "+="}[s.Tok]
	if other == "" {
		return
	}
	x := e.plainNumber(s.Lhs[0])
	if x == "" || !e.movable(s.Rhs[0], append(stack, s)) {
		return
	}
	if n, ok := e.add(Arithmetic, change{s.TokPos, s.TokPos + 2, other}); ok {
		e.Around(s.Rhs[0], fmt.Sprintf("%sBy(%s, %s, ", e.Prefix, n, x), ")")
	}
}

// plainNumber returns the code of a number that may be evaluated twice, or "".
func (e *editor) plainNumber(x ast.Expr) string {
	if !gosource.Plain(x) || !e.isNumber(e.Info.TypeOf(x)) || strings.Contains(e.Of(x), "\n") {
		return ""
	}
	return e.Of(x)
}

// returns ignores errors that are returned.
func (e *editor) returns(s *ast.ReturnStmt, stack []ast.Node) {
	results := e.resultsOf(stack)
	if results == nil || results.Len() != len(s.Results) {
		return
	}
	for i, x := range s.Results {
		if isError(results.At(i).Type()) && !e.Info.Types[x].IsNil() &&
			e.movable(x, append(stack, s)) {
			c := change{x.Pos(), x.End(), "nil"}
			shown := []change{c}
			if e.needs(c) || !e.forgettable(x) {
				shown = []change{{s.Pos(), s.Pos(), "_ = " + e.Of(x) + "; "}, c}
			}
			if n, ok := e.addAs(Error, shown, c); ok {
				e.Around(x, e.Prefix+"Error("+n+", ", ")")
			}
		}
	}
}

// forgettable reports whether nothing is lost if an error is not made: it calls nothing, but for what
// makes an error.
func (e *editor) forgettable(x ast.Expr) bool {
	call, ok := x.(*ast.CallExpr)
	if !ok {
		return gosource.Quiet(e.Info, x)
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	f, ok := e.Info.Uses[sel.Sel].(*types.Func)
	return ok && (f.FullName() == "fmt.Errorf" || f.FullName() == "errors.New") &&
		!slices.ContainsFunc(call.Args, func(arg ast.Expr) bool { return !gosource.Quiet(e.Info, arg) })
}

// resultsOf returns the results of the innermost function, or nil.
func (e *editor) resultsOf(stack []ast.Node) *types.Tuple {
	for i := len(stack) - 1; i >= 0; i-- {
		if lit, ok := stack[i].(*ast.FuncLit); ok {
			sig, _ := e.Info.TypeOf(lit).(*types.Signature)
			return sig.Results()
		}
	}
	return e.around.results
}
