package interleave

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gosource"
)

// Statements that access memory which goroutines may share have a point before them: variables of
// packages, variables that function literals capture, elements and fields that pointers lead to.
// What nothing assigns to after its declaration is left out.

// findShared finds what is assigned to, in all packages, and which variables function literals
// capture.
func (p *program) findShared() {
	for _, u := range p.units {
		u.captured, u.changed = map[types.Object]bool{}, map[types.Object]bool{}
		for _, f := range u.files {
			ast.PreorderStack(f.Syntax, nil, func(n ast.Node, stack []ast.Node) bool {
				p.note(u, n, stack)
				return true
			})
		}
	}
}

// note takes note of what a node assigns to or captures.
func (p *program) note(u *unit, n ast.Node, stack []ast.Node) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for _, e := range n.Lhs {
			if id, ok := e.(*ast.Ident); n.Tok != token.DEFINE || !ok || u.info.Defs[id] == nil {
				p.changes(u, e)
			}
		}
	case *ast.IncDecStmt:
		p.changes(u, n.X)
	case *ast.RangeStmt:
		if n.Tok == token.ASSIGN {
			p.changes(u, n.Key)
			p.changes(u, n.Value)
		}
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			p.changes(u, n.X)
		}
	case *ast.SelectorExpr:
		if u.mayChange(n) {
			p.changes(u, n.X)
		}
	case *ast.FuncType:
		u.parameters(n)
	case *ast.Ident:
		u.capture(n, stack)
	}
}

// mayChange reports whether a selector is a method that may change what it is called on.
func (u *unit) mayChange(n *ast.SelectorExpr) bool {
	s := u.info.Selections[n]
	if s == nil || s.Kind() != types.MethodVal {
		return false
	}
	_, ok := s.Obj().(*types.Func).Signature().Recv().Type().(*types.Pointer)
	return ok
}

// parameters notes the parameters of a function whose elements may be shared.
func (u *unit) parameters(n *ast.FuncType) {
	for _, field := range n.Params.List {
		for _, id := range field.Names {
			if v := u.info.Defs[id]; v != nil && elements(v.Type()) {
				u.captured[v] = true
			}
		}
	}
}

// capture notes a variable that is declared outside of a function literal around its use.
func (u *unit) capture(n *ast.Ident, stack []ast.Node) {
	v, ok := u.info.Uses[n].(*types.Var)
	if !ok || v.IsField() {
		return
	}
	outside := func(around ast.Node) bool {
		lit, ok := around.(*ast.FuncLit)
		return ok && (v.Pos() < lit.Pos() || v.Pos() > lit.End())
	}
	if slices.ContainsFunc(stack, outside) {
		u.captured[v] = true
	}
}

// changes notes that what an expression denotes may change.
func (p *program) changes(u *unit, e ast.Expr) {
	if t := u.info.TypeOf(e); t != nil {
		if _, ok := t.Underlying().(*types.Struct); ok {
			p.whole[t.String()] = true
		}
	}
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SelectorExpr:
			if v, ok := u.info.Uses[x.Sel].(*types.Var); ok {
				p.mutable[p.field(v)] = true
				u.changed[v] = true
			}
			if pointer(u.info.TypeOf(x.X)) {
				return
			}
			e = x.X
		case *ast.Ident:
			if v, ok := u.info.Uses[x].(*types.Var); ok {
				u.changed[v] = true
			}
			return
		default:
			return
		}
	}
}

// field names a field in all packages: the compiler's own notes of a package have other objects.
func (p *program) field(v *types.Var) string {
	at := p.fset.Position(v.Pos())
	return fmt.Sprint(filepath.Base(at.Filename), ":", at.Line, " ", v.Name())
}

// elements reports whether a type is a slice or a map.
func elements(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Slice, *types.Map:
		return true
	}
	return false
}

