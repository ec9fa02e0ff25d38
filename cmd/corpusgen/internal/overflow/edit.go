// Package overflow edits Go files so that signed operations whose result loses bits fail: they
// become calls of functions of package runtime, which is compiled into the module.
package overflow

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gosource"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/loader"
)

// Source is the package that edited files import.
//
//go:embed runtime/overflow.go
var Source []byte

// Dir is the directory of the package in a module. Patterns such as ./... do not match it.
const Dir = "_espalier/overflow"

// A Package is one whose files are edited.
type Package struct {
	Fset   *token.FileSet
	Info   *types.Info
	Sizes  types.Sizes
	Prefix string // of names that the package does not use
	Import string // the path of the package that edited files import
}

// An editor edits a file. These rules keep the program what it is:
//
//   - Only an operation whose operands call nothing becomes a call. If the statement calls
//     something else, its operands are local variables that no call can change.
//   - Its type must be the type of an operand, as arguments have types: type inference finds it.
//   - Constant expressions, and what is part of one, stay.
//   - No line moves.
type editor struct {
	*Package
	*gosource.Text
	file   *ast.File
	name   string            // of the imported package, with a dot
	checks map[ast.Expr]bool // operations that are to be edited
	skip   map[ast.Node]bool // declarations that are left
	wraps  *gosource.Directives
	vars   *variables
	hashes map[ast.Node]mixed // by function
	Sites
}

// Edit returns the text of a file with checks, except in declarations that are left, and what
// becomes of its operations. It returns nil if nothing is edited.
func (p *Package) Edit(f loader.File, left map[ast.Node]bool) ([]byte, Sites) {
	e := &editor{
		Package: p, Text: gosource.NewText(p.Fset, f.Text), file: f.Syntax,
		name: p.Prefix + "Overflow.", skip: left, checks: map[ast.Expr]bool{},
		wraps: findDirectives(p.Fset, f.Syntax), vars: p.findVariables(f.Syntax),
		hashes: map[ast.Node]mixed{},
	}
	test := strings.HasSuffix(p.Fset.PositionFor(f.Syntax.Pos(), false).Filename, "_test.go")
	ast.PreorderStack(f.Syntax, nil, func(n ast.Node, stack []ast.Node) bool {
		if e.skip[n] {
			return false
		}
		if x, ok := n.(ast.Expr); ok && e.Info.Types[x].Value != nil {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncDecl:
			if gosource.Nosplit(n) {
				return false
			}
			e.function(n.Type, n.Body)
		case *ast.FuncLit:
			e.function(n.Type, n.Body)
		}
		if !test {
			e.node(n, stack)
		}
		return true
	})
	if !test {
		e.Unused = unused(e.wraps)
	}
	if !e.Edited() {
		return nil, e.Sites
	}
	e.Insert(f.Syntax.Name.End(), fmt.Sprintf("; import %sOverflow %q", p.Prefix, p.Import))
	return []byte(e.Render(0, e.Len())), e.Sites
}

// function makes a function with a parameter like t *testing.T fail t when it ends, if something
// has overflowed.
func (e *editor) function(typ *ast.FuncType, body *ast.BlockStmt) {
	if body == nil || len(typ.Params.List) == 0 {
		return
	}
	first := typ.Params.List[0]
	if !isT(e.Info.TypeOf(first.Type)) {
		return
	}
	name := e.Prefix + "T"
	switch {
	case len(first.Names) == 0:
		for i, field := range typ.Params.List {
			if i == 0 {
				e.Insert(field.Type.Pos(), name+" ")
			} else {
				e.Insert(field.Type.Pos(), "_ ")
			}
		}
	case first.Names[0].Name == "_":
		e.Replace(first.Names[0].Pos(), first.Names[0].End(), name)
	default:
		name = first.Names[0].Name
	}
	e.Insert(body.Lbrace+1, fmt.Sprintf(" defer %[1]sEnded(%[2]s); defer %[1]sCaught(%[2]s);", e.name,
		name))
}

// isT reports whether a type has the methods by which tests fail.
func isT(t types.Type) bool {
	if t == nil {
		return false
	}
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return false
	}
	for _, name := range []string{"Errorf", "FailNow"} {
		obj, _, _ := types.LookupFieldOrMethod(t, false, nil, name)
		f, ok := obj.(*types.Func)
		if !ok {
			return false
		}
		params := f.Signature().Params()
		if want := map[string]int{"Errorf": 2, "FailNow": 0}[name]; params.Len() != want ||
			want == 2 && (!f.Signature().Variadic() || params.At(0).Type() != types.Typ[types.String]) ||
			f.Signature().Results().Len() > 0 {
			return false
		}
	}
	return true
}

// node makes the edits of an operation.
func (e *editor) node(n ast.Node, stack []ast.Node) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		e.binary(n, stack)
	case *ast.UnaryExpr:
		if n.Op == token.SUB {
			e.negation(n, stack)
		}
	case *ast.CallExpr:
		e.conversion(n, stack)
	case *ast.AssignStmt:
		e.assignment(n, stack)
	case *ast.IncDecStmt:
		e.step(n, stack)
	}
}

