package predict_test

import (
	"fmt"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune/predict"
)

type tree struct{ L, R *tree }

func genTree(leaf, node float64) bigen.Gen[*tree] {
	var gen bigen.Gen[*tree]
	gen = bigen.Lazy(func() bigen.Gen[*tree] {
		return bigen.Pick(
			bigen.Tag("leaf", bigen.Nil[tree]()).Weight(leaf),
			bigen.Tag("node", bigen.New(func(c *bigen.C, t *tree) {
				bigen.At(c, &t.L, gen)
				bigen.At(c, &t.R, gen)
			})).Weight(node))
	})
	return gen
}

func TestTry(t *testing.T) {
	g, err := predict.Read(genTree(3, 1))
	if err != nil {
		t.Fatal(err)
	}
	fmt.Print(g)
	fmt.Println(g.Expect(10), g.Expect(predict.Unlimited), g.Growth(), g.Extinction(), g.Advice())
	g, err = predict.Read(genTree(1, 2)); fmt.Println(err)
	fmt.Println(g.Expect(10), g.Expect(predict.Unlimited), g.Growth(), g.Extinction(), g.Advice())
}
