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

const pointPath = "github.com/espalier-go/espalier/bigen/schedule/point"

// A rewriter gives a file points. These rules keep the program what it is:
//
//   - A point before an access of memory is a statement before the user's statement, which stays to
//     the letter.
//   - Between a read and a write, there is a point only if the statement calls nothing.
//   - An operation on a lock or on an atomic value is the same call of a method with the same
//     parameters: only the type of its receiver differs. So its arguments stay to the letter.
//   - An operation on a channel, and a go statement, becomes a call if that changes neither types
//     nor the order of evaluation. Otherwise it stays to the letter, between two statements.
//   - No line moves: if the text of an expression moves, a line directive says where it was.
//
// Package go/types checks what comes out, before the compiler sees it.
type rewriter struct {
	*program
	*unit
	*gosource.Text
	file  *ast.File
	point string            // package point, as the file imports it, and a dot
	keep  map[string]bool   // what else the file must use, since its use has been replaced
	asIs  map[ast.Node]bool // operations that stay, or belong to a select statement
	left  map[ast.Node]bool // declarations that have no points
	names int
}

// rewrite returns the text of a file with points, except in declarations that are left. It reports
// false if there are none.
func (u *unit) rewrite(p *program, f loader.File, left map[ast.Node]bool) ([]byte, bool) {
	w := &rewriter{
		program: p, unit: u, file: f.Syntax, Text: gosource.NewText(p.fset, f.Text),
		point: u.prefix + "Point.", keep: map[string]bool{}, asIs: map[ast.Node]bool{}, left: left,
	}
	ast.PreorderStack(f.Syntax, nil, w.node)
	if !w.Edited() {
		return nil, false
	}
	w.Insert(f.Syntax.Name.End(), fmt.Sprintf("; import %sPoint %q", u.prefix, pointPath))
	var b bytes.Buffer
	b.WriteString(w.Render(0, w.Len()))
	fmt.Fprintf(&b, "\nvar _ = %sInstrument()\n", w.point)
	for _, used := range slices.Sorted(maps.Keys(w.keep)) {
		fmt.Fprintf(&b, "var _ = %s\n", used)
	}
	return b.Bytes(), true
}

// name returns a name that the package does not use, for the last statement that names has counted.
func (w *rewriter) name(kind string) string { return fmt.Sprint(w.prefix, kind, w.names) }

// lines returns the ends of lines between two places.
func (w *rewriter) lines(pos, end token.Pos) string {
	return strings.Repeat("\n", strings.Count(w.Between(pos, end), "\n"))
}

// node makes the edits of a node, but for the edits of the nodes within. It reports whether there
// are such nodes.
func (w *rewriter) node(n ast.Node, stack []ast.Node) bool {
	if w.left[n] {
		return false
	}
	if w.sabotage != nil {
		w.sabotage(w, n)
	}
	switch n := n.(type) {
	case *ast.FuncDecl:
		return !gosource.Nosplit(n)
	case *ast.BlockStmt:
		w.statements(n.List)
	case *ast.CaseClause:
		w.statements(n.Body)
	case *ast.CommClause:
		w.statements(n.Body)
	case *ast.IncDecStmt:
		w.update(n, n.X, n.Tok.String()[:1], nil)
	case *ast.AssignStmt:
		w.assign(n)
	case *ast.GoStmt:
		w.goStmt(n)
	case *ast.SelectStmt:
		w.selectStmt(n)
	case *ast.RangeStmt:
		w.rangeStmt(n)
	case *ast.SendStmt:
		w.send(n)
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			w.receive(n, stack)
		}
	case *ast.SelectorExpr:
		w.selector(n, stack)
	case *ast.Ident:
		w.ident(n, stack)
	}
	return true
}

