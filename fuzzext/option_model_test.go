package fuzzext

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune"
	"github.com/espalier-go/espalier/bigen/tune/predict"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/values"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
	"github.com/stretchr/testify/require"
)

// modelFile returns a file with a model by which genTree makes complete trees: the probability of
// a node is 1 everywhere.
func modelFile(tb testing.TB) string {
	tb.Helper()
	m := tune.New()
	for _, p := range tune.Points(genTree(3)) {
		if p.Kind == choices.Pick {
			m.Set(p, tune.Geometric{P: 1})
		}
	}
	file := filepath.Join(tb.TempDir(), "model.json")
	require.NoError(tb, m.Save(file))
	return file
}

func complete(v *tree) bool { return len(v.Keys()) == 7 }

// The value of an input that leaves its choices open is by the model, and so are two of four that
// a Check makes.
func TestWithModel(t *testing.T) {
	t.Parallel()
	file := modelFile(t)
	x := &spec{
		subject: subjectOf(genTree(3), func(*T, *bsttest.Tree) {}),
		options: newOptions([]Option{WithModel(file)}),
	}
	require.NoError(t, x.loadPrior())
	first := true
	require.True(t, executes(t, genTree(3), x.options, []byte("a seed."), func(_ *T, v *tree) {
		if first {
			require.True(t, complete(v))
		}
		first = false
	}))

	m := values.NewStream(streamOf(x, 0, "Test", nil, nil))
	byModel := 0
	const n = 400
	for i := range n {
		v, err := bigen.Value(x.gen, m.Nth(i))
		require.NoError(t, err)
		if i%4 < 2 {
			require.True(t, complete(v.(*tree)))
		}
		if complete(v.(*tree)) {
			byModel++
		}
	}
	require.Less(t, byModel, n*9/10, "others are made, too")
}

// A file that is not a model is an error that says what to do.
func TestWithModelErrors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	broken := filepath.Join(dir, "broken.json")
	require.NoError(t, os.WriteFile(broken, []byte(`{"format":"espalier model","version":9}`), 0o666))
	for want, opts := range map[string][]Option{
		"corpusgen tune writes such a file":              {WithModel(filepath.Join(dir, "missing.json"))},
		"version 9: this program knows versions 1 and 2": {WithModel(broken)},
		"corpusgen tune makes it again":                  {WithModel(broken)},
		"given twice":                                    {WithModel(broken), WithModel(broken)},
		"exclude each other":                             {WithModel(broken), WithPolicy(broken)},
	} {
		o := newOptions(opts)
		require.ErrorContains(t, o.loadPrior(), want)
	}
	x := &spec{
		subject: subjectOf(bigen.Bool(), func(*T, bool) {}),
		options: newOptions([]Option{WithModel(modelFile(t))}),
	}
	require.ErrorContains(t, x.loadPrior(), "answers none of the generator's questions")
	g, err := predict.Read(bigen.SliceOf(bigen.Bool(), 0, 9))
	require.NoError(t, err)
	e, err := g.Exact([2]int{3, 3}, predict.AnyHeight)
	require.NoError(t, err)
	exact := filepath.Join(dir, "exact.json")
	require.NoError(t, e.Save(exact))
	x.options = newOptions([]Option{WithModel(exact)})
	require.ErrorContains(t, x.loadPrior(), "answers none of the generator's questions")
	slices := &spec{
		subject: subjectOf(bigen.SliceOf(bigen.Bool(), 0, 9), func(*T, []bool) {}),
		options: newOptions([]Option{WithModel(exact)}),
	}
	require.NoError(t, slices.loadPrior())
}
