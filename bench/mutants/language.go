package mutants

import (
	"math"
	"reflect"
	"slices"

	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
)

var languages = New(Spec[expr]{
	Name: "parser",
	Bugs: []string{
		"print: right of minus has no parentheses", "print: right of division has no parentheses", "print: left of power has no parentheses",
		"print: sum before a product sign has no parentheses", "print: sum behind a product sign has no parentheses",
		"print: comparison in a comparison has no parentheses", "print: conditional as an operand has no parentheses",
		"print: minus signs touch", "print: minus touches the minus before", "print: quotes are not escaped",
		"print: backslashes are not escaped", "print: line ends are not escaped", "print: equal sides are printed once", "print: empty text is nothing",

		"parse: power groups left", "parse: minus groups right", "parse: minus binds tighter than power", "parse: zero is no number",
		"parse: numbers have 31 bits", "parse: greatest number is too large", "parse: names end at digits", "parse: names end at underscores",
		"parse: keywords need no end", "parse: calls need arguments", "parse: third argument is lost", "parse: equal arguments are one",
		"parse: four parentheses are too many", "parse: texts end behind a backslash", "parse: conditional ends at a conditional",
	},
	Valid: func(e expr) bool { return e.valid() },
	Fails: func(bug string, e expr) bool {
		got, err := parse(bug, printer(bug).print(e, 0))
		return err != nil || !reflect.DeepEqual(got, e)
	},
	Built: genExpr(bigen.IntRange[number](0, math.MaxInt),
		bigen.SuchThat(bigen.Matching(`[a-z_][a-z0-9_]{0,5}`), isName, "x"), bigen.OneOf(unaryOps...), bigen.OneOf(binaryOps...)),
	Naive: genExpr(bigen.Int[number](), bigen.StringOf(choices.Chars(nameRunes), 0, 6), bigen.OneOf(anyOps...), bigen.OneOf(anyOps...)),
	RapidBuilt: exprDrawer{rapid.IntRange(0, math.MaxInt), rapid.StringMatching(`[a-z_][a-z0-9_]{0,5}`).Filter(isName),
		rapid.SampledFrom(unaryOps), rapid.SampledFrom(binaryOps)}.draw,
	RapidNaive: exprDrawer{rapid.Int(), rapid.StringOfN(rapid.SampledFrom([]rune(nameRunes)), 0, 6, -1),
		rapid.SampledFrom(anyOps), rapid.SampledFrom(anyOps)}.draw,
})

type expr interface {
	valid() bool
	// level tells how tightly the expression binds.
	level() int
}

type (
	number int
	text   string
	name   string
	unary  struct {
		Op string
		X  expr
	}
	binary struct {
		Op   string
		X, Y expr
	}
	conditional struct{ If, Then, Else expr }
	call        struct {
		Name string
		Args []expr
	}
)

var (
	keywords  = []string{"if", "then", "else"}
	unaryOps  = []string{"-", "!"}
	binaryOps = []string{"=", "<", "+", "-", "*", "/", "^"}
	anyOps    = []string{"=", "<", "+", "-", "*", "/", "^", "!", "&"}
)

const (
	comparing = 1 + iota // 0 is the level of conditionals
	adding
	multiplying
	negating
	raising
	atom
)

var levels = map[string]int{"=": comparing, "<": comparing, "+": adding, "-": adding, "*": multiplying, "/": multiplying, "^": raising}

func (number) level() int      { return atom }
func (text) level() int        { return atom }
func (name) level() int        { return atom }
func (unary) level() int       { return negating }
func (e binary) level() int    { return levels[e.Op] }
func (conditional) level() int { return 0 }
func (call) level() int        { return atom }

func (e number) valid() bool      { return e >= 0 }
func (e text) valid() bool        { return true }
func (e name) valid() bool        { return isName(string(e)) }
func (e unary) valid() bool       { return slices.Contains(unaryOps, e.Op) && e.X.valid() }
func (e binary) valid() bool      { return levels[e.Op] > 0 && e.X.valid() && e.Y.valid() }
func (e conditional) valid() bool { return e.If.valid() && e.Then.valid() && e.Else.valid() }
func (e call) valid() bool {
	return isName(e.Name) && !slices.ContainsFunc(e.Args, func(a expr) bool { return !a.valid() })
}

func isName(s string) bool {
	for i := range len(s) {
		if !nameByte(s[i], i == 0) {
			return false
		}
	}
	return s != "" && !slices.Contains(keywords, s)
}

func nameByte(b byte, first bool) bool {
	return 'a' <= b && b <= 'z' || b == '_' || !first && '0' <= b && b <= '9'
}

const nameRunes = "abcdefghijklmnopqrstuvwxyz_0123456789"

func genExpr(n bigen.Gen[number], id, unaryOp, binaryOp bigen.Gen[string]) (g bigen.Gen[expr]) {
	self := bigen.Lazy(func() bigen.Gen[expr] { return g })
	g = bigen.Pick(
		bigen.Case[expr]("number", n).Weight(3),
		bigen.Case[expr]("name", bigen.As[name](id)).Weight(3),
		bigen.Case[expr]("text", bigen.As[text](bigen.String(4))).Weight(2),
		bigen.Case[expr]("unary", bigen.Struct(func(c *bigen.C, e *unary) {
			bigen.At(c, &e.Op, unaryOp)
			bigen.At(c, &e.X, self)
		})),
		bigen.Case[expr]("binary", bigen.Struct(func(c *bigen.C, e *binary) {
			bigen.At(c, &e.Op, binaryOp)
			bigen.At(c, &e.X, self)
			bigen.At(c, &e.Y, self)
		})).Weight(3),
		bigen.Case[expr]("conditional", bigen.Struct(func(c *bigen.C, e *conditional) {
			bigen.At(c, &e.If, self)
			bigen.At(c, &e.Then, self)
			bigen.At(c, &e.Else, self)
		})),
		bigen.Case[expr]("call", bigen.Struct(func(c *bigen.C, e *call) {
			bigen.At(c, &e.Name, id)
			bigen.At(c, &e.Args, bigen.SliceOf(self, 0, 3))
		})),
	)
	return g
}

// An exprDrawer does with rapid what genExpr does.
type exprDrawer struct {
	n                     *rapid.Generator[int]
	id, unaryOp, binaryOp *rapid.Generator[string]
}

func (d exprDrawer) draw(t *rapid.T) expr {
	switch kind := rapid.IntRange(0, 13).Draw(t, "kind"); {
	case kind < 3:
		return number(d.n.Draw(t, "number"))
	case kind < 6:
		return name(d.id.Draw(t, "name"))
	case kind < 8:
		return text(rapid.StringN(0, 4, -1).Draw(t, "text"))
	case kind < 9:
		return unary{d.unaryOp.Draw(t, "op"), d.draw(t)}
	case kind < 12:
		return binary{d.binaryOp.Draw(t, "op"), d.draw(t), d.draw(t)}
	case kind < 13:
		return conditional{d.draw(t), d.draw(t), d.draw(t)}
	}
	e := call{Name: d.id.Draw(t, "name")}
	if args := rapid.SliceOfN(rapid.Custom(d.draw), 0, 3).Draw(t, "args"); len(args) > 0 {
		e.Args = args // not empty, as the parser has it
	}
	return e
}