// replaced are functions that package point has, too, and what else keeps their package in use.
var replaced = map[string][2]string{
	"context.AfterFunc":    {"ContextAfterFunc", "Background"},
	"runtime.AddCleanup":   {"AddCleanup", "Gosched"},
	"runtime.Gosched":      {"Gosched", "Gosched"},
	"runtime.SetFinalizer": {"SetFinalizer", "Gosched"},
	"sync.OnceFunc":        {"OnceFunc", "NewCond"},
	"sync.OnceValue":       {"OnceValue", "NewCond"},
	"sync.OnceValues":      {"OnceValues", "NewCond"},
	"time.AfterFunc":       {"AfterFunc", "Sleep"},
	"time.Sleep":           {"Sleep", "Sleep"},
}

// ident makes the edits of the name of a function of a package whose names need no qualifier.
func (w *rewriter) ident(n *ast.Ident, stack []ast.Node) {
	if len(stack) > 0 {
		if sel, ok := stack[len(stack)-1].(*ast.SelectorExpr); ok && sel.Sel == n {
			return
		}
	}
	if f, ok := w.info.Uses[n].(*types.Func); ok && f.Pkg() != nil && f.Pkg().Path() != w.path {
		w.function(n, f, "")
	}
}

// selector makes the edits of a function of a package, of a method and of the expression of a
// method.
func (w *rewriter) selector(n *ast.SelectorExpr, stack []ast.Node) {
	if s := w.info.Selections[n]; s != nil {
		w.method(n, s, stack)
		return
	}
	if f, ok := w.info.Uses[n.Sel].(*types.Func); ok && f.Pkg() != nil {
		w.function(n, f, w.Of(n.X)+".")
	}
}

// function makes the edits of an expression that denotes a function of a package.
func (w *rewriter) function(n ast.Expr, f *types.Func, qualifier string) {
	if f.Signature().Recv() != nil {
		return
	}
	if other, ok := replaced[f.Pkg().Path()+"."+f.Name()]; ok {
		w.keep[qualifier+other[1]] = true
		w.Replace(n.Pos(), n.End(), w.point+other[0])
	} else if f.Pkg().Path() == "sync/atomic" {
		kind := ""
		switch params := f.Signature().Params().Len(); {
		case params == 1:
			kind = "Load"
		case params == 3:
			kind = "CompareAndSwap"
		case f.Signature().Results().Len() == 0:
			kind = "Store"
		default:
			kind = "Add"
		}
		w.Around(n, w.point+kind+"(", ")")
	}
}

// method makes the edits of a method of a type of package sync or sync/atomic: the edits of its
// receiver.
func (w *rewriter) method(n *ast.SelectorExpr, s *types.Selection, stack []ast.Node) {
	f, ok := s.Obj().(*types.Func)
	if !ok {
		return
	}
	kind := kindOf(f)
	if s.Kind() == types.MethodExpr {
		w.methodExpr(n, s, kind)
		return
	}
	if kind == "" || s.Kind() != types.MethodVal {
		return
	}
	fields, path := w.embedded(s)
	if types.IsInterface(f.Signature().Recv().Type()) {
		if fields == nil {
			w.Around(n.X, w.point+kind+"(", path+")")
		}
		return
	}
	before, after := "(*"+w.point+kind+")(", path+")"
	if kind == "Pointer" || fields != nil {
		if !w.early(n, stack) {
			return
		}
		before = w.point + "Pointer("
	}
	at := s.Recv()
	if fields != nil {
		if kind == "Pointer" {
			return // its type cannot be written
		}
		before, after = "(*"+w.point+kind+")("+w.point+"Part(", ", "+fields.list()+"))"
	} else {
		at = w.last(s)
	}
	if _, ok := at.Underlying().(*types.Pointer); !ok {
		before += "&"
	}
	w.Around(n.X, before, after)
}

