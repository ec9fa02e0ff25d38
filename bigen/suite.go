package bigen

import (
	"fmt"
	"math/rand/v2"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/bias"
	"github.com/espalier-go/espalier/choices/combinations"
)

// Mine returns how often each choice occurs in what makes the values (mine of "Bigenerators,
// Exposed!", section 6.1.1). The counts show what a test suite has much or little of.
// [bias.Follow] and [bias.Invert] turn them into biases. If g does not make a value, the
// error says which one and why; see [Choices].
func Mine[A any](g Gen[A], values ...A) (bias.Frequencies, error) {
	f := bias.Frequencies{}
	return f, eachTree(g, values, f.Add)
}

// MineModel returns examples: what makes the values, to learn from. Unlike the counts of
// [Mine], they know which choices occur below which. [bias.Examples] says how it makes
// values like them. If g does not make a value, the error says which one and why; see
// [Choices].
func MineModel[A any](g Gen[A], values ...A) (*bias.Examples, error) {
	m := bias.NewExamples()
	return m, eachTree(g, values, m.Add)
}

// Thin returns few of the values, which together cover all descriptions that all of them
// cover; see [combinations.Coverage]. Descriptions have a strength from 1 to 4. The first value
// covers most, and each other one adds most to those before it. Values of hundreds of choices
// have so many descriptions that at strength 2 or more Thin can drop hardly any. If g does not
// make a value, the error says which one and why; see [Choices]. Thin panics if the strength
// is out of range.
func Thin[A any](g Gen[A], values []A, strength int) ([]A, error) {
	var trees []choices.Tree
	if err := eachTree(g, values, func(t choices.Tree) { trees = append(trees, t) }); err != nil {
		return nil, err
	}
	var thin []A
	for _, i := range combinations.New(strength, nil).Thin(trees) {
		thin = append(thin, values[i])
	}
	return thin, nil
}

// eachTree adds the choices of each of the values.
func eachTree[A any](g Gen[A], values []A, add func(choices.Tree)) error {
	for i, v := range values {
		t, err := Choices(g, v)
		if err != nil {
			return fmt.Errorf("value %d: %w", i, err)
		}
		add(t)
	}
	return nil
}

// SampleNew returns, of n random values, the one that adds most to what is covered,
// and adds it to covered: the generation of QuickCover, by Goldstein et al., "Do
// Judge a Test by its Cover". Use it where it takes longer to run a test than to make
// n values. It panics if n is not positive, or if g rejects 100 times in a row.
func SampleNew[A any](
	g Gen[A], r *rand.Rand, covered *combinations.Coverage, n int, biases ...bias.Bias,
) A {
	if n <= 0 {
		panic(fmt.Sprintf("bigen.SampleNew: the best of %d values", n))
	}
	var best A
	var tree choices.Tree
	most := -1
	for rejected := 0; n > 0; n-- {
		v, t, err := Run(g, bias.Random(r, biases...))
		if err != nil {
			if rejected++; rejected == 100 {
				panic("bigen.SampleNew: " + err.Error())
			}
			n++
			continue
		}
		rejected = 0
		if gain := covered.Gain(t); gain > most {
			best, tree, most = v, t, gain
		}
	}
	covered.Add(tree)
	return best
}
