package expr_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/bias"
	"github.com/espalier-go/espalier/examples/expr"
	"github.com/stretchr/testify/require"
)

// mine returns the frequencies of what makes the examples.
func mine(n int, examples ...string) bias.Frequencies {
	var list []expr.Expr
	for _, s := range examples {
		list = append(list, mustParse(s))
	}
	f, err := bigen.Mine(genExpr(n), list...)
	if err != nil {
		panic(err)
	}
	return f
}

// samples prints random expressions with a bias.
func samples(n, count int, bias bias.Bias) (list []string) {
	r := rand.New(rand.NewPCG(1, 1))
	for range count {
		list = append(list, bigen.Sample(genExpr(n), r, bias).String())
	}
	return list
}

// A few examples tell which inputs are common, and so which are not: the latter are
// where a parser may have been tested less.
func Example() {
	examples := mine(8, "(2*3)", "1*(5)", "((3+4))")
	fmt.Println("common:")
	for _, s := range samples(8, 5, bias.Follow(examples)) {
		fmt.Println(s)
	}
	fmt.Println("uncommon:")
	for _, s := range samples(4, 5, bias.Invert(examples)) {
		fmt.Println(s)
	}
	// Output:
	// common:
	// (3)*5*1+2*4
	// (1+4)
	// ((5))
	// ((1))+(4)*3
	// ((3))
	// uncommon:
	// 3-9-0/6+9/4*+0-4*2*+7/-+4
	// 0-8+0-8/4*+7-1/1/(9)*+-8
	// 0+9-8/6-0*8*+6-6/4/-9/-7
	// 4+8-2/9-5/1/-7+7/3*+1*(9+0)
	// 9+3+6/0-8/5/(9)+4/6/+6*++9
}

// The listings of "Bigenerators, Exposed!", section 6.1.1.
func TestExamples(t *testing.T) {
	weights := mine(4, "1*(2+3)") // iWeights
	tag := func(s string) choices.Mark { return choices.Mark{Tag: s} }
	require.Equal(t, bias.Frequencies{
		tag("1"): 1, tag("2"): 1, tag("3"): 1, tag("digits"): 1,
		tag("factor"): 1, tag("parens"): 1, tag("plus"): 1, tag("term"): 1, tag("times"): 1,
	}, weights)

	// What follows the example has only its digits and operators (iReplicate).
	seen := map[string]bool{}
	for _, s := range samples(4, 1000, bias.Follow(weights)) {
		require.Regexp(t, `^[123+*()]*$`, s)
		require.NotRegexp(t, `\d\d|[(*+]\+`, s) // neither More nor Pos
		seen[s] = true
	}
	for _, s := range []string{"1+3", "1", "1*(2+3)"} {
		require.True(t, seen[s], s)
	}

	// What avoids it has mostly others.
	others, digits := 0, 0
	for _, s := range samples(4, 1000, bias.Invert(weights)) {
		digits += len(regexp.MustCompile(`\d`).FindAllString(s, -1))
		others += len(regexp.MustCompile(`[04-9]`).FindAllString(s, -1))
	}
	require.Greater(t, float64(others)/float64(digits), 0.75) // 7/8.5; 0.7 without a bias

	// Several examples add up (mine).
	sum := mine(4, "1*(2+3)", "1", "-1")
	require.Equal(t, 3, sum[tag("1")])
	require.Equal(t, 1, sum[tag("2")])
	require.Equal(t, 1, sum[tag("neg")])
	require.Equal(t, 3, sum[tag("term")])

	// Alternatives can be weighed by hand.
	for _, s := range samples(4, 100, bias.Weighted(func(tag string, w float64) float64 {
		if tag == "plus" || tag == "minus" || tag == "digits" || tag == "7" {
			return 1
		}
		return 0
	})) {
		require.Regexp(t, `^7([+-]7)+$`, s)
	}
}
