package predict_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune/predict"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// Figures of "Branching Processes for QuickCheck Generators".

func read[A any](t *testing.T, g bigen.Gen[A]) *predict.Grammar {
	t.Helper()
	grammar, err := predict.Read(g)
	require.NoError(t, err)
	return grammar
}

func means(list []predict.Count) map[string]float64 {
	m := map[string]float64{}
	for _, c := range list {
		m[c.Tag] += c.Mean
	}
	return m
}

// Table 1, as printed: the proportions of the leaves in a row, and a weight of nodes that
// gives the row's number of nodes, predict the row.
func TestTable1(t *testing.T) {
	t.Parallel()
	g := read(t, genABC(1, 1, 1, 1))
	for _, row := range [][4]float64{
		{5.26, 5.26, 5.21, 14.73},
		{30.07, 9.76, 10.15, 48.96},
		{10.07, 3.15, 17.57, 29.80},
		{10.41, 0, 0, 9.41},
		{6.95, 6.95, 0, 12.91},
	} {
		weigh := func(node float64) map[string]float64 {
			w := predict.Weights{}
			for i, c := range predict.Constructors(g) {
				w[c] = row[i]
				if c.Tag == "Node" {
					w[c] = node
				}
			}
			return means(g.With(w).Expect(10))
		}
		lo, hi := 0.0, 1000.0
		for range 60 {
			if mid := (lo + hi) / 2; weigh(mid)["Node"] < row[3] {
				lo = mid
			} else {
				hi = mid
			}
		}
		for i, tag := range []string{"LeafA", "LeafB", "LeafC", "Node"} {
			require.InDelta(t, row[i], weigh(lo)[tag], 0.0151, "%s of %v", tag, row)
		}
	}
}

func TestSections3To6(t *testing.T) {
	t.Parallel()
	// Section 3, at the ten levels of a generator of size 10.
	for w, nodes := range map[float64]float64{1: 0.49951, 7: 48.870} {
		require.InEpsilon(t, nodes, means(read(t, genABC(1, 1, 1, w)).Expect(10))["Node"], 2e-5)
	}
	// Figure 2, which halves.
	require.InDelta(t, 0.46875, means(read(t, genHalving(10)).Expect(predict.Unlimited))["Node"],
		1e-12)
	// Section 4: Figure 5 itself, and a generator without a bound, with one.
	for _, m := range []map[string]float64{
		means(read(t, genSized(10)).Expect(predict.Unlimited)),
		means(read(t, genTree()).Expect(10)),
	} {
		require.InDelta(t, 21.310, m["NodeA"], 0.0005)
		require.InDelta(t, 12.786, m["NodeB"], 0.0005)
		require.InDelta(t, 22.310, m["Leaf"], 0.0005)
	}
	// Section 6, and 6.1.
	m := means(read(t, genMutual()).Expect(10))
	for tag, want := range map[string]float64{"A": 5.0553, "B": 7.8487, "C": 3.7933, "D": 4.0553} {
		require.InDelta(t, want, m[tag], 0.00005, tag)
	}
	m = means(read(t, genComposite()).Expect(10))
	require.InDelta(t, 0.3*(m["LeafA"]*0.75+2*m["LeafB"]), m["True"], 1e-9)
}

func genList() bigen.Gen[*tree] {
	return bigen.Pick(leaf("Leaf", 1),
		node("Next", 1, func(c *bigen.C, t *tree) { bigen.At(c, &t.L, bigen.Lazy(genList)) }))
}

// The last level takes alternatives that do not recur or, in a type where all recur, the ones
// that end soonest. Types that are not recursive stay as they are.
func TestLast(t *testing.T) {
	t.Parallel()
	never := read(t, genNever())
	require.Equal(t,
		map[string]float64{"short": 1, "end": 1, "long": 0, "further": 0, "both": 0, "again": 0},
		means(never.Expect(0)))
	m := means(never.Expect(1))
	require.InDelta(t, 2.0/3, m["long"], 1e-12)
	require.InDelta(t, 2.0/3, m["further"], 1e-12)
	require.Zero(t, m["both"]+m["again"])
	flag := bigen.Pick(bigen.Tag("off", bigen.Just(false)), bigen.Tag("on", bigen.Just(true)))
	slices := read(t, bigen.SliceOf(bigen.SliceOf(flag, 1, 3), 0, 4))
	for tag, want := range means(slices.Expect(predict.Unlimited)) {
		require.InDelta(t, want, means(slices.Expect(0))[tag], 1e-9, tag)
	}
}

