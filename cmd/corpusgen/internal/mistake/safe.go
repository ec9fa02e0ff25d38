package mistake

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strconv"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gosource"
)

// movable reports whether a call with the parts of an expression as its arguments can take the place
// of the expression. The compiler evaluates calls in their order, and all else after them. So a call
// reads variables before a later call of the same statement may change them.
func (e *editor) movable(x ast.Expr, stack []ast.Node) bool {
	return e.settled(x) || !e.laterCall(x, stack)
}

// allMovable is movable for the arguments of a call.
func (e *editor) allMovable(call *ast.CallExpr, stack []ast.Node) bool {
	for _, arg := range call.Args {
		if !e.settled(arg) {
			return !e.laterCall(call, stack)
		}
	}
	return true
}

// settled reports whether no call can change the value of an expression.
func (e *editor) settled(x ast.Expr) bool {
	if tv := e.Info.Types[x]; tv.Value != nil || tv.IsNil() || tv.IsType() {
		return true
	}
	switch x := x.(type) {
	case *ast.BasicLit, *ast.FuncLit:
		return true
	case *ast.Ident:
		obj, ok := e.Info.Uses[x].(*types.Var)
		return ok && obj.Parent() != nil && obj.Pkg() != nil && obj.Parent() != obj.Pkg().Scope() &&
			!e.shared[obj]
	case *ast.ParenExpr:
		return e.settled(x.X)
	case *ast.UnaryExpr:
		return x.Op == token.ARROW || x.Op != token.AND && e.settled(x.X)
	case *ast.BinaryExpr:
		return e.settled(x.X) && e.settled(x.Y)
	case *ast.SelectorExpr:
		s := e.Info.Selections[x]
		return s != nil && s.Kind() == types.FieldVal && !s.Indirect() && e.settled(x.X)
	case *ast.IndexExpr:
		return isValue(e.Info.TypeOf(x.X)) && e.settled(x.X) && e.settled(x.Index)
	case *ast.CallExpr:
		return e.settledCall(x)
	}
	return false
}

// settledCall is settled for a call: its result is kept once it is there. What a conversion or a
// builtin function returns is not.
func (e *editor) settledCall(x *ast.CallExpr) bool {
	if !e.Info.Types[x.Fun].IsType() && !e.Info.Types[x.Fun].IsBuiltin() {
		return true
	}
	if gosource.IsBuiltin(e.Info, x.Fun, "len", "cap") && len(x.Args) == 1 {
		if t := e.Info.TypeOf(x.Args[0]); t != nil {
			if _, ok := t.Underlying().(*types.Slice); ok {
				return e.settled(x.Args[0])
			}
			return isValue(t) && e.settled(x.Args[0])
		}
	}
	return e.Info.Types[x.Fun].IsType() && len(x.Args) == 1 && isValue(e.Info.TypeOf(x)) &&
		isValue(e.Info.TypeOf(x.Args[0])) && e.settled(x.Args[0])
}

// isValue reports whether values of a type hold their elements, if they have some.
func isValue(t types.Type) bool {
	if t == nil {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Basic, *types.Array:
		return true
	}
	return false
}

// laterCall reports whether something is called, or received, after an expression in its statement.
func (e *editor) laterCall(x ast.Node, stack []ast.Node) bool {
	child := x
	for _, parent := range slices.Backward(stack) {
		switch p := parent.(type) {
		case *ast.BinaryExpr:
			if p.Op == token.LAND || p.Op == token.LOR {
				return false // its operands are evaluated one after the other
			}
		case *ast.CaseClause, *ast.BlockStmt, *ast.IfStmt, *ast.ForStmt, *ast.SwitchStmt,
			*ast.TypeSwitchStmt, *ast.RangeStmt, *ast.LabeledStmt, *ast.FuncLit, *ast.CommClause:
			return false
		}
		if e.callAfter(parent, child) {
			return true
		}
		child = parent
	}
	return false
}

// callAfter reports whether a part of a node after another one calls, or receives, something.
func (e *editor) callAfter(parent, child ast.Node) (found bool) {
	ast.Inspect(parent, func(n ast.Node) bool {
		if n == parent {
			return true
		}
		if x, ok := n.(ast.Expr); ok && x.Pos() >= child.End() && !gosource.Quiet(e.Info, x) {
			found = true
		}
		return false
	})
	return found
}

func isBool(t types.Type) bool {
	return t != nil && (t == types.Typ[types.Bool] || t == types.Typ[types.UntypedBool])
}

func isError(t types.Type) bool {
	return t != nil && types.Identical(t, types.Universe.Lookup("error").Type())
}

// isNumber reports whether values of a type are numbers, or may be.
func (e *editor) isNumber(t types.Type) bool {
	if t == nil {
		return false
	}
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return true
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsNumeric != 0 && b.Info()&types.IsUntyped == 0
}

// typeArgument returns a predeclared type in brackets: where it is used, it need not be that of an
// operand, such as a constant. Others are inferred.
func (e *editor) typeArgument(t types.Type) string {
	if b, ok := types.Unalias(t).(*types.Basic); ok && b.Info()&types.IsUntyped == 0 {
		return "[" + b.Name() + "]"
	}
	return ""
}

// typeText returns a type as the file can write it, if it can.
func (e *editor) typeText(t types.Type) (text string, ok bool) {
	if b, is := types.Unalias(t).(*types.Basic); is && b.Info()&types.IsUntyped != 0 {
		return "", false
	}
	ok = t != nil
	return types.TypeString(t, func(p *types.Package) string {
		if p.Path() == e.Path {
			return ""
		}
		for _, spec := range e.file.Syntax.Imports {
			if name, err := strconv.Unquote(spec.Path.Value); err != nil || name != p.Path() {
				continue
			}
			switch {
			case spec.Name == nil:
				return p.Name()
			case spec.Name.Name == ".":
				return ""
			case spec.Name.Name != "_":
				return spec.Name.Name
			}
		}
		ok = false
		return path.Base(p.Path())
	}), ok
}

// swapName returns the name of the function that returns its arguments, two of which may change
// places.
func (p *Package) swapName(of, i, j int) string {
	return fmt.Sprintf("%sSwap%d_%d_%d", p.Prefix, of, i, j)
}
