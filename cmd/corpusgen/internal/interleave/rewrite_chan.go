package interleave

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// send makes the edits of a send statement: ch <- v becomes Send(ch)(v), which evaluates ch first.
func (w *rewriter) send(n *ast.SendStmt) {
	if w.asIs[n] || w.staysSend(n) {
		return
	}
	w.Insert(n.Chan.Pos(), w.point+"Send(")
	w.Replace(n.Arrow, n.Arrow+token.Pos(len("<-")), ")(")
	w.Close(n.Value.End(), ")")
}

// staysSend reports whether evaluating the value may change the channel.
func (w *rewriter) staysSend(n *ast.SendStmt) bool { return !w.quiet(n.Value) && !w.stable(n.Chan) }

// receive makes the edits of a receive operation.
func (w *rewriter) receive(n *ast.UnaryExpr, stack []ast.Node) {
	name := "Recv"
	if ok := second(n, stack); ok != nil {
		name = "Recv2"
		if !w.takesBool(ok) {
			return
		}
	}
	if !w.asIs[n] {
		w.Replace(n.OpPos, n.OpPos+token.Pos(len("<-")), w.point+name+"(")
		w.Close(n.End(), ")")
	}
}

// second returns what the parent of an expression assigns the second value to, or the type of that
// if it is declared, or nil.
func second(n ast.Expr, stack []ast.Node) ast.Expr {
	for _, parent := range slices.Backward(stack) {
		switch parent := parent.(type) {
		case *ast.ParenExpr:
			continue
		case *ast.AssignStmt:
			if len(parent.Lhs) == 2 && len(parent.Rhs) == 1 {
				return parent.Lhs[1]
			}
		case *ast.ValueSpec:
			if len(parent.Names) == 2 && len(parent.Values) == 1 {
				if parent.Type != nil {
					return parent.Type
				}
				return parent.Names[1]
			}
		}
		break
	}
	return nil
}

// takesBool reports whether a bool can be assigned to an expression, which a boolean without a type
// is assigned to.
func (w *rewriter) takesBool(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	if ok && id.Name == "_" {
		return true
	}
	t := w.info.TypeOf(e)
	if _, parameter := t.(*types.TypeParam); t == nil || parameter {
		return false
	}
	return types.Identical(t, types.Typ[types.Bool]) || types.IsInterface(t)
}

// stays returns what a statement may wait for if it stays to the letter, and the operation that
// waits; or "".
func (w *rewriter) stays(s ast.Stmt) (why string, op ast.Node) {
	var ok, from ast.Expr
	switch s := s.(type) {
	case *ast.SendStmt:
		if w.staysSend(s) {
			return "send", s
		}
	case *ast.AssignStmt:
		if len(s.Lhs) == 2 && len(s.Rhs) == 1 {
			ok, from = s.Lhs[1], ast.Unparen(s.Rhs[0])
		}
	}
	recv, is := from.(*ast.UnaryExpr)
	if is && recv.Op == token.ARROW && !w.takesBool(ok) {
		return "receive", recv
	}
	return "", nil
}

// rangeStmt makes the edits of a range statement over a channel. Its variable is the same for all
// iterations in older releases of Go, so it becomes the variable of a for statement:
//
//	for v := range ch {
//	for r, v := Each(ch); r.Into(&v); {
func (w *rewriter) rangeStmt(n *ast.RangeStmt) {
	if !isChan(w.info.TypeOf(n.X)) {
		return
	}
	w.names++
	r := w.name("R")
	key, _ := n.Key.(*ast.Ident)
	head, next := r+" := "+w.point+"Receive(", r+".Next()"
	switch {
	case n.Key == nil || key != nil && key.Name == "_":
	case n.Tok == token.DEFINE:
		head, next = r+", "+key.Name+" := "+w.point+"Each(", r+".Into(&"+key.Name+")"
	default:
		text := w.inner(n.Key)
		if strings.Contains(text, "\n") {
			return
		}
		w.Insert(n.Body.Lbrace+1, " "+text+" = "+r+".Get(); ")
	}
	from := n.For + token.Pos(len("for"))
	w.Replace(from, n.X.Pos(), " "+head+w.lines(from, n.X.Pos()))
	w.Close(n.X.End(), "); "+next+"; ")
}

// isChan reports whether a type is a channel, or a type parameter that stands for channels.
func isChan(t types.Type) bool {
	if t == nil {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Chan:
		return true
	case *types.Interface:
		for e := range u.EmbeddedTypes() {
			if union, ok := e.(*types.Union); ok {
				for term := range union.Terms() {
					if !isChan(term.Type()) {
						return false
					}
				}
				return union.Len() > 0
			}
			if isChan(e) {
				return true
			}
		}
	}
	return false
}

