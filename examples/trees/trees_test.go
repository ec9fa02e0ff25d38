package trees

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigentest"
	"github.com/espalier-go/espalier/bigen/tune"
	"github.com/espalier-go/espalier/bigen/tune/predict"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

func TestGenerators(t *testing.T) {
	runs := bigentest.Runs(long.Count(1, 20))
	bigentest.Laws(t, GenCounted(2), runs)
	bigentest.Laws(t, GenSequence(3), runs)
	bigentest.Laws(t, GenBinary(), runs)
	if long.Enabled() {
		bigentest.Laws(t, Gen(), bigentest.Runs(2)) // large values
	}
}

// prints checks that Parse reads what String prints.
func prints(t *fuzzext.T, tree Tree) {
	got, err := Parse(tree.String())
	require.NoError(t, err)
	fuzzext.Equal(t, got, tree)
}

func TestPrint(t *testing.T) {
	fuzzext.Check(t, GenCounted(2), prints, fuzzext.Checks(long.Count(25, 1000)))
	for _, text := range []string{"", "(", ")", "()()", "(()", "())", "x"} {
		_, err := Parse(text)
		require.Error(t, err, text)
	}
}

func FuzzPrint(f *testing.F) { fuzzext.Fuzz(f, GenCounted(2), prints) }

// By the weights of Gen itself, most trees are too large to be of use. The model is by
//
//	corpusgen tune -goal 'size=100,height=36' -fuzz FuzzLong ./examples/trees
func FuzzLong(f *testing.F) {
	f.Fuzz(fuzzext.Valid(Gen(), prints, fuzzext.WithModel("testdata/FuzzLong.model.json")))
}

func size(t Tree) float64   { return float64(t.Size()) }
func height(t Tree) float64 { return float64(t.Height()) }

// mean returns the mean of a measure of values made by a model.
func mean[A any](t *testing.T, m *tune.Model, g bigen.Gen[A], measure func(v A) float64) float64 {
	t.Helper()
	r, sum, n := rand.New(rand.NewPCG(7, 7)), 0.0, 500
	for range n {
		v, err := tune.Sample(m, g, r)
		require.NoError(t, err)
		require.NoError(t, bigen.Check(g, v))
		sum += measure(v)
	}
	return sum / float64(n)
}

// Trees become long, and broad, from the same generator.
func TestTuned(t *testing.T) {
	for _, want := range []float64{10, 4}[:long.Count(1, 2)] {
		s := tune.Of(Gen(), tune.Measure("size", 30, size), tune.Measure("height", want, height))
		m, err := tune.CrossEntropy(context.Background(), s, tune.Options{
			Share:  .9,
			Values: long.Count(300, 2000),
		})
		require.NoError(t, err)
		require.InDelta(t, 30, mean(t, m, Gen(), size), 3)
		require.InDelta(t, want, mean(t, m, Gen(), height), .5)
	}
}

// A geometric distribution whose parameter decays with the depth is the paper's DG, one sampler
// for all nodes.
func TestDecayGeometric(t *testing.T) {
	m := tune.New()
	m.SetLimit(2000)
	for _, p := range tune.Points(Gen()) {
		p.In = tune.Anywhere
		m.Set(p, tune.Decay{Sampler: tune.Geometric{P: .8}, Rates: []float64{.5}})
	}
	require.Len(t, m.Points(), 1)
	children := func(t Tree) float64 { return float64(len(t.Children)) }
	require.InDelta(t, .8/.2, mean(t, m, Gen(), children), .6)
	require.InDelta(t, .8/.2*(1+.4/.6*(1+.2/.8*(1+.1/.9))), mean(t, m, Gen(), size)-1, 1)
}

// A generator that counts what it has made is not context-free, but is tuned like any other.
func TestStateful(t *testing.T) {
	g := GenSequence(7)
	_, err := predict.Read(g)
	require.ErrorIs(t, err, predict.ErrContext)
	length := func(all []Expr) float64 { return float64(len(all)) }
	large := func(all []Expr) float64 { return float64(Large(all...)) }
	s := tune.Of(g, tune.Measure("length", 4, length), tune.Measure("large", 3, large))
	m, err := tune.CrossEntropy(context.Background(), s, tune.Options{
		Share:  .9,
		Values: long.Count(300, 2000),
	})
	require.NoError(t, err)
	require.InDelta(t, 4, mean(t, m, g, length), .2)
	require.InDelta(t, 3, mean(t, m, g, large), .2)

	v := []Expr{Compound{Number(6), '+', Number(3)},
		Compound{Compound{Number(9), '+', Number(2)}, '+', Number(8)}, Number(6)}
	require.NoError(t, bigen.Check(g, v)) // the paper's example
	require.Error(t, bigen.Check(GenSequence(2), v))
}

// A weight of .7 makes more nodes than one of .25.
func TestBinary(t *testing.T) {
	nodes := func(p float64) float64 {
		m := tune.New()
		for _, q := range tune.Points(GenBinary()) {
			require.Equal(t, choices.Pick, q.Kind)
			leaf := (1 - p) / 3
			m.Set(q, tune.Histogram{leaf, leaf, leaf, p})
		}
		return mean(t, m, GenBinary(), func(t *Binary) float64 { return float64(t.nodes()) })
	}
	require.InDelta(t, .25/(1-2*.25), nodes(.25), .15)
	require.InDelta(t, .4/(1-2*.4), nodes(.4), .8)
}

func (t *Binary) nodes() int {
	if t.Left == nil {
		return 0
	}
	return 1 + t.Left.nodes() + t.Right.nodes()
}