func pointer(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// statements makes the edits of a list of statements: points before those that access memory that
// goroutines may share, and before those that wait and stay to the letter.
func (w *rewriter) statements(list []ast.Stmt) {
	for _, s := range list {
		own := s
		for label, ok := own.(*ast.LabeledStmt); ok; label, ok = own.(*ast.LabeledStmt) {
			own = label.Stmt
		}
		why, op := w.stays(own)
		switch {
		case op != nil:
			w.asIs[op] = true
			w.Insert(s.Pos(), fmt.Sprintf("%sWaits(%q); ", w.point, why))
			w.Close(s.End(), "; "+w.point+"Resumed()")
		case slices.ContainsFunc(parts(own), w.pointed):
			w.Insert(s.Pos(), w.point+"Here(); ")
		}
		if a, ok := own.(*ast.AssignStmt); ok && op == nil {
			w.updateAfter(a)
		}
		if d, ok := own.(*ast.DeferStmt); ok && w.closes(d.Call) {
			w.Close(s.End(), "; defer "+w.point+"Here()")
		}
		if loop, ok := own.(*ast.ForStmt); ok && loop.Cond != nil && w.pointed(loop.Cond) {
			w.Insert(loop.Body.Lbrace+1, " "+w.point+"Here(); ")
		}
	}
}

// pointed reports whether a part of a statement has a point before it.
func (w *rewriter) pointed(n ast.Node) bool { return w.shares(n) || w.wakes(n) }

// wakes reports whether a node closes a channel or ends a context, except in function literals.
func (w *rewriter) wakes(n ast.Node) (wakes bool) {
	if n == nil {
		return false
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			wakes = wakes || w.closes(n)
			if t := w.info.TypeOf(n.Fun); t != nil {
				name := t.String()
				wakes = wakes || name == "context.CancelFunc" || name == "context.CancelCauseFunc"
			}
		}
		return !wakes
	})
	return wakes
}

// closes reports whether a call closes a channel.
func (w *rewriter) closes(n *ast.CallExpr) bool { return gosource.IsBuiltin(w.info, n.Fun, "close") }

// parts returns the parts of a statement that are evaluated when it begins.
func parts(s ast.Stmt) []ast.Node {
	switch s := s.(type) {
	case *ast.AssignStmt, *ast.IncDecStmt, *ast.ExprStmt, *ast.ReturnStmt, *ast.DeclStmt:
		return []ast.Node{s}
	case *ast.IfStmt:
		return []ast.Node{s.Init, s.Cond}
	case *ast.SwitchStmt:
		return []ast.Node{s.Init, s.Tag}
	case *ast.TypeSwitchStmt:
		return []ast.Node{s.Init, s.Assign}
	case *ast.ForStmt:
		return []ast.Node{s.Init, s.Cond}
	case *ast.RangeStmt:
		return []ast.Node{s.X}
	}
	return nil
}

// shares reports whether a node accesses memory that goroutines may share, except in function
// literals.
func (w *rewriter) shares(n ast.Node) (shared bool) {
	if n == nil || n == ast.Stmt(nil) || n == ast.Expr(nil) {
		return false
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.StarExpr:
			shared = shared || w.info.Types[n.X].IsValue()
		case *ast.IndexExpr:
			shared = shared || w.info.Types[n.X].IsValue() && (pointer(w.info.TypeOf(n.X)) || w.reaches(n.X))
		case *ast.SelectorExpr:
			v, ok := w.info.Uses[n.Sel].(*types.Var)
			shared = shared || ok && v.IsField() && w.mutable[w.field(v)] &&
				!synchronized(v.Type()) && w.reaches(n)
		case *ast.Ident:
			v, ok := w.info.Uses[n].(*types.Var)
			shared = shared || ok && !v.IsField() && w.changed[v] && !synchronized(v.Type()) && w.reaches(n)
		}
		return !shared
	})
	return shared
}

// assign makes the edits of an assignment of shared memory to shared memory: a point between
// reading and writing, if that calls nothing.
func (w *rewriter) assign(n *ast.AssignStmt) {
	if len(n.Lhs) != 1 || len(n.Rhs) != 1 || n.Tok == token.DEFINE {
		return
	}
	x, y := n.Lhs[0], n.Rhs[0]
	switch {
	case !w.quiet(x) || !w.quiet(y):
	case n.Tok != token.ASSIGN:
		w.update(n, x, strings.TrimSuffix(n.Tok.String(), "="), y)
	case w.shares(x) && w.shares(y) && w.exact(y):
		w.Around(y, w.point+"Before(", ")")
	}
}