func (e *editor) binary(n *ast.BinaryExpr, stack []ast.Node) {
	op := operation{node: n, op: n.Op, x: n.X, y: n.Y, typ: e.Info.TypeOf(n)}
	if !e.mayOverflow(op) || !e.decide(op, stack) {
		return
	}
	e.checks[n] = true
	if n.Op == token.QUO {
		e.divisor(n.X, n.Y)
		return
	}
	before, at := e.call(op), n.OpPos
	e.Insert(n.Pos(), before)
	e.Replace(at, at+token.Pos(len(n.Op.String())), ",")
	e.Close(n.End(), ")")
}

// call returns the beginning of a call that does an operation.
func (e *editor) call(op operation) string {
	name := map[token.Token]string{token.ADD: "Add", token.SUB: "Sub", token.SHL: "Shl"}[op.op]
	if op.op == token.MUL {
		switch _, generic := types.Unalias(op.typ).(*types.TypeParam); {
		case generic:
			name = "MulAny"
		case e.Sizes.Sizeof(op.typ) == 8:
			name = "Mul"
		default:
			name = "MulSmall"
		}
	}
	if op.op == token.SHL {
		if e.value(op.y) != nil && !e.typedConstant(op.y) {
			name = "ShlBy"
		}
		if e.value(op.x) != nil && op.node != nil && !e.typedConstant(op.x) {
			basic := types.Unalias(op.typ).(*types.Basic).Name()
			name += "[" + e.name + strings.ToUpper(basic[:1]) + basic[1:] + "]"
		}
	}
	return e.name + name + "("
}

// divisor makes the edit of the second operand of a division.
func (e *editor) divisor(x, y ast.Expr) {
	e.Insert(y.Pos(), e.name+"Divisor("+e.Of(x)+", ")
	e.Close(y.End(), ")")
}

func (e *editor) negation(n *ast.UnaryExpr, stack []ast.Node) {
	op := operation{node: n, op: n.Op, y: n.X, typ: e.Info.TypeOf(n)}
	if !e.mayOverflow(op) || e.givesBits(stack) || !e.decide(op, stack) {
		return
	}
	e.checks[n] = true
	e.Insert(n.Pos(), e.name+"Neg(")
	e.Replace(n.OpPos, n.OpPos+1, "")
	e.Close(n.End(), ")")
}

func (e *editor) conversion(n *ast.CallExpr, stack []ast.Node) {
	if !e.Info.Types[n.Fun].IsType() || len(n.Args) != 1 {
		return
	}
	op := operation{node: n, op: token.LPAREN, x: n.Args[0], typ: e.Info.TypeOf(n)}
	if !e.mayOverflow(op) || !e.decide(op, stack) {
		return
	}
	e.checks[n] = true
	e.Insert(n.Pos(), e.name+"Narrow[")
	e.Replace(n.Lparen, n.Lparen+1, "](")
}

// assigned are the operators of assignments that are checked.
var assigned = map[token.Token]token.Token{
	token.ADD_ASSIGN: token.ADD, token.SUB_ASSIGN: token.SUB, token.MUL_ASSIGN: token.MUL,
	token.QUO_ASSIGN: token.QUO, token.SHL_ASSIGN: token.SHL,
}

func (e *editor) assignment(n *ast.AssignStmt, stack []ast.Node) {
	operator, ok := assigned[n.Tok]
	if !ok {
		return
	}
	op := operation{stmt: n, op: operator, x: n.Lhs[0], y: n.Rhs[0], typ: e.Info.TypeOf(n.Lhs[0])}
	if !e.mayOverflow(op) || !e.decide(op, stack) {
		return
	}
	if operator == token.QUO {
		e.divisor(op.x, op.y)
		return
	}
	e.Replace(n.TokPos, n.TokPos+token.Pos(len(n.Tok.String())), "= "+e.call(op)+e.Of(op.x)+", ")
	e.Close(n.End(), ")")
}

func (e *editor) step(n *ast.IncDecStmt, stack []ast.Node) {
	op := operation{stmt: n, op: token.ADD, x: n.X, typ: e.Info.TypeOf(n.X)}
	if n.Tok == token.DEC {
		op.op = token.SUB
	}
	if !e.mayOverflow(op) || !e.decide(op, stack) {
		return
	}
	e.Replace(n.TokPos, n.TokPos+2, "= "+e.call(op)+e.Of(n.X)+", 1)")
}

func (e *editor) value(x ast.Expr) constant.Value { return e.Info.Types[x].Value }

// line returns the line of a place, and the name of its file.
func (e *editor) at(pos token.Pos) string {
	at := e.Fset.Position(pos)
	return fmt.Sprintf("%s:%d", filepath.Base(at.Filename), at.Line)
}
