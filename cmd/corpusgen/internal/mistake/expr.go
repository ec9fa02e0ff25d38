package mistake

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// An operator is what takes the place of one, and the generic function that has both.
type operator struct {
	kind     Kind
	function string
	mistaken token.Token
}

var operators = map[token.Token]operator{
	token.LSS: {Boundary, "Less", token.LEQ},
	token.LEQ: {Boundary, "AtMost", token.LSS},
	token.GTR: {Boundary, "Greater", token.GEQ},
	token.GEQ: {Boundary, "AtLeast", token.GTR},
	token.ADD: {Arithmetic, "Add", token.SUB},
	token.SUB: {Arithmetic, "Sub", token.ADD},
	token.MUL: {Arithmetic, "Mul", token.QUO},
	token.QUO: {Arithmetic, "Quo", token.MUL},
	token.REM: {Arithmetic, "Rem", token.MUL},
	token.AND: {Arithmetic, "And", token.OR},
	token.OR:  {Arithmetic, "Or", token.AND},
	token.XOR: {Arithmetic, "Xor", token.AND},
	token.SHL: {Arithmetic, "Shl", token.SHR},
	token.SHR: {Arithmetic, "Shr", token.SHL},
}

// negated are comparisons, and what they are if they are negated.
var negated = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.GEQ, token.LEQ: token.GTR,
	token.GTR: token.LEQ, token.GEQ: token.LSS,
}

// expr makes the mistakes of an expression that is not constant. It reports whether parts of it may
// have some.
func (e *editor) expr(x ast.Expr, stack []ast.Node) bool {
	tv := e.Info.Types[x]
	switch {
	case tv.IsType():
		return false
	case tv.Value != nil:
		e.constant(x, tv, stack)
		return false
	}
	switch x := x.(type) {
	case *ast.BinaryExpr:
		e.binary(x, stack)
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			e.condition(x.X)
		} else if x.Op == token.SUB && e.isNumber(tv.Type) && e.movable(x, stack) {
			e.negative(x)
		}
	case *ast.CallExpr:
		e.swap(x, stack)
	case *ast.CompositeLit:
		isTable := isTable(x, stack)
		keep := func(part ast.Expr) {
			e.asIs[part] = isTable && e.Info.Types[part].Value != nil
		}
		for _, element := range x.Elts {
			if pair, ok := element.(*ast.KeyValueExpr); !ok {
				keep(element)
			} else if keep(pair.Value); e.isIndexed(x) {
				e.asIs[pair.Key] = true
			} else {
				keep(pair.Key)
			}
		}
	}
	return !e.asIs[x]
}

// table is how many elements make a literal a table, whose constants have no mistakes: they would be
// most of a package's, and no reader looks at them.
const table = 16

// isTable reports whether a composite literal is a table, or a part of one.
func isTable(x *ast.CompositeLit, stack []ast.Node) bool {
	if len(x.Elts) >= table {
		return true
	}
	for _, above := range slices.Backward(stack) {
		switch above := above.(type) {
		case *ast.CompositeLit:
			if len(above.Elts) >= table {
				return true
			}
		case *ast.KeyValueExpr, *ast.UnaryExpr:
		default:
			return false
		}
	}
	return false
}

// isIndexed reports whether the keys of a composite literal are fields, or must be constants.
func (e *editor) isIndexed(x *ast.CompositeLit) bool {
	t := e.Info.TypeOf(x)
	if t == nil {
		return true
	}
	_, isMap := t.Underlying().(*types.Map)
	return !isMap
}

func (e *editor) binary(x *ast.BinaryExpr, stack []ast.Node) {
	switch {
	case x.Op == token.LAND || x.Op == token.LOR:
		e.condition(x.X)
		e.condition(x.Y)
		return
	case negated[x.Op] != 0:
		e.negate(x)
		e.ignore(x, stack)
	}
	o, ok := operators[x.Op]
	if !ok || o.kind == Arithmetic && !e.isNumber(e.Info.TypeOf(x)) || !e.movable(x, stack) {
		return
	}
	of := e.Info.TypeOf(x)
	if o.kind == Boundary {
		if of = e.Info.TypeOf(x.X); !isBool(e.Info.TypeOf(x)) {
			return
		}
	}
	if o.kind == Boundary {
		e.sameBoundary(x)
	}
	opEnd := x.OpPos + token.Pos(len(x.Op.String()))
	c := change{x.OpPos, opEnd, o.mistaken.String() + e.apart(opEnd, x.Y)}
	if o.mistaken == token.QUO && e.Info.Types[x.Y].Value != nil && !e.valid(x, c) { // by zero
		return
	}
	n, ok := e.add(o.kind, c)
	if !ok {
		return
	}
	e.Around(x, e.Prefix+o.function+e.typeArgument(of)+"("+n+", ", ")")
	e.Replace(x.OpPos, opEnd, ",")
}

