package planted

import (
	"slices"
	"testing"

	"github.com/espalier-go/espalier/bigen"
)

// GenPlan makes plans of 8 operators on average. An operator is a Scan with probability 2/8,
// and each of the others that users may write with probability 1/8. So a given operator on a
// given column is in a given place with probability 1/64.
var GenPlan = func() (gen bigen.Gen[*Plan]) {
	operator := func(op Operator) bigen.Gen[*Plan] {
		return bigen.New(func(c *bigen.C, p *Plan) {
			bigen.At(c, &p.Op, bigen.Just(op))
			if op != Reverse {
				bigen.At(c, &p.N, bigen.IntRange(0, Columns-1))
			}
			if op != Scan {
				bigen.At(c, &p.In, gen)
			}
			if op == Semijoin {
				bigen.At(c, &p.Right, gen)
			}
		})
	}
	gen = bigen.Pick(
		bigen.Tag("scan", operator(Scan)).Weight(2),
		bigen.Tag("sort", operator(Sort)),
		bigen.Tag("distinct", operator(Distinct)),
		bigen.Tag("filter", operator(Filter)),
		bigen.Tag("limit", operator(Limit)),
		bigen.Tag("reverse", operator(Reverse)),
		bigen.Tag("semijoin", operator(Semijoin)),
	)
	return gen
}()

// CheckPlan checks that an optimized plan has the same rows.
func CheckPlan(t testing.TB, p *Plan) {
	if got, want := Optimize(p).Run(), p.Run(); !slices.Equal(got, want) {
		t.Errorf("the rows are %v, want %v", got, want)
	}
}
