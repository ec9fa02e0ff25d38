package tune_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/espalier-go/espalier/bigen/tune"
	"github.com/espalier-go/espalier/choices"
)

// Each kind of objective measures a tree as its name says, and the guide has it.
func TestKinds(t *testing.T) {
	t.Parallel()
	pick := func(tag string, n int64, size int32) choices.Choice {
		return choices.Choice{Kind: choices.Pick, Tag: tag, N: n, Hi: 1, Size: size}
	}
	tree := choices.Tree{pick("a", 1, 4), pick("b", 1, 2), pick("a", 0, 1), pick("b", 1, 1), pick("b", 1, 1)}
	page, err := os.ReadFile("../../docs/tune.md")
	require.NoError(t, err)
	want := map[string][2]float64{"size": {4, 3}, "height": {2, 1}} // of all, and of those that take b
	for _, k := range tune.Kinds {
		require.Contains(t, want, k.Name, "a new kind needs a line here")
		require.Equal(t, want[k.Name][0], k.New(5).Of(tree, nil))
		require.Equal(t, want[k.Name][1], k.New(5, "b").Of(tree, nil))
		require.Equal(t, k.Name+"(b)=5", k.New(5, "b").String())
		require.Contains(t, string(page), "`"+k.Name+"=")
	}
}
