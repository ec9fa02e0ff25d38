package expr_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/bias"
	"github.com/espalier-go/espalier/examples/expr"
)

// A model of examples keeps the relations between their parts, which counts do not.
func Example_model() {
	examples := []string{"1+2", "(5-3)+4", "(2-1)*3", "6", "2+(7-(4-1))", "(8-2-3)", "5+1+(3-2)",
		"4*(9-5)+7"}
	var list []expr.Expr
	for _, s := range examples {
		list = append(list, mustParse(s))
	}
	model, err := bigen.MineModel(genExpr(8), list...)
	fmt.Println(err)
	r := rand.New(rand.NewPCG(1, 1))
	for range 6 {
		e, _ := bigen.Value(genExpr(8), choices.RandomBy(r, model.Prior()))
		fmt.Println(e)
	}
	fmt.Println("counts of the same examples:")
	for _, s := range samples(8, 6, bias.Follow(mine(8, examples...))) {
		fmt.Println(s)
	}
	// Output:
	// <nil>
	// 4*3+(1-3)
	// (9-3)+4
	// 2
	// 5+5+(2-3)
	// (9-5)+4
	// (8-5)+(7-1)
	// counts of the same examples:
	// (4*9)-7
	// 2
	// 2-1+5
	// 2
	// ((3)-(1))+4
	// 2
}
