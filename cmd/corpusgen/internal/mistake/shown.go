package mistake

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
)

// A reader who writes a mistake as it is shown has the program that is made. So that one compiles,
// too: a constant that the compiler rejects is no mistake, and what is left out still uses what
// nothing else uses.

// needed are the uses in a file of what must be used: variables of functions, imports and labels.
type needed struct {
	uses  []use             // in their order
	count map[token.Pos]int // of the uses of what is declared at a place
}

// A use is where a name is used that is declared elsewhere.
type use struct{ at, declared token.Pos }

func findNeeded(info *types.Info, file *ast.File) *needed {
	n := &needed{count: map[token.Pos]int{}}
	parameters, assigned := map[token.Pos]bool{}, map[ast.Expr]bool{}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.Field:
			for _, id := range node.Names {
				parameters[id.Pos()] = true
			}
		case *ast.AssignStmt:
			for _, x := range node.Lhs {
				if node.Tok == token.ASSIGN || node.Tok == token.DEFINE {
					assigned[ast.Unparen(x)] = true
				}
			}
		case *ast.RangeStmt:
			for _, x := range []ast.Expr{node.Key, node.Value} {
				if x != nil {
					assigned[ast.Unparen(x)] = true
				}
			}
		case *ast.Ident:
			obj := info.Uses[node]
			switch obj.(type) {
			case *types.Var:
				if obj.Parent() == nil || obj.Pkg() == nil || obj.Parent() == obj.Pkg().Scope() ||
					parameters[obj.Pos()] || assigned[node] {
					return true
				}
			case *types.PkgName, *types.Label:
			default:
				return true
			}
			n.uses = append(n.uses, use{node.Pos(), obj.Pos()})
			n.count[obj.Pos()]++
		}
		return true
	})
	return n
}

// needs reports whether the program would not compile without what changes: nothing else uses what
// must be used.
func (e *editor) needs(changes ...change) bool {
	count := map[token.Pos]int{}
	for _, c := range changes {
		first, _ := slices.BinarySearchFunc(e.needed.uses, c.pos,
			func(u use, pos token.Pos) int { return cmp.Compare(u.at, pos) })
		for _, u := range e.needed.uses[first:] {
			if u.at >= c.end {
				break
			}
			if u.declared < c.pos || c.end <= u.declared {
				count[u.declared]++
			}
		}
	}
	for declared, n := range count {
		if n == e.needed.count[declared] {
			return true
		}
	}
	return false
}

// valid reports whether an expression compiles with a change.
func (e *editor) valid(x ast.Expr, c change) bool {
	_, ok := e.check(x.Pos(), e.Between(x.Pos(), c.pos)+c.text+e.Between(c.end, x.End()))
	return ok
}

// check returns what the code of an expression is at a place, if it compiles.
func (e *editor) check(at token.Pos, code string) (tv types.TypeAndValue, ok bool) {
	pkg := e.pkg()
	parsed, err := parser.ParseExprFrom(token.NewFileSet(), "", code, 0)
	if pkg == nil || err != nil {
		return tv, false
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	err = types.CheckExpr(token.NewFileSet(), pkg, at, parsed, info)
	return info.Types[parsed], err == nil
}

// fits reports whether a constant may have another value where it stands.
func (e *editor) fits(x ast.Expr, other constant.Value, c change, stack []ast.Node) bool {
	above := func(n int) ast.Node {
		if n > len(stack) {
			return nil
		}
		return stack[len(stack)-n]
	}
	switch parent := above(1).(type) {
	case *ast.IndexExpr, *ast.SliceExpr:
		return e.valid(parent.(ast.Expr), c)
	case *ast.BinaryExpr:
		return parent.Op != token.QUO && parent.Op != token.REM || e.valid(parent, c)
	case *ast.CallExpr:
		return !e.Info.Types[parent.Fun].IsBuiltin() || e.valid(parent, c)
	case *ast.AssignStmt:
		return parent.Tok != token.QUO_ASSIGN && parent.Tok != token.REM_ASSIGN ||
			other.Kind() != constant.Int || constant.Sign(other) != 0
	case *ast.CaseClause:
		s, ok := above(3).(*ast.SwitchStmt)
		for i := 0; ok && other.Kind() != constant.Bool && i < len(s.Body.List); i++ {
			if e.hasSame(s.Body.List[i].(*ast.CaseClause).List, x, other) {
				return false
			}
		}
	case *ast.KeyValueExpr:
		lit, ok := above(2).(*ast.CompositeLit)
		if !ok || parent.Key != x {
			return true
		}
		var keys []ast.Expr
		for _, element := range lit.Elts {
			if pair, ok := element.(*ast.KeyValueExpr); ok {
				keys = append(keys, pair.Key)
			}
		}
		return !e.hasSame(keys, x, other)
	}
	return true
}

// hasSame reports whether another one of some constants is what x would be.
func (e *editor) hasSame(list []ast.Expr, x ast.Expr, other constant.Value) bool {
	return slices.ContainsFunc(list, func(y ast.Expr) bool {
		tv := e.Info.Types[y]
		return y != x && tv.Value != nil && types.Identical(tv.Type, e.Info.TypeOf(x)) &&
			constant.Compare(tv.Value, token.EQL, other)
	})
}

// mayBeFloat reports whether some values of a type may be floating-point numbers.
func mayBeFloat(t types.Type) bool {
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return true
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsFloat != 0
}
