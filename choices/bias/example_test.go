package bias_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices/bias"
	"github.com/espalier-go/espalier/choices/internal/subjects"
)

// Values like examples, and values unlike them.
func ExampleFollow() {
	f, err := bigen.Mine(subjects.Exprs(4), &subjects.Expr{
		Op: "*", X: subjects.Num(1),
		Y: &subjects.Expr{Op: "+", X: subjects.Num(2), Y: subjects.Num(3)},
	})
	fmt.Println(err)
	fmt.Print(f)
	r := rand.New(rand.NewPCG(1, 4))
	fmt.Println("common:")
	for range 4 {
		fmt.Println(bigen.Sample(subjects.Exprs(4), r, bias.Follow(f)))
	}
	fmt.Println("uncommon:")
	for range 4 {
		fmt.Println(bigen.Sample(subjects.Exprs(4), r, bias.Invert(f)))
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
