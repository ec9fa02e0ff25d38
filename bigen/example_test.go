package bigen_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
)

// Date is a date of this century.
type Date struct{ Year, Month, Day int }

var genDate = bigen.Struct(func(c *bigen.C, d *Date) {
	bigen.At(c, &d.Year, bigen.IntRange(2000, 2099))
	bigen.At(c, &d.Month, bigen.IntRange(1, 12))
	bigen.At(c, &d.Day, bigen.IntRange(1, daysIn(d.Year, d.Month)))
})

func daysIn(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// A generator run backward checks a value and says what is wrong with it.
func Example() {
	fmt.Println(bigen.Sample(genDate, rand.New(rand.NewPCG(1, 2))))
	fmt.Println(bigen.Check(genDate, Date{2024, 2, 29}))
	fmt.Println(bigen.Check(genDate, Date{2023, 2, 29}))
	// Output:
	// {2076 8 25}
	// <nil>
	// not produced by the generator: at /Day: 29 not in [1,28]
}

// Any bytes decode to a value; and any value that the generator makes, whoever
// made it, has its bytes.
func ExampleEncode() {
	b, err := bigen.Encode(genDate, Date{2024, 2, 29})
	if err != nil {
		fmt.Println(err)
	}
	d, err := bigen.Decode(genDate, b)
	fmt.Println(d, err)
	d, err = bigen.Decode(genDate, []byte("whatever"))
	fmt.Println(d, err)
	// Output:
	// {2024 2 29} <nil>
	// {2036 3 31} <nil>
}

// Expr is an arithmetic expression: a Num, or an Add or Mul of two others.
type Expr interface{ String() string }

type (
	Num int
	Add struct{ X, Y Expr }
	Mul struct{ X, Y Expr }
)

func (n Num) String() string { return fmt.Sprint(int(n)) }
func (e Add) String() string { return "(" + e.X.String() + " + " + e.Y.String() + ")" }
func (e Mul) String() string { return e.X.String() + " * " + e.Y.String() }

// A sum type is an interface; Case makes its variants.
func ExampleCase() {
	var genExpr func(depth int) bigen.Gen[Expr]
	genExpr = func(depth int) bigen.Gen[Expr] {
		num := bigen.Case[Expr]("num", bigen.IntRange[Num](0, 9))
		if depth == 0 {
			return bigen.Pick(num)
		}
		return bigen.Pick(
			num,
			bigen.Case[Expr]("add", bigen.Struct(func(c *bigen.C, e *Add) {
				bigen.At(c, &e.X, genExpr(depth-1))
				bigen.At(c, &e.Y, genExpr(depth-1))
			})).Weight(2),
			bigen.Case[Expr]("mul", bigen.Struct(func(c *bigen.C, e *Mul) {
				bigen.At(c, &e.X, genExpr(depth-1))
				bigen.At(c, &e.Y, genExpr(depth-1))
			})),
		)
	}
	r := rand.New(rand.NewPCG(7, 7))
	for range 3 {
		fmt.Println(bigen.Sample(genExpr(3), r))
	}
	tree, err := bigen.Choices(genExpr(3), Expr(Mul{Num(2), Add{Num(3), Num(4)}}))
	fmt.Println(tree, err)
	fmt.Println(bigen.Check(genExpr(3), Expr(Mul{Num(2), Add{Num(3), Num(40)}})))
	// Output:
	// 7 * 2
	// (4 * (3 + 4) + ((2 + 9) + 6))
	// (8 + 2 * 5 * 1 * 6)
	// mul(num(2), add(num(3), num(4))) <nil>
	// not produced by the generator: at /mul/Y/add/Y/num: 40 not in [0,9]
}

// A Call applies a variable in scope to arguments, which have one more, up to four.
type Call struct {
	Variable  int
	Arguments []Call
}

// calls has a generator for each number of variables in scope.
var calls = bigen.NewFamily(func(calls *bigen.Family[int, Call]) bigen.Gen[Call] {
	return bigen.Struct(func(c *bigen.C, call *Call) {
		scope := calls.Param(c)
		bigen.At(c, &call.Variable, bigen.IntRange(0, scope-1))
		bigen.At(c, &call.Arguments, bigen.SliceOf(calls.Gen(scope+1), 0, 4-scope))
	})
})

func ExampleFamily() {
	nested := Call{0, []Call{{1, nil}, {0, []Call{{2, nil}}}}}
	fmt.Println(bigen.Choices(calls.Gen(1), nested))
	fmt.Println(bigen.Check(calls.Gen(1), Call{0, []Call{{2, nil}}}))
	// Output:
	// 0, more(1, stop), more(0, more(2, stop), stop), stop <nil>
	// not produced by the generator: at /Arguments/0/Variable: 2 not in [0,1]
}

// A Program is a sum of integers and variables, or declares a variable for another program.
type Program struct {
	Kind  string // int, var, add or let
	Name  string
	Value int
	Parts []Program
}

// A Scope is what a program may use: variables, and how deep it may nest.
type Scope struct {
	names []string
	depth int
}

func (s Scope) nests() bool { return s.depth > 0 }

var programs = bigen.NewFamily(func(programs *bigen.Family[Scope, Program]) bigen.Gen[Program] {
	form := func(kind string, fill func(c *bigen.C, s Scope, e *Program)) bigen.Alt[Program] {
		return bigen.Tag(kind, bigen.Struct(func(c *bigen.C, e *Program) {
			e.Kind = kind
			fill(c, programs.Param(c), e)
		}))
	}
	return bigen.Pick(
		form("int", func(c *bigen.C, _ Scope, e *Program) {
			bigen.At(c, &e.Value, bigen.IntRange(0, 9))
		}),
		form("var", func(c *bigen.C, s Scope, e *Program) {
			bigen.At(c, &e.Name, bigen.Just(s.names[bigen.Nth(c)]))
		}).Each(func(c *bigen.C) int { return len(programs.Param(c).names) }),
		form("add", func(c *bigen.C, s Scope, e *Program) {
			part := programs.Gen(Scope{s.names, s.depth - 1})
			bigen.At(c, &e.Parts, bigen.SliceOf(part, 2, 2))
		}).If(programs.Is(Scope.nests)),
		form("let", func(c *bigen.C, s Scope, e *Program) {
			name := string(rune('a' + len(s.names)))
			bigen.At(c, &e.Name, bigen.Just(name))
			body := Scope{append(s.names[:len(s.names):len(s.names)], name), s.depth - 1}
			bigen.At(c, &e.Parts, bigen.SliceOf(programs.Gen(body), 1, 1))
		}).If(programs.Is(Scope.nests)),
	)
})

func ExampleAlt_Each() {
	use := func(name string) Program {
		return Program{Kind: "let", Name: "a", Parts: []Program{{Kind: "var", Name: name}}}
	}
	fmt.Println(bigen.Choices(programs.Gen(Scope{depth: 3}), use("a")))
	fmt.Println(bigen.Check(programs.Gen(Scope{depth: 3}), use("b")))
	// Output:
	// let(more(var)) <nil>
	// not produced by the generator: at /let/Parts/0: none of the alternatives makes it: var/Name: "b" is not "a"; let/Parts: 0 elements, not 1 to 1
}

// Let makes what is not a field, but determines fields.
func ExampleLet() {
	type interval struct{ From, To int }
	gen := bigen.Struct(func(c *bigen.C, v *interval) {
		bigen.At(c, &v.From, bigen.IntRange(0, 100))
		length := bigen.Let(
			c, v, func(v *interval) (int, bool) { return v.To - v.From, true },
			bigen.IntRange(1, 5),
		)
		v.To = v.From + length
	})
	fmt.Println(bigen.Choices(gen, interval{10, 13}))
	fmt.Println(bigen.Check(gen, interval{10, 10}))
	// Output:
	// 10, 3 <nil>
	// not produced by the generator: at /let#1(int): 0 not in [1,5]
}

// Iso carries a generator over to another type, both ways.
func ExampleIso() {
	hex := bigen.Iso(bigen.IntRange(0, 0xFFFFFF),
		func(n int) string { return fmt.Sprintf("#%06x", n) },
		func(s string) (n int, ok bool) {
			_, err := fmt.Sscanf(s, "#%06x", &n)
			return n, err == nil
		})
	fmt.Println(bigen.Choices(hex, "#00ff00"))
	fmt.Println(bigen.Check(hex, "green"))
	// Output:
	// 65280 <nil>
	// not produced by the generator: at /: the Iso does not make "green": its function from reports false
}

// Run tells the choices with the value.
func ExampleRun() {
	gen := bigen.SliceOf(bigen.IntRange(0, 99), 0, 5)
	v, tree, err := bigen.Run(gen, choices.Random(rand.New(rand.NewPCG(4, 4))))
	fmt.Println(v, err)
	fmt.Println(tree)
	// Output:
	// [82 38 86 66 68] <nil>
	// more(82), more(38), more(86), more(66), more(68)
}

// A bounded-exhaustive test tries all values up to a size.
func ExampleEnumerate() {
	type version struct{ Major, Minor int }
	gen := bigen.Struct(func(c *bigen.C, v *version) {
		bigen.At(c, &v.Major, bigen.IntRange(0, 99))
		bigen.At(c, &v.Minor, bigen.IntRange(0, 99))
	})
	for size, v := range bigen.Enumerate(gen) {
		if size > 2 {
			break
		}
		fmt.Println(size, v)
	}
	// Output:
	// 0 {0 0}
	// 1 {1 0}
	// 1 {0 1}
	// 2 {0 2}
	// 2 {0 3}
	// 2 {2 0}
	// 2 {3 0}
	// 2 {1 1}
}

// All pairs of settings, in few tests: a setting is a test if it adds a pair.
func ExampleThin() {
	type settings struct{ Cache, Compress, Encrypt, Index bool }
	gen := bigen.Struct(func(c *bigen.C, s *settings) {
		bigen.At(c, &s.Cache, bigen.Bool())
		bigen.At(c, &s.Compress, bigen.Bool())
		bigen.At(c, &s.Encrypt, bigen.Bool())
		bigen.At(c, &s.Index, bigen.Bool())
	})
	var all []settings
	for _, s := range bigen.Enumerate(gen) {
		all = append(all, s)
	}
	thin, err := bigen.Thin(gen, all, 2)
	fmt.Println(len(all), len(thin), err)
	for _, s := range thin {
		fmt.Println(s)
	}
	// Output:
	// 16 6 <nil>
	// {false false false false}
	// {true false true true}
	// {false true true false}
	// {true true false true}
	// {true false false false}
	// {false false false true}
}
