package overflow

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math/big"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gosource"
)

// fits reports whether the result of an operation always fits, by the ranges of its operands.
func (e *editor) fits(op operation) bool {
	if generic(op.typ) {
		return false
	}
	lo, hi := e.limits(op.typ)
	a, b, ok := e.result(op)
	return ok && a.Cmp(lo) >= 0 && b.Cmp(hi) <= 0
}

// limits returns the least and the greatest value of a type.
func (e *editor) limits(t types.Type) (lo, hi *big.Int) {
	bits := uint(8 * e.Sizes.Sizeof(t))
	one := big.NewInt(1)
	if !signed(t) {
		return new(big.Int), new(big.Int).Sub(new(big.Int).Lsh(one, bits), one)
	}
	hi = new(big.Int).Lsh(one, bits-1)
	return new(big.Int).Neg(hi), hi.Sub(hi, one)
}

// result returns between which values the result of an operation is if no bits are lost.
func (e *editor) result(op operation) (lo, hi *big.Int, ok bool) {
	one := big.NewInt(1)
	x, y := [2]*big.Int{}, [2]*big.Int{one, one}
	if op.x != nil {
		x[0], x[1] = e.bounds(op.x)
	} else {
		x[0], x[1] = new(big.Int), new(big.Int)
	}
	if op.y != nil {
		y[0], y[1] = e.bounds(op.y)
	}
	if x[0] == nil || y[0] == nil {
		return nil, nil, false
	}
	switch op.op {
	case token.ADD:
		return new(big.Int).Add(x[0], y[0]), new(big.Int).Add(x[1], y[1]), true
	case token.SUB:
		return new(big.Int).Sub(x[0], y[1]), new(big.Int).Sub(x[1], y[0]), true
	case token.MUL:
		lo, hi = extremes(x, y)
		return lo, hi, true
	case token.SHL:
		if y[0].Sign() < 0 || y[1].BitLen() > 10 {
			return nil, nil, false
		}
		least := new(big.Int).Lsh(one, uint(y[0].Int64()))
		most := new(big.Int).Lsh(one, uint(y[1].Int64()))
		lo, hi = extremes(x, [2]*big.Int{least, most})
		return lo, hi, true
	case token.LPAREN:
		return x[0], x[1], true
	}
	return nil, nil, false
}

// extremes returns the least and the greatest product.
func extremes(x, y [2]*big.Int) (lo, hi *big.Int) {
	for _, a := range x {
		for _, b := range y {
			z := new(big.Int).Mul(a, b)
			if lo == nil || z.Cmp(lo) < 0 {
				lo = z
			}
			if hi == nil || z.Cmp(hi) > 0 {
				hi = z
			}
		}
	}
	return lo, hi
}

// mostElements is more than the elements of any slice, since each takes a byte, or none.
const mostElements = 1 << 48

// lengths returns the least and the greatest length of values of a type.
func (e *editor) lengths(t types.Type) (lo, hi *big.Int) {
	_, hi = e.limits(types.Typ[types.Int])
	if slice, ok := t.Underlying().(*types.Slice); ok && e.size(slice.Elem()) == 0 {
		return new(big.Int), hi
	}
	if most := big.NewInt(mostElements); most.Cmp(hi) < 0 {
		return new(big.Int), most
	}
	return new(big.Int), hi
}

// size returns the size of a type, or 0 if it is not known.
func (e *editor) size(t types.Type) int64 {
	switch t := t.Underlying().(type) {
	case *types.Basic, *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature:
		return e.Sizes.Sizeof(t)
	case *types.Interface:
		if !t.IsMethodSet() {
			return 0
		}
		return e.Sizes.Sizeof(t)
	case *types.Struct:
		var sum int64
		for f := range t.Fields() {
			sum += e.size(f.Type())
		}
		return sum
	case *types.Array:
		return t.Len() * e.size(t.Elem())
	}
	return 0
}

// bounds returns between which values an integer is. It returns nil if it is not an integer.
func (e *editor) bounds(x ast.Expr) (lo, hi *big.Int) {
	if v := e.value(x); v != nil {
		if v = constant.ToInt(v); v.Kind() != constant.Int {
			return nil, nil
		}
		c, _ := new(big.Int).SetString(v.ExactString(), 10)
		return c, c
	}
	t := e.Info.TypeOf(x)
	if t == nil {
		return nil, nil
	}
	if basic, ok := t.Underlying().(*types.Basic); !ok ||
		basic.Info()&(types.IsInteger|types.IsUntyped) != types.IsInteger {
		return nil, nil
	}
	least, most := e.limits(t)
	lo, hi = e.closer(x)
	if lo == nil || lo.Cmp(least) < 0 || hi.Cmp(most) > 0 {
		return least, most
	}
	return lo, hi
}

// closer returns bounds by what an expression is. It returns nil if it knows none. If they are not
// within the type, bits may be lost.
func (e *editor) closer(x ast.Expr) (lo, hi *big.Int) {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return e.bounds(x.X)
	case *ast.Ident:
		r := e.vars.ranges[e.Info.Uses[x]]
		return r[0], r[1]
	case *ast.CallExpr:
		switch {
		case len(x.Args) != 1:
		case e.Info.Types[x.Fun].IsType():
			return e.bounds(x.Args[0])
		case gosource.IsBuiltin(e.Info, x.Fun, "len", "cap"):
			return e.lengths(e.Info.TypeOf(x.Args[0]))
		}
	case *ast.UnaryExpr:
		if x.Op == token.SUB {
			lo, hi, _ = e.result(operation{op: x.Op, y: x.X})
		}
	case *ast.BinaryExpr:
		return e.closerBinary(x)
	}
	return lo, hi
}

func (e *editor) closerBinary(n *ast.BinaryExpr) (lo, hi *big.Int) {
	zero := new(big.Int)
	xlo, xhi := e.bounds(n.X)
	ylo, yhi := e.bounds(n.Y)
	if xlo == nil || ylo == nil {
		return nil, nil
	}
	switch n.Op {
	case token.ADD, token.SUB, token.MUL, token.SHL:
		lo, hi, _ = e.result(operation{op: n.Op, x: n.X, y: n.Y})
		return lo, hi
	case token.REM:
		if ylo.Sign() <= 0 {
			return nil, nil
		}
		most := new(big.Int).Sub(yhi, big.NewInt(1))
		if xlo.Sign() >= 0 {
			return zero, most
		}
		return new(big.Int).Neg(most), most
	case token.QUO:
		if ylo.Sign() <= 0 {
			return nil, nil
		}
		return least(zero, new(big.Int).Quo(xlo, ylo)), greatest(zero, new(big.Int).Quo(xhi, ylo))
	case token.AND:
		switch {
		case xlo.Sign() >= 0 && ylo.Sign() >= 0:
			return zero, least(xhi, yhi)
		case xlo.Sign() >= 0:
			return zero, xhi
		case ylo.Sign() >= 0:
			return zero, yhi
		}
	case token.SHR:
		if ylo.Sign() < 0 || ylo.BitLen() > 10 {
			return nil, nil
		}
		shift := uint(ylo.Int64())
		return least(zero, new(big.Int).Rsh(xlo, shift)), greatest(zero, new(big.Int).Rsh(xhi, shift))
	}
	return nil, nil
}

func least(x, y *big.Int) *big.Int {
	if x.Cmp(y) < 0 {
		return x
	}
	return y
}

func greatest(x, y *big.Int) *big.Int {
	if x.Cmp(y) > 0 {
		return x
	}
	return y
}
