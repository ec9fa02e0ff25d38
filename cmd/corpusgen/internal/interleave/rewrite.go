package interleave

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gosource"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/loader"
)

const (
	pointPath = "github.com/espalier-go/espalier/bigen/schedule/point"
	point     = "espalierPoint." // the package, as files import it
)

// A rewriter rewrites a file so that it has points. Its edits add no line and remove none, so that
// places remain what they are.
type rewriter struct {
	*program
	*unit
	*gosource.Text
	file  *ast.File
	keep  map[string]bool // what else the file must use, since its use has been replaced
	comm  map[ast.Node]bool
	names int
}

// rewrite returns the text of a file with points. It reports false if there are none.
func (u *unit) rewrite(p *program, f loader.File) ([]byte, bool) {
	w := &rewriter{
		program: p, unit: u, file: f.Syntax, Text: gosource.NewText(p.fset, f.Text),
		keep: map[string]bool{}, comm: map[ast.Node]bool{},
	}
	ast.PreorderStack(f.Syntax, nil, func(n ast.Node, stack []ast.Node) bool {
		w.node(n, stack)
		return true
	})
	if !w.Edited() {
		return nil, false
	}
	w.Insert(f.Syntax.Name.End(), fmt.Sprintf("; import espalierPoint %q", pointPath))
	var b bytes.Buffer
	b.WriteString(w.Render(0, w.Len()))
	fmt.Fprintf(&b, "\nvar _ = %sInstrument()\n", point)
	for _, used := range slices.Sorted(maps.Keys(w.keep)) {
		fmt.Fprintf(&b, "var _ = %s\n", used)
	}
	return b.Bytes(), true
}

// wrap makes an expression the argument of a call.
func (w *rewriter) wrap(n ast.Node, before string) {
	w.Around(n, before, ")")
}

// node makes the edits of a node, but for the edits of the nodes within.
func (w *rewriter) node(n ast.Node, stack []ast.Node) {
	switch n := n.(type) {
	case *ast.GoStmt:
		w.goStmt(n)
	case *ast.SelectStmt:
		w.selectStmt(n)
	case *ast.SendStmt:
		if !w.comm[n] {
			w.Insert(n.Chan.Pos(), point+"Send(")
			w.Replace(n.Chan.End(), n.Value.Pos(), ")(")
			w.Close(n.Value.End(), ")")
		}
	case *ast.UnaryExpr:
		if n.Op == token.ARROW && !w.comm[n] {
			w.Replace(n.OpPos, n.X.Pos(), point+"Recv"+two(n, stack)+"(")
			w.Close(n.End(), ")")
		}
	case *ast.RangeStmt:
		if _, ok := w.under(n.X).(*types.Chan); ok {
			w.wrap(n.X, point+"Range(")
		}
	case *ast.IncDecStmt:
		w.update(n, n.X, n.Tok.String()[:1], nil)
	case *ast.AssignStmt:
		w.assign(n)
	case *ast.CallExpr:
		w.call(n, stack)
	case *ast.SelectorExpr:
		w.method(n)
	case *ast.BlockStmt:
		w.statements(n.List)
	case *ast.CaseClause:
		w.statements(n.Body)
	case *ast.CommClause:
		w.statements(n.Body)
	}
}

// two returns "2" if the parent of an expression takes two values of it.
func two(n ast.Expr, stack []ast.Node) string {
	for i := len(stack) - 1; i >= 0; i-- {
		switch parent := stack[i].(type) {
		case *ast.ParenExpr:
			continue
		case *ast.AssignStmt:
			if len(parent.Lhs) == 2 && len(parent.Rhs) == 1 {
				return "2"
			}
		case *ast.ValueSpec:
			if len(parent.Names) == 2 && len(parent.Values) == 1 {
				return "2"
			}
		}
		break
	}
	return ""
}

// under returns the type of an expression, without its name, or nil.
func (w *rewriter) under(e ast.Expr) types.Type {
	if t := w.info.TypeOf(e); t != nil {
		return t.Underlying()
	}
	return nil
}

// replaced are functions that package point has, too, and what else keeps their package in use.
var replaced = map[string]string{
	"time.Sleep": "Sleep", "time.AfterFunc": "Sleep", "runtime.Gosched": "Gosched",
	"sync.OnceFunc": "NewCond", "sync.OnceValue": "NewCond", "sync.OnceValues": "NewCond",
}

