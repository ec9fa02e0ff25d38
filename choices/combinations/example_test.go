package combinations_test

import (
	"fmt"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices/combinations"
	"github.com/espalier-go/espalier/choices/internal/subjects"
)

// Descriptions of strength 2 that a second test adds to a first test's.
func ExampleCoverage() {
	c := combinations.New(2, nil)
	first, _ := bigen.Choices(
		subjects.Exprs(2), &subjects.Expr{Op: "+", X: subjects.Num(1), Y: subjects.Num(2)},
	)
	second, _ := bigen.Choices(subjects.Exprs(2), &subjects.Expr{
		Op: "+", X: subjects.Num(1),
		Y: &subjects.Expr{Op: "*", X: subjects.Num(2), Y: subjects.Num(1)},
	})
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