// genB1 is the generator of appendix B.1.
func genB1() bigen.Gen[*tree] {
	kids := func(c *bigen.C, t *tree) {
		bigen.At(c, &t.L, bigen.Lazy(genB1))
		bigen.At(c, &t.R, bigen.Lazy(genB1))
	}
	return bigen.Pick(leaf("A", 1), node("B", 1, kids), node("C", 1, kids))
}

func TestGrowth(t *testing.T) {
	t.Parallel()
	b1 := read(t, genB1())
	require.InDelta(t, 0.5, b1.Extinction(), 1e-15)
	require.InDelta(t, 4.0/3, b1.Growth(), 1e-15)
	for _, c := range []struct {
		g          *predict.Grammar
		growth     float64
		extinction float64
		advice     string
	}{
		{b1, 4.0 / 3, 0.5, "50% of the values end by themselves: 1.33 further picks are " +
			"expected from each of A|B|C; tag A has weight 1, above weight 2 values end"},
		{read(t, genABC(1, 1, 1, 1)), 0.5, 1, ""},
		{read(t, genABC(1, 0, 0, 1)), 1, 1,
			"values have an infinite mean size: tag Node has weight 1, and 1 further ones are " +
				"expected from each; below weight 1 values end"},
		{read(t, genABC(1, 0, 0, 2)), 4.0 / 3, 0.5,
			"50% of the values end by themselves: tag Node has weight 2, and 1.33 further ones " +
				"are expected from each; below weight 1 values end"},
		{read(t, genTree()), 1.3, 0.4,
			"40% of the values end by themselves: tag NodeA has weight 5, and 1.3 further ones " +
				"are expected from each; below weight 2 values end"},
		{read(t, genMutual()), (0.7 + math.Sqrt(0.49+4*0.42)) / 2, math.NaN(), "tag B has weight 7"},
		{read(t, genSized(5)), 0, 1, ""},
		{read(t, genLambda()), 8.0 / 9, 1, ""},
		{read(t, genSlices()), 8.0 / 9, 1, ""},
	} {
		require.InDelta(t, c.growth, c.g.Growth(), 1e-9)
		if !math.IsNaN(c.extinction) {
			require.InDelta(t, c.extinction, c.g.Extinction(), 1e-9)
		}
		if c.advice == "" {
			require.Empty(t, c.g.Advice())
		} else {
			require.Contains(t, c.g.Advice(), c.advice)
		}
	}
	// A critical process ends at last. A process without an end does not, though it does not
	// grow.
	critical := read(t, genABC(1, 0, 0, 1))
	mean, variance := critical.ExpectTags(predict.Unlimited)
	require.True(t, math.IsInf(mean, 1) && math.IsInf(variance, 1))
	line := read(t, bigen.Lazy(genList))
	require.InDelta(t, 1, line.Extinction(), 1e-12)
	w := line.Weights()
	for c := range w {
		if c.Tag == "Leaf" {
			w[c] = 0
		}
	}
	require.Zero(t, line.With(w).Extinction())
	require.Equal(t, 1.0, line.With(w).Growth())

	// The extinction of the types in section 6 is a fixed point of their generating functions.
	q := read(t, genMutual()).Extinction()
	require.InDelta(t, q, 0.3+0.7*q*(0.4+0.6*q), 1e-12)
	require.Less(t, q, 0.9)
}

// Half of the values of appendix B.1 end.
func TestExtinctionObserved(t *testing.T) {
	t.Parallel()
	n := long.Count(5, 80)
	ended := 0
	r := rand.New(rand.NewPCG(2, 2))
	for range n {
		_, tree, err := bigen.Run(genB1(), choices.Random(r))
		require.NoError(t, err)
		if len(tree) < 1<<16 {
			ended++
		}
	}
	require.InDelta(t, 0.5, float64(ended)/float64(n), 4*0.5/math.Sqrt(float64(n)))
}
