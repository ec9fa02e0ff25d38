package interleave

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// goStmt makes the edits of a go statement. The function and its arguments are evaluated before the
// goroutine begins.
func (w *rewriter) goStmt(n *ast.GoStmt) {
	w.names++
	call, before := n.Call, ""
	fun := fmt.Sprintf("espalierF%d", w.names)
	switch {
	case w.declared(call.Fun):
		w.Replace(n.Pos(), call.Lparen+1, "{ ")
		fun = "" // it is rendered below
	default:
		w.Replace(n.Pos(), call.Pos(), "{ "+fun+" := ")
		w.Replace(call.Lparen, call.Lparen+1, "; ")
	}
	var names, args []string
	var nils []ast.Expr
	define := "="
	name := func(i int) string {
		define = ":="
		return fmt.Sprintf("espalierA%d_%d", w.names, i)
	}
	for i, arg := range call.Args {
		tv := w.info.Types[arg]
		tuple, many := tv.Type.(*types.Tuple)
		switch {
		case many:
			for i := range tuple.Len() {
				names = append(names, name(i))
			}
			args = names
		case tv.IsNil():
			names, args, nils = append(names, "_"), append(args, "nil"), append(nils, arg)
		case tv.Value != nil:
			names, args = append(names, "_"), append(args, w.Of(arg))
		default:
			names, args = append(names, name(i)), append(args, name(i))
		}
	}
	if len(names) > 0 {
		before = strings.Join(names, ", ") + " " + define + " "
		w.Insert(call.Args[0].Pos(), before)
	}
	for _, arg := range nils {
		w.Replace(arg.Pos(), arg.End(), "0")
	}
	last := call.Lparen + 1
	if len(call.Args) > 0 {
		last = call.Args[len(call.Args)-1].End()
	}
	list := strings.Join(args, ", ")
	if call.Ellipsis.IsValid() {
		list += "..."
	}
	lines := strings.Repeat("\n", strings.Count(w.Between(last, call.Rparen), "\n"))
	if fun == "" {
		fun = w.Of(call.Fun)
		if w.builtin(call.Fun, "close") {
			fun = point + "Close"
		}
	}
	child := fmt.Sprintf("espalierG%d", w.names)
	text := fmt.Sprintf("; %s := %sSpawn(); go %[1]s.Run(func() { %[3]s(%s) })%s }", child, point,
		fun, list, lines)
	w.Replace(last, call.Rparen+1, text)
}

func (w *rewriter) builtin(e ast.Expr, name string) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	b, ok := w.info.Uses[id].(*types.Builtin)
	return ok && b.Name() == name
}

// declared reports whether an expression names a declared function, which needs no evaluation, and
// may be generic or builtin.
func (w *rewriter) declared(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		switch w.info.Uses[e].(type) {
		case *types.Func, *types.Builtin, *types.TypeName:
			return true
		}
	case *ast.SelectorExpr:
		if id, ok := e.X.(*ast.Ident); ok {
			_, ok = w.info.Uses[id].(*types.PkgName)
			_, isFunc := w.info.Uses[e.Sel].(*types.Func)
			return ok && isFunc
		}
	case *ast.IndexExpr:
		return w.declared(e.X)
	case *ast.IndexListExpr:
		return w.declared(e.X)
	}
	return false
}

// selectStmt makes the edits of a select statement: it becomes a switch over the case that
// proceeds.
func (w *rewriter) selectStmt(n *ast.SelectStmt) {
	if len(n.Body.List) == 0 {
		w.Insert(n.Pos(), point+"Block(); ")
		return
	}
	w.names++
	var names, cases []string
	hasDefault := false
	for _, clause := range n.Body.List {
		if comm := clause.(*ast.CommClause).Comm; comm == nil {
			hasDefault = true
		} else {
			w.claim(comm)
		}
	}
	// What the cases evaluate moves to the head, with the edits of what is within.
	for _, clause := range n.Body.List {
		clause := clause.(*ast.CommClause)
		if clause.Comm == nil {
			continue
		}
		name := fmt.Sprintf("espalierC%d_%d", w.names, len(names))
		text, take := "", ""
		switch comm := clause.Comm.(type) {
		case *ast.SendStmt:
			text = point + "SendTo(" + w.inner(comm.Chan) + ")(" + w.inner(comm.Value) + ")"
		case *ast.ExprStmt:
			text = point + "Receive(" + w.inner(ast.Unparen(comm.X).(*ast.UnaryExpr).X) + ")"
		case *ast.AssignStmt:
			text = point + "Receive(" + w.inner(ast.Unparen(comm.Rhs[0]).(*ast.UnaryExpr).X) + ")"
			get := ".Get()"
			if len(comm.Lhs) == 2 {
				get = ".Get2()"
			}
			take = w.Between(comm.Pos(), comm.TokPos) + comm.Tok.String() + " " + name + get + ";"
		}
		lines := strings.Repeat("\n", strings.Count(w.Of(clause.Comm), "\n"))
		w.Replace(clause.Comm.Pos(), clause.Colon+1, fmt.Sprintf("%d:%s %s", len(names), lines, take))
		names, cases = append(names, name), append(cases, strings.ReplaceAll(text, "\n", " "))
	}
	head := fmt.Sprintf("switch %sSelect(%v) {", point, hasDefault)
	if len(names) > 0 {
		list := strings.Join(names, ", ")
		head = fmt.Sprintf("switch %s := %s; %sSelect(%v, %[1]s) {", list,
			strings.Join(cases, ", "), point, hasDefault)
	}
	w.Replace(n.Pos(), n.Body.Lbrace+1, head)
	if !hasDefault { // for functions that end here
		w.Close(n.Body.Rbrace, `; default: panic("unreachable") `)
	}
}

// claim marks the operation of a case of a select statement, which is not an operation of its own.
func (w *rewriter) claim(comm ast.Stmt) {
	switch comm := comm.(type) {
	case *ast.SendStmt:
		w.comm[comm] = true
	case *ast.ExprStmt:
		w.comm[ast.Unparen(comm.X)] = true
	case *ast.AssignStmt:
		w.comm[ast.Unparen(comm.Rhs[0])] = true
	}
}

// inner returns the text of an expression with its edits, which are made at once.
func (w *rewriter) inner(e ast.Expr) string {
	own := *w
	own.Text = w.Inner()
	ast.PreorderStack(e, nil, func(n ast.Node, stack []ast.Node) bool {
		own.node(n, stack)
		return true
	})
	w.names = own.names
	return own.Render(w.Offset(e.Pos()), w.Offset(e.End()))
}
