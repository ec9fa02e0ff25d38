package tune_test

import (
	"testing"

	"github.com/espalier-go/espalier/bigen/tune"
	"github.com/espalier-go/espalier/choices"
	"github.com/stretchr/testify/require"
)

// Each objective measures a tree as its name says.
func TestObjectives(t *testing.T) {
	t.Parallel()
	pick := func(tag string, n int64, size int32) choices.Choice {
		return choices.Choice{Kind: choices.Pick, Tag: tag, N: n, Hi: 1, Size: size}
	}
	tree := choices.Tree{pick("a", 1, 4), pick("b", 1, 2), pick("a", 0, 1), pick("b", 1, 1),
		pick("b", 1, 1)}
	for _, test := range []struct {
		objective tune.Objective
		name      string
		want      float64
	}{
		{tune.Size(5), "size=5", 4},
		{tune.Size(5, "b"), "size(b)=5", 3},
		{tune.Height(5), "height=5", 2},
		{tune.Height(5, "b"), "height(b)=5", 1},
	} {
		require.Equal(t, test.name, test.objective.String())
		require.Equal(t, test.want, tune.Measured(test.objective, tree), test.name)
	}
}