// kindOf returns the type of package point that has a method, too: the name of a type of package
// sync or sync/atomic. For a method of an interface that such types implement, it returns the
// function of package point that returns the interface with points. Otherwise, it returns "".
func kindOf(f *types.Func) string {
	recv := f.Signature().Recv().Type()
	if ptr, ok := recv.(*types.Pointer); ok {
		recv = ptr.Elem()
	}
	if types.IsInterface(recv) {
		sig := f.Signature()
		if takes, ok := dynamic[f.Name()]; ok && sig.Results().Len() == 0 && !sig.Variadic() &&
			types.Identical(sig.Params(), takes) {
			return "As" + f.Name() + "er"
		}
		return ""
	}
	named, ok := recv.(*types.Named)
	if !ok || f.Pkg() == nil {
		return ""
	}
	name := named.Obj().Name()
	switch pkg := f.Pkg().Path(); {
	case pkg == "sync/atomic":
		return name
	case pkg == "sync" && slices.Contains(wrapped, name):
		return name
	}
	return ""
}

// wrapped are the types of package sync that package point has, too.
var wrapped = []string{"Mutex", "RWMutex", "WaitGroup", "Cond", "Once", "Pool", "Map"}

// dynamic are methods of types of package sync by which goroutines wait, or begin, with their
// parameters. An interface with such a method may have a value of these types.
var dynamic = map[string]*types.Tuple{
	"Do": aFunction, "Go": aFunction,
	"Lock": noParams, "Unlock": noParams, "RLock": noParams, "RUnlock": noParams, "Wait": noParams,
}

var (
	noParams  = types.NewTuple()
	aFunction = types.NewTuple(types.NewParam(token.NoPos, nil, "f",
		types.NewSignatureType(nil, nil, nil, nil, nil, false)))
)

// A fieldPath has the indices of embedded fields that lead to a method.
type fieldPath []int

func (p fieldPath) list() string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint([]int(p)), " ", ", "), "[]")
}

// embedded returns the embedded fields that lead to a method: their names, or their indices if the
// package cannot name them.
func (w *rewriter) embedded(s *types.Selection) (indices fieldPath, names string) {
	path, at := s.Index()[:len(s.Index())-1], s.Recv()
	for _, i := range path {
		field := fieldOf(at, i)
		if !field.Exported() && field.Pkg().Path() != w.path {
			return path, ""
		}
		names, at = names+"."+field.Name(), field.Type()
	}
	return nil, names
}

// last returns the type of the last embedded field that leads to a method, or of the receiver.
func (w *rewriter) last(s *types.Selection) types.Type {
	at := s.Recv()
	for _, i := range s.Index()[:len(s.Index())-1] {
		at = fieldOf(at, i).Type()
	}
	return at
}

func fieldOf(t types.Type, i int) *types.Var {
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	return t.Underlying().(*types.Struct).Field(i)
}

// early reports whether the receiver of a method can be evaluated before the arguments.
func (w *rewriter) early(n *ast.SelectorExpr, stack []ast.Node) bool {
	for i := len(stack) - 1; i >= 0; i-- {
		switch parent := stack[i].(type) {
		case *ast.ParenExpr:
			continue
		case *ast.CallExpr:
			if ast.Unparen(parent.Fun) == n {
				return w.stable(n.X) || !slices.ContainsFunc(parent.Args,
					func(e ast.Expr) bool { return !w.quiet(e) })
			}
		}
		break
	}
	return true
}

// methodExpr makes the edits of the expression of a method such as (*sync.Mutex).Lock.
func (w *rewriter) methodExpr(n *ast.SelectorExpr, s *types.Selection, kind string) {
	sig := s.Obj().(*types.Func).Signature()
	if kind == "" || sig.Results().Len() > 0 || sig.Params().Len() > 1 {
		return
	}
	list := ""
	for _, i := range s.Index()[:len(s.Index())-1] {
		list += fmt.Sprint(", ", i)
	}
	function, name := "Method", kind+"."+n.Sel.Name
	switch {
	case types.IsInterface(sig.Recv().Type()) && sig.Params().Len() == 0:
		function, name = "MethodOf", n.Sel.Name
	case types.IsInterface(sig.Recv().Type()):
		return
	case sig.Params().Len() == 1:
		function = "Method1"
	}
	w.Around(n, w.point+function+"(", fmt.Sprintf(", %q%s)", name, list))
}
