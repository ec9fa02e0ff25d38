package interleave

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gosource"
)

// goStmt makes the edits of a go statement, in one of three ways:
//
//	go func() { ... }()  { g := Spawn(); go g.Run(func() { ... }) }
//	go f(x, 2)           { f1, a1, _ := f, x, 0; g := Spawn(); go g.Run(func() { f1(a1, 2) }) }
//	go f(1<<n)           { g := Spawning(); go Runs(g, f)(1<<n); g.Spawned() }
//
// The second evaluates function and arguments as the compiler does, in one assignment. The third is
// for arguments whose types come from the parameters.
func (w *rewriter) goStmt(n *ast.GoStmt) {
	w.names++
	call := n.Call
	child := w.name("G")
	lit, _ := ast.Unparen(call.Fun).(*ast.FuncLit)
	switch {
	case lit != nil && lit == call.Fun && len(call.Args) == 0 && lit.Type.Results == nil:
		w.Replace(n.Pos(), lit.Pos(), "{ "+child+" := "+w.point+"Spawn(); go "+child+".Run("+
			w.lines(n.Pos(), lit.Pos()))
		w.Replace(call.Lparen, call.Rparen+1, ") }"+w.lines(call.Lparen, call.Rparen))
	case w.exactArgs(call):
		w.assignArgs(n, child)
	case w.builtin(call.Fun): // it passes no points
	case w.inferred(call.Fun):
		w.note(n, "its function is generic: write the type arguments")
	default:
		w.Insert(n.Pos(), "{ "+child+" := "+w.point+"Spawning(); ")
		w.Insert(call.Fun.Pos(), w.point+"Runs("+child+", ")
		w.Close(call.Fun.End(), ")")
		w.Close(n.End(), "; "+child+".Spawned() }")
	}
}

// note notes that a go statement stays to the letter.
func (w *rewriter) note(n *ast.GoStmt, why string) {
	at := w.fset.Position(n.Pos())
	w.notes = append(w.notes, fmt.Sprintf("%s:%d: the goroutine of this go statement gets no turns, "+
		"since %s", at.Filename, at.Line, why))
}

// exactArgs reports whether a new variable for an argument has the type of the parameter's value,
// for each argument.
func (w *rewriter) exactArgs(call *ast.CallExpr) bool {
	for _, arg := range call.Args {
		tv := w.info.Types[arg]
		_, many := tv.Type.(*types.Tuple)
		if !many && !tv.IsNil() && tv.Value == nil && !w.exact(arg) {
			return false
		}
	}
	return true
}

// assignArgs makes the edits of a go statement whose function and arguments are assigned to
// variables.
func (w *rewriter) assignArgs(n *ast.GoStmt, child string) {
	call, fun := n.Call, ""
	var names, args []string
	fresh := false
	name := func(i int) string {
		fresh = true
		return fmt.Sprintf("%s_%d", w.name("A"), i)
	}
	static := w.declared(call.Fun)
	if static {
		fun = w.inner(call.Fun)
	} else {
		fun = w.name("F")
	}
	tuple := false
	for i, arg := range call.Args {
		tv := w.info.Types[arg]
		if t, many := tv.Type.(*types.Tuple); many {
			tuple = true
			for i := range t.Len() {
				names = append(names, name(i))
			}
			args = names
			break
		}
		if tv.IsNil() || tv.Value != nil {
			names, args = append(names, "_"), append(args, w.Of(arg))
			w.Replace(arg.Pos(), arg.End(), w.lines(arg.Pos(), arg.End())+"0")
			continue
		}
		names, args = append(names, name(i)), append(args, name(i))
	}
	list := strings.Join(names, ", ")
	begin, define := "{ ", " = "
	if fresh {
		define = " := "
	}
	switch {
	case static && list == "":
	case static:
		begin += list + define
	case tuple:
		begin += fun + " := "
	case list == "":
		begin += fun + " := "
	default:
		begin += fun + ", " + list + " := "
	}
	if static {
		w.Replace(n.Pos(), call.Lparen+1, begin+w.lines(n.Pos(), call.Lparen))
	} else {
		w.Replace(n.Pos(), call.Fun.Pos(), begin+w.lines(n.Pos(), call.Fun.Pos()))
		between := "; "
		if tuple {
			between += list + define
		} else if list != "" {
			between = ", "
		}
		w.Replace(call.Fun.End(), call.Lparen+1, between+w.lines(call.Fun.End(), call.Lparen))
	}
	last := call.Lparen + 1
	if len(call.Args) > 0 {
		last = call.Args[len(call.Args)-1].End()
	}
	if call.Ellipsis.IsValid() {
		args[len(args)-1] += "..."
	}
	called := fun + "(" + strings.Join(args, ", ") + ")"
	text := fmt.Sprintf("; %s := %sSpawn(); go %[1]s.Run(func() { %[3]s })%s }", child, w.point,
		called, w.lines(last, call.Rparen))
	if strings.Contains(called, "\n") {
		text += w.directive(n.End(), false)
	}
	w.Replace(last, call.Rparen+1, text)
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

func (w *rewriter) builtin(e ast.Expr) bool { return w.info.Types[ast.Unparen(e)].IsBuiltin() }

func (w *rewriter) inferred(e ast.Expr) bool { return gosource.Inferred(w.info, e) }

func (w *rewriter) exact(e ast.Expr) bool { return gosource.Exact(w.info, e) }
