package predict_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune/predict"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// The adjoint gradient agrees with differences, and the cost agrees with Expect.
func TestGradient(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		subject
		cost predict.Cost
	}{
		{"uniform", subjectOf(genABC(1, 2, 3, 4)), predict.Uniform(6)},
		{"weighted", subjectOf(genTree()),
			predict.Weighted(map[string]float64{"Leaf": 2, "NodeB": 1}, 5)},
		{"mutual", subjectOf(genMutual()), predict.Uniform(7)},
		{"composite", subjectOf(genComposite()), predict.Without(4, "True")},
		{"rose", subjectOf(genRose(0, 1000, 2)), predict.Uniform(4)},
		{"rose of 2 to 5", subjectOf(genRose(2, 5, 2)),
			predict.Weighted(map[string]float64{"more": 3, "yes": 1}, 3)},
		{"slices", subjectOf(genSlices()), predict.Weighted(map[string]float64{"more": 3, "on": 1}, 3)},
		{"depth", subjectOf(genSized(6)), predict.Uniform(6)},
		{"types", subjectOf(genComposite()), predict.WithoutTypes(4, "Just")},
		{"custom", subjectOf(genABC(1, 2, 3, 4)), predict.Custom(6, func(counts map[string]float64) float64 {
			return math.Pow(counts["LeafA"]-2*counts["LeafB"], 2) + math.Abs(counts["Node"]-4)
		})},
		{"derived", subjectOf(bigen.For[derived]()), predict.Uniform(6)},
		{"patterns", subjectOf(genLambda()), predict.Patterns(5,
			predict.Pattern{Tags: []string{"app", "lam"}, Count: 3},
			predict.Pattern{Tags: []string{"lam", "lam", "var"}, Count: 1})},
		{"patterns in slices", subjectOf(genRose(2, 5, 2)), predict.Patterns(3,
			predict.Pattern{Tags: []string{"fork", "fork"}, Count: 4})},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, err := c.read()
			require.NoError(t, err)
			p, err := predict.NewProblem(g, c.cost)
			require.NoError(t, err)
			r := rand.New(rand.NewPCG(1, 1))
			z := p.Start()
			require.NotEmpty(t, z)
			for range long.Count(1, 5) {
				_, gradient := p.Cost(z)
				for i := range z {
					const h = 1e-5
					x := append([]float64(nil), z...)
					x[i] += h
					up, _ := p.Cost(x)
					x[i] -= 2 * h
					down, _ := p.Cost(x)
					up, down = math.Log1p(up), math.Log1p(down)
					require.InDelta(t, (up-down)/(2*h), gradient[i], 1e-5*(1+math.Abs(gradient[i])),
						"%d of %v", i, predict.Constructors(g))
				}
				for i := range z {
					z[i] += r.NormFloat64()
				}
			}
		})
	}
}

func cost(p predict.Problem, z []float64) float64 {
	c, _ := p.Cost(z)
	return c
}

func TestCost(t *testing.T) {
	t.Parallel()
	g, err := predict.Read(genABC(1, 1, 1, 1))
	require.NoError(t, err)
	p, err := predict.NewProblem(g,
		predict.Weighted(map[string]float64{"LeafA": 3, "Node": 1, "LeafC": 0}, 5))
	require.NoError(t, err)
	z := []float64{math.Log(2), 0, math.Log(3)}
	tuned := g.With(p.Weights(z))
	counts := map[string]float64{}
	for _, c := range tuned.Expect(5) {
		counts[c.Tag] = c.Mean
	}
	require.Zero(t, counts["LeafC"])
	require.InDelta(t, math.Pow(counts["LeafA"]-15, 2)/15+math.Pow(counts["Node"]-5, 2)/5,
		cost(p, z), 1e-9)
	require.Panics(t, func() { g.With(predict.Weights{{Tag: "other"}: 1}) })
	require.Panics(t, func() { g.With(predict.Weights{predict.Constructors(g)[0]: -1}) })
}

// What follows an alternative of weight 0 is unknown, so it remains.
func TestAbsent(t *testing.T) {
	t.Parallel()
	g, err := predict.Read(bigen.Pick(bigen.Tag("never", genBST(0, 9)).Weight(0),
		bigen.Tag("once", bigen.Nil[bst]()), bigen.Tag("twice", bigen.Nil[bst]()).Weight(2)))
	require.NoError(t, err)
	w := predict.Weights{}
	for _, c := range predict.Constructors(g) {
		w[c] = 1
	}
	require.Equal(t, map[string]float64{"never": 0, "once": 0.5, "twice": 0.5},
		means(g.With(w).Expect(3)))
	p, err := predict.NewProblem(g, predict.Weighted(map[string]float64{"once": 1}, 1))
	require.NoError(t, err)
	require.Len(t, p.Start(), 2)
	require.InDelta(t, 0.25, cost(p, []float64{0, 0}), 1e-12)
	r := subjectOf(bigen.Pick(bigen.Tag("never", genBST(0, 9)).Weight(0),
		bigen.Tag("once", bigen.Nil[bst]())))
	observed, _ := r.observe(100, 1, g.With(w).Model(3).Prior())
	for c, n := range observed {
		require.Equal(t, "once", c.Tag, n)
	}
}

