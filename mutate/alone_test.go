package mutate_test

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/mutate"
	"github.com/stretchr/testify/require"
)

// Minimal values have no part that can go alone, though nothing near it can.
func TestMinimizeAlone(t *testing.T) {
	list := bigen.SliceOf(bigen.IntRange(0, 9), 0, 20)
	pick := bigen.OneOf("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p")
	t.Run("many elements at the end", func(t *testing.T) {
		fails := func(l []int) bool { return len(l) == 3 || len(l) == 10 }
		requireMinimal(t, list, fails, make([]int, 10), make([]int, 3))
	})
	t.Run("a late alternative", func(t *testing.T) {
		fails := func(s string) bool { return s == "p" || s == "m" }
		requireMinimal(t, pick, fails, "p", "m")
	})
}

func requireMinimal[V any](t *testing.T, g bigen.Gen[V], fails func(V) bool, v, want V) {
	t.Helper()
	tree, err := bigen.Choices(g, v)
	require.NoError(t, err)
	simplest, _, _ := mutate.Minimize(tree, func(e choices.Tree) (V, choices.Tree, error) {
		return bigen.Run(g, choices.Replay(e, nil))
	}, fails, 2000)
	got, err := bigen.Value(g, choices.Replay(simplest, nil))
	require.NoError(t, err)
	require.Equal(t, want, got)
}
