package overflow

import (
	"go/ast"
	"go/token"
	"go/types"
	"math/big"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gosource"
)

// variables is what is known of the variables of a file.
type variables struct {
	shared   map[types.Object]bool // calls may change them: literals use them, or their address is taken
	assigned map[types.Object]bool // after their declaration, except by the loop that counts with them
	ranges   map[types.Object][2]*big.Int
}

func (p *Package) findVariables(file *ast.File) *variables {
	v := &variables{ranges: map[types.Object][2]*big.Int{}}
	v.shared, v.assigned = gosource.Shared(p.Info, file)
	steps := map[ast.Stmt]bool{} // of loops
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			steps[n.Post] = true
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				if id, ok := x.(*ast.Ident); ok && !steps[n] {
					v.assigned[p.Info.Uses[id]] = true
				}
			}
		case *ast.IncDecStmt:
			if id, ok := ast.Unparen(n.X).(*ast.Ident); ok && !steps[n] {
				v.assigned[p.Info.Uses[id]] = true
			}
		case *ast.RangeStmt:
			for _, x := range []ast.Expr{n.Key, n.Value} {
				if id, ok := x.(*ast.Ident); ok && n.Tok == token.ASSIGN {
					v.assigned[p.Info.Uses[id]] = true
				}
			}
		}
		return true
	})
	e := &editor{Package: p, vars: v}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.RangeStmt:
			e.rangeLoop(n)
		case *ast.ForStmt:
			e.loop(n)
		}
		return true
	})
	return v
}

// rangeLoop notes the bounds of an index.
func (e *editor) rangeLoop(n *ast.RangeStmt) {
	id, ok := n.Key.(*ast.Ident)
	if !ok || n.Tok != token.DEFINE {
		return
	}
	obj := e.Info.Defs[id]
	if obj == nil || e.vars.assigned[obj] {
		return
	}
	var hi *big.Int
	t := e.Info.TypeOf(n.X)
	switch u := t.Underlying().(type) {
	case *types.Slice:
		_, hi = e.lengths(t)
	case *types.Array:
		hi = big.NewInt(u.Len())
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			_, hi = e.lengths(t)
		} else {
			_, hi = e.bounds(n.X)
		}
	}
	if hi != nil && hi.Sign() > 0 {
		e.vars.ranges[obj] = [2]*big.Int{{}, new(big.Int).Sub(hi, big.NewInt(1))}
	}
}

// loop notes the bounds of the counter of a loop in its body, and where it counts.
func (e *editor) loop(n *ast.ForStmt) {
	init, ok := n.Init.(*ast.AssignStmt)
	step, isStep := n.Post.(*ast.IncDecStmt)
	if !ok || !isStep || init.Tok != token.DEFINE {
		return
	}
	id, ok := step.X.(*ast.Ident)
	if !ok {
		return
	}
	obj := e.Info.Uses[id]
	cond := n.Cond
	for {
		and, ok := cond.(*ast.BinaryExpr)
		if !ok || and.Op != token.LAND {
			break
		}
		cond = and.X
	}
	compare, ok := cond.(*ast.BinaryExpr)
	if !ok || e.vars.assigned[obj] {
		return
	}
	if left, ok := compare.X.(*ast.Ident); !ok || e.Info.Uses[left] != obj {
		return
	}
	one := big.NewInt(1)
	for i, name := range init.Lhs {
		if name, ok := name.(*ast.Ident); !ok || e.Info.Defs[name] != obj ||
			len(init.Lhs) != len(init.Rhs) || obj == nil || !signed(obj.Type()) || generic(obj.Type()) {
			continue
		}
		lo, hi := e.bounds(init.Rhs[i])
		from, to := e.bounds(compare.Y)
		switch {
		case lo == nil || from == nil:
		case step.Tok == token.INC && compare.Op == token.LSS:
			e.vars.ranges[obj] = [2]*big.Int{lo, new(big.Int).Sub(to, one)}
		case step.Tok == token.DEC && compare.Op == token.GTR:
			e.vars.ranges[obj] = [2]*big.Int{new(big.Int).Add(from, one), hi}
		case step.Tok == token.DEC && compare.Op == token.GEQ:
			e.vars.ranges[obj] = [2]*big.Int{from, hi}
		}
		if r := e.vars.ranges[obj]; r[0] != nil && r[0].Cmp(r[1]) > 0 {
			delete(e.vars.ranges, obj) // the body never runs, or what is compared changes
		}
	}
}

// steady reports whether an expression has only local variables that no call changes, and no
// operation that may panic.
func (e *editor) steady(x ast.Expr) bool {
	if e.value(x) != nil {
		return true
	}
	switch x := x.(type) {
	case *ast.ParenExpr:
		return e.steady(x.X)
	case *ast.Ident:
		v, ok := e.Info.Uses[x].(*types.Var)
		return ok && v.Pkg() != nil && v.Parent() != v.Pkg().Scope() && !e.vars.shared[v]
	case *ast.SelectorExpr:
		s := e.Info.Selections[x]
		return s != nil && s.Kind() == types.FieldVal && !s.Indirect() && e.steady(x.X)
	case *ast.UnaryExpr:
		return x.Op != token.ARROW && x.Op != token.AND && e.steady(x.X)
	case *ast.BinaryExpr:
		switch x.Op {
		case token.QUO, token.REM:
			return e.value(x.Y) != nil && e.steady(x.X)
		case token.SHL, token.SHR:
			lo, _ := e.bounds(x.Y)
			return lo != nil && lo.Sign() >= 0 && e.steady(x.X) && e.steady(x.Y)
		}
		return e.steady(x.X) && e.steady(x.Y)
	case *ast.CallExpr:
		return len(x.Args) == 1 && e.steady(x.Args[0]) &&
			(e.Info.Types[x.Fun].IsType() || gosource.IsBuiltin(e.Info, x.Fun, "len", "cap"))
	}
	return false
}