// A cost that excludes constructors also excludes constructors that do not end without them.
// It is refused if no value ends.
func TestExcluded(t *testing.T) {
	t.Parallel()
	mutual, err := predict.Read(genMutual())
	require.NoError(t, err)
	composite, err := predict.Read(genComposite())
	require.NoError(t, err)
	slices, err := predict.Read(genSlices())
	require.NoError(t, err)
	for _, c := range []struct {
		name  string
		g     *predict.Grammar
		cost  predict.Cost
		zero  []string // tags that do not occur; others do
		fails string
	}{
		{"none", mutual, predict.Uniform(5), nil, ""},
		{"D", mutual, predict.Without(5, "D"), []string{"D"}, ""},
		{"only", mutual, predict.Only(5, "A", "B", "D"), []string{"C"}, ""},
		{"types", mutual, predict.OnlyTypes(5, "A", "C"), nil, ""},
		{"one type", composite, predict.OnlyTypes(5, "Node"), []string{"LeafA", "LeafB", "False", "True", "Nothing", "Just"}, ""},
		{"no type", composite, predict.WithoutTypes(5, "Just"), []string{"LeafA", "Nothing", "Just"}, ""},
		{"no Booleans", composite, predict.WithoutTypes(5, "True"), []string{"LeafB", "Just", "False", "True"}, ""},
		{"own type", mutual, predict.WithoutTypes(5, "B"), nil, "no value ends with these constructors only: C, D"},
		{"unknown type", mutual, predict.OnlyTypes(5, "E"), nil,
			`no alternative has the tag "E": is it misspelled?`},
		{"A", mutual, predict.Without(5, "A"), nil,
			"no value ends with these constructors only: B, C, D"},
		{"weight 0", mutual, predict.Weighted(map[string]float64{"C": 0, "D": 1}, 5), []string{"C"}, ""},
		{"no B", mutual, predict.Weighted(map[string]float64{"C": 0, "D": 0, "B": 1}, 5), nil,
			`tag "B" cannot occur: its parts do not end with these constructors only: A, B`},
		{"Just", composite, predict.Without(5, "Just"), []string{"Just"}, ""},
		{"sequences", slices, predict.Without(5, "on"), []string{"on"}, ""},
		{"no flags", slices, predict.Without(5, "on", "off"), nil,
			"no value ends with these constructors only: "},
		{"unknown", mutual, predict.Without(5, "E"), nil,
			`no alternative has the tag "E": is it misspelled?`},
		{"unknown weight", mutual, predict.Weighted(map[string]float64{"E": 1}, 5), nil,
			`no alternative has the tag "E": is it misspelled?`},
		{"weight", mutual, predict.Weighted(map[string]float64{"A": -1}, 5), nil,
			`Weighted: weight -1 of tag "A" is not a number from 0`},
		{"no bound", mutual, predict.Uniform(predict.Unlimited), nil,
			"a cost for values of size 9223372036854775807: want at most 32768"},
		{"size", mutual, predict.Uniform(0), nil, "a cost for values of size 0: want at least 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := predict.NewProblem(c.g, c.cost)
			if c.fails != "" {
				require.EqualError(t, err, "predict: "+c.fails)
				return
			}
			require.NoError(t, err)
			for _, count := range c.g.With(p.Weights(p.Start())).Expect(5) {
				if zero := sliceHas(c.zero, count.Tag); zero != (count.Mean == 0) {
					t.Errorf("%v", count)
				}
			}
		})
	}
}

// Fit finds the least of a cost of the user's own.
func TestCustom(t *testing.T) {
	t.Parallel()
	g, err := predict.Read(genABC(1, 1, 1, 1))
	require.NoError(t, err)
	custom := predict.Custom(5, func(counts map[string]float64) float64 {
		return math.Pow(counts["LeafA"]-3*counts["LeafB"], 2) + math.Pow(counts["Node"]-6, 2)
	})
	tuned, least, err := g.Fit(t.Context(), custom)
	require.NoError(t, err)
	require.InDelta(t, 0, least, 1e-6)
	counts := means(tuned.Expect(5))
	require.InDelta(t, 6, counts["Node"], .01)
	require.InDelta(t, 3, counts["LeafA"]/counts["LeafB"], .01)
	negative := predict.Custom(5, func(map[string]float64) float64 { return -1 })
	_, least, err = g.Fit(t.Context(), negative)
	require.NoError(t, err)
	require.Equal(t, math.Inf(1), least)
}

func sliceHas(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
