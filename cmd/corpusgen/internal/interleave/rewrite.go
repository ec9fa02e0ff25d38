package interleave

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
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
	file  *ast.File
	text  []byte
	edits []edit
	keep  map[string]bool // what else the file must use, since its use has been replaced
	comm  map[ast.Node]bool
	names int
}

// An edit replaces a part of the text.
type edit struct {
	pos, end int
	text     string
	closes   bool // it belongs to what is before
}

// rewrite returns the text of a file with points. It reports false if there are none.
func (u *unit) rewrite(p *program, f *ast.File) ([]byte, bool) {
	w := &rewriter{program: p, unit: u, file: f, text: u.texts[f], keep: map[string]bool{}, comm: map[ast.Node]bool{}}
	ast.PreorderStack(f, nil, func(n ast.Node, stack []ast.Node) bool {
		w.node(n, stack)
		return true
	})
	if len(w.edits) == 0 {
		return nil, false
	}
	w.insert(f.Name.End(), fmt.Sprintf("; import espalierPoint %q", pointPath))
	var b bytes.Buffer
	b.WriteString(w.render(0, len(w.text)))
	fmt.Fprintf(&b, "\nvar _ = %sInstrument()\n", point)
	for _, used := range slices.Sorted(maps.Keys(w.keep)) {
		fmt.Fprintf(&b, "var _ = %s\n", used)
	}
	return b.Bytes(), true
}

func (w *rewriter) offset(pos token.Pos) int { return w.fset.PositionFor(pos, false).Offset }

// of returns the text of a node, without edits.
func (w *rewriter) of(n ast.Node) string { return string(w.text[w.offset(n.Pos()):w.offset(n.End())]) }

// insert inserts text before what begins at pos, and after what has been inserted there.
func (w *rewriter) insert(pos token.Pos, text string) { w.replace(pos, pos, text) }

// close inserts text after what ends at pos, and before what has been inserted there.
func (w *rewriter) close(pos token.Pos, text string) {
	at := w.offset(pos)
	w.edits = append(w.edits, edit{at, at, text, true})
}

func (w *rewriter) replace(pos, end token.Pos, text string) {
	w.edits = append(w.edits, edit{w.offset(pos), w.offset(end), text, false})
}

// wrap makes an expression the argument of a call.
func (w *rewriter) wrap(n ast.Node, before string) {
	w.insert(n.Pos(), before)
	w.close(n.End(), ")")
}

// render returns a part of the text with its edits.
func (w *rewriter) render(from, to int) string {
	var edits []edit
	closing := 0
	for _, e := range w.edits {
		switch {
		case e.pos < from || e.end > to || e.closes && e.pos == from || !e.closes && e.pos == to && from < to && e.pos == e.end:
		case e.closes: // the inner one comes first
			edits = slices.Insert(edits, 0, e)
			closing++
		default:
			edits = append(edits, e)
		}
	}
	slices.SortStableFunc(edits, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.pos, b.pos), cmp.Compare(order(b), order(a)))
	})
	var b strings.Builder
	for _, e := range edits {
		if e.pos < from {
			continue // within what another edit replaces
		}
		b.Write(w.text[from:e.pos])
		b.WriteString(e.text)
		from = e.end
	}
	b.Write(w.text[from:to])
	return b.String()
}

// order is 1 for what comes first at a position.
func order(e edit) int {
	if e.closes {
		return 1
	}
	return 0
}

// node makes the edits of a node, but for those of the nodes within.
func (w *rewriter) node(n ast.Node, stack []ast.Node) {
	switch n := n.(type) {
	case *ast.GoStmt:
		w.goStmt(n)
	case *ast.SelectStmt:
		w.selectStmt(n)
	case *ast.SendStmt:
		if !w.comm[n] {
			w.insert(n.Chan.Pos(), point+"Send(")
			w.replace(n.Chan.End(), n.Value.Pos(), ")(")
			w.close(n.Value.End(), ")")
		}
	case *ast.UnaryExpr:
		if n.Op == token.ARROW && !w.comm[n] {
			w.replace(n.OpPos, n.X.Pos(), point+"Recv"+two(n, stack)+"(")
			w.close(n.End(), ")")
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
			w.replace(fun.Pos(), fun.End(), point+"Close")
			return
		}
	case *ast.SelectorExpr:
		f, ok := w.info.Uses[fun.Sel].(*types.Func)
		if !ok || f.Pkg() == nil {
			break
		}
		if f.Signature().Recv() != nil {
			if atomic(f) {
				w.last(n.Args)
			}
			return
		}
		name := f.Pkg().Path() + "." + f.Name()
		if other, ok := replaced[name]; ok {
			w.keep[w.of(fun.X)+"."+other] = true
			w.replace(fun.Pos(), fun.End(), point+f.Name())
			return
		}
		switch {
		case name == "context.AfterFunc" && len(n.Args) == 2:
			w.wrap(n.Args[1], point+"Callback(")
		case f.Pkg().Path() == "sync/atomic" && !w.last(n.Args):
			w.wrap(n.Args[0], point+"Before(")
		}
		return
	}
	if t := w.info.TypeOf(n.Fun); t != nil && len(stack) > 0 {
		_, deferred := stack[len(stack)-1].(*ast.DeferStmt)
		if name := t.String(); !deferred && (name == "context.CancelFunc" || name == "context.CancelCauseFunc") {
			w.wrap(n.Fun, point+"Before(")
		}
	}
}

// atomic reports whether a method has no point of its own.
func atomic(f *types.Func) bool {
	pkg := f.Pkg().Path()
	return pkg == "sync/atomic" || pkg == "sync" && strings.HasSuffix(f.Signature().Recv().Type().String(), "sync.Map")
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

// evaluated reports whether an expression has one value, of a type of its own, which is not a constant.
func (w *rewriter) evaluated(e ast.Expr) bool {
	tv := w.info.Types[e]
	_, many := tv.Type.(*types.Tuple)
	basic, ok := tv.Type.(*types.Basic)
	own := tv.IsValue() && tv.Value == nil && !many && !(ok && basic.Info()&types.IsUntyped != 0)
	ast.Inspect(e, func(n ast.Node) bool { // the type of 1<<n is that of what it is assigned to
		shift, ok := n.(*ast.BinaryExpr)
		own = own && !(ok && shift.Op == token.SHL && w.info.Types[shift.X].Value != nil)
		return own
	})
	return own
}

// wrapped are the types of package sync that package point has, too.
var wrapped = []string{"Mutex", "RWMutex", "WaitGroup", "Cond", "Once", "Pool"}

// method makes the edits of a method of a type of package sync or sync/atomic: those of its receiver.
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
	w.insert(n.X.Pos(), before)
	w.close(n.X.End(), path+")")
}