func (e *editor) negative(x *ast.UnaryExpr) {
	if n, ok := e.add(Arithmetic, change{x.OpPos, x.OpPos + 1, e.apart(x.OpPos+1, x.X)}); ok {
		e.Around(x, e.Prefix+"Neg"+e.typeArgument(e.Info.TypeOf(x))+"("+n+", ", ")")
		e.Replace(x.OpPos, x.OpPos+1, "")
	}
}

// apart returns a space if another operator that ends where an expression begins could be one with
// the operator of the expression, or begin a comment.
func (e *editor) apart(end token.Pos, x ast.Expr) string {
	if end == x.Pos() && strings.Contains("+-*&^", e.Of(x)[:1]) {
		return " "
	}
	return ""
}

// condition negates what decides, unless it is a comparison, which is negated wherever it stands.
func (e *editor) condition(x ast.Expr) {
	if x == nil || e.Info.Types[x].Value != nil {
		return
	}
	switch y := ast.Unparen(x).(type) {
	case *ast.BinaryExpr:
		if y.Op == token.LAND || y.Op == token.LOR || negated[y.Op] != 0 {
			return
		}
	case *ast.UnaryExpr:
		if y.Op == token.NOT {
			return
		}
	}
	e.negate(x)
}

func (e *editor) negate(x ast.Expr) {
	if !isBool(e.Info.TypeOf(x)) {
		return
	}
	not := change{x.Pos(), x.End(), "!(" + e.Of(x) + ")"}
	c, shown := not, not
	switch y := x.(type) {
	case *ast.BinaryExpr:
		c = change{y.OpPos, y.OpPos + token.Pos(len(y.Op.String())), negated[y.Op].String()}
		if shown = c; operators[y.Op].kind == Boundary && mayBeFloat(e.Info.TypeOf(y.X)) {
			shown = not // there is a number for which neither x < y nor x >= y
		}
	case *ast.Ident, *ast.CallExpr, *ast.SelectorExpr, *ast.IndexExpr, *ast.ParenExpr:
		c.text = "!" + e.Of(x)
		shown = c
	}
	if n, ok := e.addAs(Condition, []change{shown}, c); ok {
		e.Around(x, "("+e.Prefix+"Mistake("+n+") != (", "))")
	}
}

// ignore ignores an error that a comparison with nil finds.
func (e *editor) ignore(x *ast.BinaryExpr, stack []ast.Node) {
	if x.Op != token.NEQ || !e.Info.Types[x.Y].IsNil() || !isError(e.Info.TypeOf(x.X)) ||
		!isBool(e.Info.TypeOf(x)) || !decides(x, stack) {
		return
	}
	c := change{x.Pos(), x.End(), "false"}
	shown := c
	if e.needs(c) {
		shown.text = "false && " + e.Of(x)
	}
	if n, ok := e.addAs(Error, []change{shown}, c); ok {
		e.Around(x, "(!"+e.Prefix+"Mistake("+n+") && (", "))")
	}
}

// decides reports whether an expression is the condition of an if statement.
func decides(x ast.Expr, stack []ast.Node) bool {
	if len(stack) == 0 {
		return false
	}
	s, ok := stack[len(stack)-1].(*ast.IfStmt)
	return ok && s.Cond == x
}

// constant changes a constant: a literal number comes closer to zero, true is false, and a text that
// is compared is another one.
func (e *editor) constant(x ast.Expr, tv types.TypeAndValue, stack []ast.Node) {
	if e.asIs[x] || len(stack) == 0 {
		return
	}
	at, id, shown, other := x, "", "", constant.Value(nil)
	switch tv.Value.Kind() {
	case constant.Bool:
		if id, ok := x.(*ast.Ident); ok && types.Universe.Lookup(id.Name) == e.Info.Uses[id] {
			other = constant.MakeBool(!constant.BoolVal(tv.Value))
		}
	case constant.String:
		if _, ok := x.(*ast.BasicLit); ok && isCompared(x, stack) {
			other = constant.MakeString("")
			if constant.StringVal(tv.Value) == "" {
				other = constant.MakeString("x")
			}
		}
	case constant.Int, constant.Float:
		if literal, text, written, value := e.otherNumber(x); literal != nil {
			at, id, shown, other = literal, text, written, value
		}
	}
	typ, ok := e.typeText(tv.Type)
	if other == nil || !ok {
		return
	}
	mistaken := constantText(other)
	as := change{at.Pos(), at.End(), cmp.Or(shown, mistaken)}
	if !e.fits(x, other, as, stack) {
		return
	}
	if n, ok := e.addAs(Constant, []change{as}, change{at.Pos(), at.End(), cmp.Or(id, mistaken)}); ok {
		e.Around(x, e.Prefix+"Pick["+typ+"]("+n+", "+mistaken+", ", ")")
	}
}

// isCompared reports whether a constant is an operand of a comparison, or a label of a switch.
func isCompared(x ast.Expr, stack []ast.Node) bool {
	switch parent := stack[len(stack)-1].(type) {
	case *ast.BinaryExpr:
		return negated[parent.Op] != 0
	case *ast.CaseClause:
		return true
	}
	return false
}
