package fuzzext

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune"
	"github.com/stretchr/testify/require"
)

func TestRequireRange(t *testing.T) {
	t.Parallel()
	for _, share := range []float64{0, 0.0009, -1, 1.01, 20, math.NaN(), math.Inf(1)} {
		require.Panics(t, func() { Require("x", share) }, "%v", share)
	}
	require.PanicsWithValue(t, `fuzzext.Require("x", 20): want a share from 0.001 to 1`,
		func() { Require("x", 20) })
	Require("x", leastShare) // these do not panic
	Require("x", 1)
}

// With a model, the draws are by the model.
func TestRequireByModel(t *testing.T) {
	deep := func(v *tree) bool { return v != nil && v.L != nil && v.L.L != nil && v.L.L.L != nil }
	share := bigen.Share(genTree(4), deep, 1000)
	require.Less(t, share.Hi, 0.6)

	example := &tree{L: &tree{L: &tree{L: &tree{}}}}
	m, err := bigen.MineModel(genTree(4), example, example)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "deep.model.json")
	require.NoError(t, tune.OfExamples(m).Save(file))
	Check(t, genTree(4), func(t *T, v *tree) {
		if deep(v) {
			t.Label("deep")
		}
	}, WithModel(file), Require("deep", 0.95))
}
