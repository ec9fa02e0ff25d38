package choices_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
)

// Expressions of digits and operators, the examples of "Bigenerators, Exposed!",
// section 6.1.
type expr struct {
	Op   string
	X, Y *expr
	N    int
}

func (e *expr) String() string {
	switch e.Op {
	case "":
		return fmt.Sprint(e.N)
	case "neg":
		return "-" + e.X.String()
	}
	return "(" + e.X.String() + e.Op + e.Y.String() + ")"
}

func genExpr(depth int) bigen.Gen[*expr] {
	digit := bigen.Tag("digit", bigen.New(func(c *bigen.C, e *expr) { bigen.At(c, &e.N, bigen.IntRange(0, 9)) }))
	if depth == 0 {
		return bigen.Pick(digit)
	}
	binary := func(tag, op string) bigen.Alt[*expr] {
		return bigen.Tag(tag, bigen.New(func(c *bigen.C, e *expr) {
			e.Op = op
			bigen.At(c, &e.X, genExpr(depth-1))
			bigen.At(c, &e.Y, genExpr(depth-1))
		}))
	}
	neg := bigen.Tag("neg", bigen.New(func(c *bigen.C, e *expr) {
		e.Op = "neg"
		bigen.At(c, &e.X, genExpr(depth-1))
	}))
	return bigen.Pick(digit, binary("plus", "+"), binary("minus", "-"), binary("times", "*"), neg)
}

func num(n int) *expr { return &expr{N: n} }

// Values like examples, and values unlike them.
func ExampleFollow() {
	f, err := bigen.Mine(genExpr(4), &expr{Op: "*", X: num(1), Y: &expr{Op: "+", X: num(2), Y: num(3)}})
	fmt.Println(err)
	fmt.Print(f)
	r := rand.New(rand.NewPCG(1, 4))
	fmt.Println("common:")
	for range 4 {
		fmt.Println(bigen.Sample(genExpr(4), r, choices.Follow(f)))
	}
	fmt.Println("uncommon:")
	for range 4 {
		fmt.Println(bigen.Sample(genExpr(4), r, choices.Invert(f)))
	}
	// Output:
	// <nil>
	// 3 digit
	// 1 1
	// 1 2
	// 1 3
	// 1 plus
	// 1 times
	// common:
	// 2
	// 3
	// (((2*(3+1))*((2+1)+(1*1)))*((3+(1+1))*3))
	// 1
	// uncommon:
	// ((((6*5)-(8-4))+(-6--0))+(--8---7))
	// -((6*-5)+--0)
	// ((--6-(-5+(9-0)))*--5)
	// 7
}

// Descriptions of strength 2 that a second test adds to those of a first.
func ExampleCoverage() {
	c := choices.NewCoverage(2, nil)
	first, _ := bigen.Choices(genExpr(2), &expr{Op: "+", X: num(1), Y: num(2)})
	second, _ := bigen.Choices(genExpr(2), &expr{Op: "+", X: num(1), Y: &expr{Op: "*", X: num(2), Y: num(1)}})
	fmt.Println(first, "covers", c.Add(first))
	fmt.Println(second, "adds")
	for d := range c.Descriptions(second) {
		if !c.Covers(d) {
			fmt.Println("  ", d)
		}
	}
	// Output:
	// plus(digit(1), digit(2)) covers 10
	// plus(digit(1), times(digit(2), digit(1))) adds
	//    plus(1: times)
	//    plus(1: 1)
	//    _(0: digit, 1: times)
	//    _(0: digit, 1: 1)
	//    _(0: 1, 1: times)
	//    _(0: 1, 1: 1)
	//    times(0: digit)
	//    times(0: 2)
	//    times(1: digit)
	//    times(1: 1)
	//    _(0: 2, 1: digit)
	//    _(0: 2, 1: 1)
}