// call makes the edits of a call of a builtin function, or of a function of the standard library.
func (w *rewriter) call(n *ast.CallExpr, stack []ast.Node) {
	fun := ast.Unparen(n.Fun)
	if index, ok := fun.(*ast.IndexExpr); ok {
		fun = index.X
	}
	switch fun := fun.(type) {
	case *ast.Ident:
		if b, ok := w.info.Uses[fun].(*types.Builtin); ok && b.Name() == "close" {
			w.Replace(fun.Pos(), fun.End(), point+"Close")
			return
		}
	case *ast.SelectorExpr:
		if f, ok := w.info.Uses[fun.Sel].(*types.Func); ok && f.Pkg() != nil {
			w.callOf(f, fun, n.Args)
			return
		}
	}
	if t := w.info.TypeOf(n.Fun); t != nil && len(stack) > 0 {
		_, deferred := stack[len(stack)-1].(*ast.DeferStmt)
		if name := t.String(); !deferred &&
			(name == "context.CancelFunc" || name == "context.CancelCauseFunc") {
			w.wrap(n.Fun, point+"Before(")
		}
	}
}

// callOf makes the edits of a call of a function or method of a package.
func (w *rewriter) callOf(f *types.Func, fun *ast.SelectorExpr, args []ast.Expr) {
	if f.Signature().Recv() != nil {
		if atomic(f) {
			w.last(args)
		}
		return
	}
	name := f.Pkg().Path() + "." + f.Name()
	other, isReplaced := replaced[name]
	switch {
	case isReplaced:
		w.keep[w.Of(fun.X)+"."+other] = true
		w.Replace(fun.Pos(), fun.End(), point+f.Name())
	case name == "context.AfterFunc" && len(args) == 2:
		w.wrap(args[1], point+"Callback(")
	case f.Pkg().Path() == "sync/atomic" && !w.last(args):
		w.wrap(args[0], point+"Before(")
	}
}

// atomic reports whether a method has no point of its own.
func atomic(f *types.Func) bool {
	pkg := f.Pkg().Path()
	return pkg == "sync/atomic" ||
		pkg == "sync" && strings.HasSuffix(f.Signature().Recv().Type().String(), "sync.Map")
}

// last makes the end of the evaluation of arguments a point. It reports false if all are constants.
func (w *rewriter) last(args []ast.Expr) bool {
	for _, arg := range slices.Backward(args) {
		if w.evaluated(arg) {
			w.wrap(arg, point+"Before(")
			return true
		}
	}
	return false
}

// evaluated reports whether an expression has one value, of a type of its own, which is not a
// constant.
func (w *rewriter) evaluated(e ast.Expr) bool {
	tv := w.info.Types[e]
	_, many := tv.Type.(*types.Tuple)
	basic, ok := tv.Type.(*types.Basic)
	own := tv.IsValue() && tv.Value == nil && !many && !(ok && basic.Info()&types.IsUntyped != 0)
	ast.Inspect(e, func(n ast.Node) bool { // the type of 1<<n comes from what it is assigned to
		shift, ok := n.(*ast.BinaryExpr)
		own = own && !(ok && shift.Op == token.SHL && w.info.Types[shift.X].Value != nil)
		return own
	})
	return own
}

// wrapped are the types of package sync that package point has, too.
var wrapped = []string{"Mutex", "RWMutex", "WaitGroup", "Cond", "Once", "Pool"}

// method makes the edits of a method of a type of package sync or sync/atomic: the edits of its
// receiver.
func (w *rewriter) method(n *ast.SelectorExpr) {
	s := w.info.Selections[n]
	if s == nil || s.Kind() != types.MethodVal {
		return
	}
	f := s.Obj().(*types.Func)
	recv := f.Signature().Recv().Type()
	if ptr, ok := recv.(*types.Pointer); ok {
		recv = ptr.Elem()
	}
	named, ok := recv.(*types.Named)
	if !ok || f.Pkg() == nil {
		return
	}
	before, pkg, name := "", f.Pkg().Path(), named.Obj().Name()
	switch {
	case pkg == "sync" && slices.Contains(wrapped, name):
		before = point + name + "("
	case atomic(f):
		before = point + "At("
	case pkg == "sync" && name == "Locker":
		before = point + "Locker("
	default:
		return
	}
	path, at := "", s.Recv()
	for _, i := range s.Index()[:len(s.Index())-1] {
		if ptr, ok := at.Underlying().(*types.Pointer); ok {
			at = ptr.Elem()
		}
		field := at.Underlying().(*types.Struct).Field(i)
		path, at = path+"."+field.Name(), field.Type()
	}
	if _, ok := at.Underlying().(*types.Pointer); !ok && name != "Locker" {
		before += "&"
	}
	w.Insert(n.X.Pos(), before)
	w.Close(n.X.End(), path+")")
}
