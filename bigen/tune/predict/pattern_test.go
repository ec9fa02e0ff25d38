package predict_test

import (
	"math"
	"math/rand/v2"
	"testing"

	xslices "golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen/tune/predict"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// Patterns occur as often as predicted, within 4.5 standard errors.
func TestPatternsPredicted(t *testing.T) {
	t.Parallel()
	n := long.Count(1000, 40_000)
	for _, c := range []struct {
		name string
		subject
		size     int
		patterns [][]string
	}{
		{"tree", subjectOf(genABC(1, 1, 1, 1)), 6, [][]string{
			{"Node", "Node"}, {"Node", "LeafA"}, {"Node", "Node", "LeafB"},
			{"Node", "Node", "Node", "Node"}}},
		{"by depth", subjectOf(genSized(6)), predict.Unlimited, [][]string{
			{"NodeA", "NodeB"}, {"NodeB", "NodeA", "Leaf"}}},
		{"mutual", subjectOf(genMutual()), 8, [][]string{{"B", "C"}, {"D", "A"}, {"B", "D", "B"}}},
		{"lambda", subjectOf(genLambda()), predict.Unlimited, [][]string{
			{"app", "lam"}, {"lam", "app", "var"}, {"var"}}},
		{"through slices", subjectOf(genRose(2, 5, 3)), 4, [][]string{
			{"fork", "fork"}, {"fork", "yes"}, {"fork", "more"}, {"fork", "fork", "tip"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, err := c.read()
			require.NoError(t, err)
			var prior choices.Prior
			if c.size != predict.Unlimited {
				g = g.With(g.Weights())
				prior = g.Model(c.size).Prior()
			}
			r, sum := rand.New(rand.NewPCG(3, 1)), make([]float64, len(c.patterns))
			for range n {
				src := choices.Random(r)
				if prior != nil {
					src = choices.RandomBy(r, prior)
				}
				tree, err := c.run(whole{src})
				require.NoError(t, err)
				for i, tags := range c.patterns {
					sum[i] += float64(occurrences(tree, tags))
				}
			}
			for i, tags := range c.patterns {
				mean, variance := g.ExpectPattern(c.size, tags...)
				require.Positive(t, mean, tags)
				require.InDelta(t, mean, sum[i]/float64(n), 4.5*math.Sqrt(variance/float64(n)), "%v", tags)
			}
		})
	}
}

// occurrences counts a pattern in a tree.
func occurrences(t choices.Tree, tags []string) (n int) {
	last := len(tags) - 1
	for i, around := range t.Walk() {
		if t[i].Kind != choices.Pick || t[i].Tag != tags[last] {
			continue
		}
		var path []string
		for _, j := range around {
			if !t[j].Element && t[j].Tag != "ptr" && t[j].Tag != "nil" {
				path = append(path, t[j].Tag)
			}
		}
		if len(path) >= last && xslices.Equal(path[len(path)-last:], tags[:last]) {
			n++
		}
	}
	return n
}

// Everything but what is outermost is in something.
func TestPatternsSum(t *testing.T) {
	t.Parallel()
	g, err := predict.Read(genLambda())
	require.NoError(t, err)
	for _, tag := range []string{"var", "lam", "app"} {
		all, _ := g.ExpectTags(7, tag)
		alone, _ := g.ExpectPattern(7, tag)
		require.InDelta(t, all, alone, 1e-9)
		outermost := map[string]float64{"var": 4. / 9, "lam": 2. / 9, "app": 3. / 9}[tag]
		for _, outer := range []string{"var", "lam", "app"} {
			inside, _ := g.ExpectPattern(7, outer, tag)
			all -= inside
		}
		require.InDelta(t, outermost, all, 1e-9)
	}
}

// Fit finds weights for patterns, which the values of its model have.
func TestPatternsFit(t *testing.T) {
	t.Parallel()
	lambda := subjectOf(genLambda())
	g, err := lambda.read()
	require.NoError(t, err)
	patterns := []predict.Pattern{
		{Tags: []string{"app", "lam"}, Count: 6}, {Tags: []string{"lam", "lam", "lam"}, Count: 2},
	}
	fitted, cost, err := g.Fit(t.Context(), predict.Patterns(8, patterns...))
	require.NoError(t, err)
	require.InDelta(t, 0, cost, 1e-6)
	n := long.Count(1000, 20_000)
	r, prior := rand.New(rand.NewPCG(1, 1)), fitted.Model(8).Prior()
	sum := make([]float64, len(patterns))
	for range n {
		tree, err := lambda.run(choices.RandomBy(r, prior))
		require.NoError(t, err)
		for i, p := range patterns {
			sum[i] += float64(occurrences(tree, p.Tags))
		}
	}
	for i, p := range patterns {
		_, variance := fitted.ExpectPattern(8, p.Tags...)
		require.InDelta(t, p.Count, sum[i]/float64(n), 4.5*math.Sqrt(variance/float64(n)), p.Tags)
	}
}

func TestPatternsRefused(t *testing.T) {
	t.Parallel()
	g, err := predict.Read(genMutual())
	require.NoError(t, err)
	for _, c := range []struct {
		pattern predict.Pattern
		fails   string
	}{
		{predict.Pattern{Tags: []string{"B", "E"}, Count: 1},
			`no alternative has the tag "E": is it misspelled?`},
		{predict.Pattern{Tags: []string{"B"}, Count: 1},
			`Patterns: 1 of ["B"]: want at least two tags, and a number above 0`},
		{predict.Pattern{Tags: []string{"B", "C"}},
			`Patterns: 0 of ["B" "C"]: want at least two tags, and a number above 0`},
		{predict.Pattern{Tags: []string{"B", "C"}, Count: math.Inf(1)},
			`Patterns: +Inf of ["B" "C"]: want at least two tags, and a number above 0`},
		{predict.Pattern{Tags: []string{"A", "B"}, Count: 1}, "Patterns: no value of size 5 has B in A"},
	} {
		_, _, err := g.Fit(t.Context(), predict.Patterns(5, c.pattern))
		require.EqualError(t, err, "predict: "+c.fails)
	}
	require.PanicsWithValue(t, `predict: no alternative has the tag "E": is it misspelled?`,
		func() { g.ExpectPattern(5, "A", "E") })
	_, _, err = g.Fit(t.Context(), predict.Patterns(2,
		predict.Pattern{Tags: []string{"B", "D", "B", "D"}, Count: 1}))
	require.EqualError(t, err, "predict: Patterns: no value of size 2 has D in B in D in B")
	rose, err := predict.Read(genRose(2, 5, 3))
	require.NoError(t, err)
	inMore := `predict: nothing is in "more", which only says how long a slice is, or whether a ` +
		"pointer is nil: leave it out"
	require.PanicsWithValue(t, inMore, func() { rose.ExpectPattern(5, "fork", "more", "fork") })
	_, _, err = rose.Fit(t.Context(),
		predict.Patterns(5, predict.Pattern{Tags: []string{"more", "tip"}, Count: 1}))
	require.EqualError(t, err, inMore)
}

// Long patterns are no more than many short ones.
func TestPatternsLong(t *testing.T) {
	t.Parallel()
	g, err := predict.Read(genLambda())
	require.NoError(t, err)
	lams := make([]string, 60)
	for i := range lams {
		lams[i] = "lam"
	}
	mean, _ := g.ExpectPattern(predict.Unlimited, lams...)
	shorter, _ := g.ExpectPattern(predict.Unlimited, lams[1:]...)
	require.InEpsilon(t, 2./9, mean/shorter, 1e-9)
}
