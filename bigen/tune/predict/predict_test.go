package predict_test

import (
	"math"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune/predict"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// The grammar predicts what is observed within 4.5 standard errors, since a hundred counts
// are compared. Variances only agree roughly, since some values are rare and large.
func TestPredict(t *testing.T) {
	t.Parallel()
	n, within := long.Count(1000, 40_000), 0.9
	if long.Enabled() {
		within = 0.5
	}
	for _, c := range []struct {
		name string
		subject
		size int // of the last level
	}{
		{"tree", subjectOf(genABC(1, 1, 1, 1)), predict.Unlimited},
		{"tree, sized", subjectOf(genABC(1, 1, 1, 7)), 6},
		{"Figure 5", subjectOf(genSized(6)), predict.Unlimited},
		{"Figure 5, by a prior", subjectOf(genTree()), 6},
		{"Figure 5, cut", subjectOf(genSized(6)), 3},
		{"Figure 2", subjectOf(genHalving(10)), predict.Unlimited},
		{"mutual", subjectOf(genMutual()), 8},
		{"composite", subjectOf(genComposite()), 5},
		{"no terminals", subjectOf(genNever()), 7},
		{"rose", subjectOf(genRose(0, 1000, 12)), predict.Unlimited},
		{"rose, sized", subjectOf(genRose(0, 1000, 2)), 3},
		{"rose, of 2 to 5", subjectOf(genRose(2, 5, 3)), 4},
		{"slices", subjectOf(genSlices()), predict.Unlimited},
		{"slices, sized", subjectOf(genSlices()), 1},
		{"lambda", subjectOf(genLambda()), predict.Unlimited},
		{"Go", subjectOf(genGo()), predict.Unlimited},
		{"derived", subjectOf(bigen.For[derived]()), predict.Unlimited},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, err := c.read()
			require.NoError(t, err)
			var prior choices.Prior
			if c.size != predict.Unlimited {
				g = g.With(g.Weights())
				prior = g.Model(c.size).Prior()
			}
			mean, squares := c.observe(n, 1, prior)
			for _, count := range g.Expect(c.size) {
				deviation := math.Sqrt(count.Variance / float64(n))
				require.InDelta(t, count.Mean, mean[count.Constructor], 4.5*deviation+1e-9, "%v", count)
				observed := squares[count.Constructor] - mean[count.Constructor]*mean[count.Constructor]
				require.InDelta(t, 1, (observed+1e-9)/(count.Variance+1e-9), within, "%v", count)
				delete(mean, count.Constructor)
			}
			require.Empty(t, mean)
		})
	}
}

// If values do not end, all that occurs in them is infinite, also in their slices alone.
func TestEndless(t *testing.T) {
	t.Parallel()
	g, err := predict.Read(genDoc())
	require.NoError(t, err)
	w := g.Weights()
	for c := range w {
		if c.Tag == "list" {
			w[c] = 3
		}
	}
	g = g.With(w)
	for _, count := range g.Expect(predict.Unlimited) {
		require.True(t, math.IsInf(count.Mean, 1) && math.IsInf(count.Variance, 1), "%v", count)
	}
	for _, tags := range [][]string{{"list", "list"}, {"list", "text"}, {"link", "link"}} {
		mean, _ := g.ExpectPattern(predict.Unlimited, tags...)
		require.True(t, math.IsInf(mean, 1), "%v", tags)
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	boolean := bigen.Pick(bigen.Tag("false", bigen.Just(false)), bigen.Tag("true", bigen.Just(true)))
	for name, s := range map[string]subject{
		"search tree":      subjectOf(genBST(0, 100)),
		"wide search tree": subjectOf(genBST(0, math.MaxInt-1)),
		"SliceBy": subjectOf(bigen.SliceBy(func(prev []int) (bigen.Gen[int], bool) {
			if len(prev) == 0 {
				return bigen.IntRange(0, 99), true
			}
			last := prev[len(prev)-1]
			if last == 99 {
				return bigen.Gen[int]{}, false
			}
			return bigen.IntRange(last+1, 99), true
		}, 0, 1000)),
		"SliceBy that rejects": subjectOf(bigen.SliceBy(func(prev []bool) (bigen.Gen[bool], bool) {
			return boolean, len(prev) == 0 || prev[0]
		}, 2, 3)),
		"Let": subjectOf(bigen.Struct(func(c *bigen.C, s *[]bool) {
			n := bigen.Let(c, s, func(s *[]bool) (int, bool) { return len(*s), true }, bigen.IntRange(0, 8))
			bigen.At(c, s, bigen.SliceOf(boolean, n, n))
		})),
		"FieldBy": subjectOf(bigen.For[counted](bigen.FieldBy(
			func(s *counted) *[]bool { return &s.List },
			func(s *counted) bigen.Gen[[]bool] { return bigen.SliceOf(boolean, int(s.N), int(s.N)) },
		))),
		"Distinct": subjectOf(bigen.Distinct(bigen.IntRange(0, 1000), 0, 20)),
		"MapOf":    subjectOf(bigen.MapOf(bigen.IntRange(0, 1000), boolean, 0, 20)),
		"SuchThat": subjectOf(bigen.SuchThat(genABC(1, 1, 1, 1), func(t *tree) bool {
			return t == nil || t.L != nil
		})),
		"Recursive": subjectOf(bigen.Recursive(bigen.Nil[rose](),
			func(self bigen.Gen[*rose]) bigen.Gen[*rose] {
				return bigen.New(func(c *bigen.C, r *rose) {
					bigen.At(c, &r.Kids, bigen.SliceOf(self, 0, 100))
				})
			}, 20)),
		"integer in a range of one percent": subjectOf(genRare(1, 0)),
		"integer in a range further in":     subjectOf(genRare(1, 2)),
		"Favor":                             subjectOf(bigen.Favor(genABC(1, 1, 1, 1), nil)),
	} {
		t.Run(name, func(t *testing.T) {
			g, err := s.read()
			require.ErrorIs(t, err, predict.ErrContext, "%v", g)
			t.Log(err)
		})
	}
}

type counted struct {
	N    uint8
	List []bool
}

// rare is a number, and flags if it is below a hundredth of its range.
type rare struct {
	N     int
	Flags []bool
	More  []rare
}

// genRare makes flags for a percentage of its numbers, down to a number of levels.
func genRare(percent, levels int) bigen.Gen[rare] {
	flag := bigen.Pick(bigen.Tag("off", bigen.Just(false)), bigen.Tag("on", bigen.Just(true)))
	return bigen.Struct(func(c *bigen.C, r *rare) {
		bigen.At(c, &r.N, bigen.IntRange(-50_000, 49_999))
		if r.N >= 777 && r.N < 777+1000*percent {
			bigen.At(c, &r.Flags, bigen.SliceOf(flag, 200, 200))
		}
		if levels > 0 {
			bigen.At(c, &r.More, bigen.SliceOf(genRare(percent, levels-1), 0, 2))
		}
	})
}