// update makes the edits of an update of a variable, by an operator and the value of an expression,
// which is 1 if it is nil: x.n++ becomes x.n = Before(x.n) + 1.
func (w *rewriter) update(n ast.Stmt, x ast.Expr, operator string, y ast.Expr) {
	if !w.shares(x) || !gosource.Plain(x) || w.lines(x.Pos(), x.End()) != "" {
		return
	}
	text := " = " + w.point + "Before(" + w.Of(x) + ") " + operator + " "
	if y == nil {
		w.Replace(x.End(), n.End(), text+"1")
		return
	}
	w.Replace(x.End(), y.Pos(), text+"("+w.lines(x.End(), y.Pos()))
	w.Close(y.End(), ")")
}

// updateAfter makes the edits of an update by the value of an expression that calls something. The
// calls come before the read of the variable, as the compiler has it, if they cannot change which
// variable it is: x.n += f() becomes { v := f(); x.n = Before(x.n) + v }.
func (w *rewriter) updateAfter(n *ast.AssignStmt) {
	if n.Tok == token.ASSIGN || n.Tok == token.DEFINE {
		return
	}
	x, y := n.Lhs[0], n.Rhs[0]
	if w.quiet(y) || !w.exact(y) || !w.shares(x) || !w.fixed(x) || w.lines(x.Pos(), x.End()) != "" {
		return
	}
	w.names++
	v, of := w.name("V"), w.Of(x)
	w.Replace(n.Pos(), y.Pos(), "{ "+v+" := "+w.lines(n.Pos(), y.Pos()))
	read := fmt.Sprintf("%s = %sBefore(%s) %s %s }", of, w.point, of,
		strings.TrimSuffix(n.Tok.String(), "="), v)
	if w.lines(x.Pos(), y.End()) != "" { // it may panic
		elsewhere := w.fset.Position(x.Pos()).Filename != w.fset.Position(y.End()).Filename
		read = w.directive(x.Pos(), elsewhere) + read + w.directive(y.End(), elsewhere)
	}
	w.Close(y.End(), "; "+read)
}

// fixed reports whether an expression denotes the same variable while others are evaluated.
func (w *rewriter) fixed(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return true
	case *ast.StarExpr:
		return w.stable(e.X)
	case *ast.SelectorExpr:
		if s := w.info.Selections[e]; s != nil && len(s.Index()) == 1 && !pointer(w.info.TypeOf(e.X)) {
			return w.fixed(e.X)
		}
		return w.stable(e.X)
	}
	return false
}

func (w *rewriter) quiet(e ast.Expr) bool { return gosource.Quiet(w.info, e) }

// stable reports whether nothing changes what an expression denotes while other expressions are
// evaluated.
func (w *rewriter) stable(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return w.stable(e.X)
	case *ast.Ident:
		v, ok := w.info.Uses[e].(*types.Var)
		return ok && !w.changed[v] && (v.Parent() != v.Pkg().Scope() || !v.Exported())
	case *ast.SelectorExpr:
		s := w.info.Selections[e]
		if s == nil || s.Kind() != types.FieldVal || len(s.Index()) > 1 {
			return false
		}
		v, owner := s.Obj().(*types.Var), s.Recv()
		if ptr, ok := owner.Underlying().(*types.Pointer); ok {
			owner = ptr.Elem()
		}
		return w.paths[v.Pkg().Path()] && !w.mutable[w.field(v)] && !w.whole[owner.String()] &&
			w.stable(e.X)
	}
	return false
}

// reaches reports whether other goroutines may know the place of what an expression denotes.
func (w *rewriter) reaches(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return w.reaches(e.X)
	case *ast.StarExpr:
		return true
	case *ast.IndexExpr:
		return w.reaches(e.X)
	case *ast.SelectorExpr:
		if _, ok := w.info.Selections[e]; !ok { // of a package
			return true
		}
		return pointer(w.info.TypeOf(e.X)) || w.reaches(e.X)
	case *ast.Ident:
		v, ok := w.info.Uses[e].(*types.Var)
		return ok && (w.captured[v] || v.Pkg() != nil && v.Parent() == v.Pkg().Scope())
	}
	return false
}

// synchronized reports whether a type has operations with points of their own.
func synchronized(t types.Type) bool {
	switch t := t.(type) {
	case *types.Pointer:
		return synchronized(t.Elem())
	case *types.Named:
		if pkg := t.Obj().Pkg(); pkg != nil && (pkg.Path() == "sync" || pkg.Path() == "sync/atomic") {
			return true
		}
	}
	switch t.Underlying().(type) {
	case *types.Chan, *types.Signature:
		return true
	}
	return false
}