// selectStmt makes the edits of a select statement: it becomes a switch over the case that
// proceeds. What the cases evaluate moves to the head, in order. The last case becomes the default
// if there is none, so that the statement ends a function as before.
//
//	select {
//	case v, ok := <-a:
//	case b <- f():
//
//	switch c1_0, c1_1 := Receive(a), SendTo(b)(f()); Select(c1_0, c1_1) {
//	case 0: v, ok := c1_0.Get2();
//	default:
func (w *rewriter) selectStmt(n *ast.SelectStmt) {
	if len(n.Body.List) == 0 {
		w.Insert(n.Pos(), w.point+"Block(); ")
		return
	}
	w.names++
	var names, cases []string
	choose, moved := "Select", false
	last := n.Body.List[len(n.Body.List)-1]
	for _, clause := range n.Body.List {
		if comm := clause.(*ast.CommClause).Comm; comm == nil {
			choose, last = "TrySelect", nil
		} else {
			w.claim(comm)
		}
	}
	for _, clause := range n.Body.List {
		clause := clause.(*ast.CommClause)
		if clause.Comm == nil {
			continue
		}
		name := fmt.Sprintf("%s_%d", w.name("C"), len(names))
		begin := fmt.Sprintf("case %d: ", len(names))
		if clause == last {
			begin = "default: "
		}
		w.Replace(clause.Case, clause.Comm.Pos(), begin+w.lines(clause.Case, clause.Comm.Pos()))
		text := ""
		switch comm := clause.Comm.(type) {
		case *ast.SendStmt:
			text = w.point + "SendTo(" + w.moved(comm.Chan, n, &moved) + ")(" +
				w.moved(comm.Value, n, &moved) + ")"
			w.Replace(comm.Pos(), clause.Colon+1, w.lines(comm.Pos(), clause.Colon))
		case *ast.ExprStmt:
			text = w.received(comm.X, n, &moved)
			w.Replace(comm.Pos(), clause.Colon+1, w.lines(comm.Pos(), clause.Colon))
		case *ast.AssignStmt:
			text = w.received(comm.Rhs[0], n, &moved)
			take := name + ".Get()"
			switch {
			case len(comm.Lhs) == 2 && (comm.Tok == token.DEFINE || w.takesBool(comm.Lhs[1])):
				take = name + ".Get2()"
			case len(comm.Lhs) == 2:
				take += ", " + name + ".Ok() == " + w.point + "Yes"
			}
			from := comm.Rhs[0].Pos()
			w.Replace(from, clause.Colon+1, take+";"+w.lines(from, clause.Colon))
		}
		names, cases = append(names, name), append(cases, text)
	}
	head, list := "switch ", strings.Join(names, ", ")
	if list != "" {
		head += list + " := " + strings.Join(cases, ", ") + "; "
	}
	head += w.point + choose + "(" + list + ") {"
	if moved {
		head += w.directive(n.Body.Lbrace+1, false)
	} else {
		head += w.lines(n.Pos(), n.Body.Lbrace)
	}
	w.Replace(n.Pos(), n.Body.Lbrace+1, head)
}

// received returns the case of a receive operation.
func (w *rewriter) received(e ast.Expr, n ast.Stmt, moved *bool) string {
	return w.point + "Receive(" + w.moved(ast.Unparen(e).(*ast.UnaryExpr).X, n, moved) + ")"
}

// moved returns the text of an expression, with its edits, for another place. Directives keep its
// lines what they are, and what follows it is at the place of a statement.
func (w *rewriter) moved(e ast.Expr, n ast.Stmt, moved *bool) string {
	text := w.inner(e)
	if _, name := e.(*ast.Ident); !name {
		// A directive without a file means that of the one before.
		elsewhere := w.fset.Position(e.Pos()).Filename != w.fset.Position(n.Pos()).Filename
		text = w.directive(e.Pos(), elsewhere) + text + w.directive(n.Pos(), elsewhere)
		*moved = true
	}
	return text
}

// directive returns a line directive that says that a place follows. It names the file if that is
// another one, or if it has to.
func (w *rewriter) directive(pos token.Pos, named bool) string {
	said, file := w.fset.Position(pos), ""
	if own := w.fset.PositionFor(pos, false); named || said.Filename != own.Filename || said.Column == 0 {
		file = said.Filename
	}
	if said.Column == 0 {
		return fmt.Sprintf("/*line %s:%d*/", file, said.Line)
	}
	return fmt.Sprintf("/*line %s:%d:%d*/", file, said.Line, said.Column)
}

// claim marks the operation of a case of a select statement, which is not an operation of its own.
func (w *rewriter) claim(comm ast.Stmt) {
	switch comm := comm.(type) {
	case *ast.SendStmt:
		w.asIs[comm] = true
	case *ast.ExprStmt:
		w.asIs[ast.Unparen(comm.X)] = true
	case *ast.AssignStmt:
		w.asIs[ast.Unparen(comm.Rhs[0])] = true
	}
}

// inner returns the text of an expression with its edits, which are made at once.
func (w *rewriter) inner(e ast.Expr) string {
	own := *w
	own.Text = w.Inner()
	ast.PreorderStack(e, nil, own.node)
	w.names = own.names
	return own.Render(w.Offset(e.Pos()), w.Offset(e.End()))
}
