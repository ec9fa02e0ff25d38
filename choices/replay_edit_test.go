package choices_test

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/stretchr/testify/require"
)

// A pick that an edit has made, without a tag, is answered by its index; one that a run
// has recorded is not, even if its tag is empty.
func TestReplayIndex(t *testing.T) {
	t.Parallel()
	named := bigen.Pick(
		bigen.Tag("a", bigen.Just("a")), bigen.Tag("b", bigen.Just("b")),
		bigen.Tag("", bigen.Just("empty")),
	)
	for n, want := range map[int64]string{0: "a", 1: "b", 2: "empty", 3: "empty", -1: "empty"} {
		edit := choices.Choice{Size: 1}
		edit.TakeIndex(n)
		v, err := bigen.Value(named, choices.Replay(choices.Tree{edit}, nil))
		require.NoError(t, err)
		require.Equal(t, want, v, "%d", n)
	}

	c, err := bigen.Choices(named, "empty")
	require.NoError(t, err)
	c[0].N = 1
	v, _, err := bigen.Run(named, choices.Replay(c, nil))
	require.NoError(t, err)
	require.Equal(t, "empty", v)
}

// An integer that keeps its distance moves with its range. It stays in the range.
func TestReplayKeepsDistance(t *testing.T) {
	t.Parallel()
	type ascending struct{ From, To int }
	g := bigen.Struct(func(c *bigen.C, a *ascending) {
		bigen.At(c, &a.From, bigen.IntRange(-100, 100))
		bigen.At(c, &a.To, bigen.IntRange(a.From, 110))
	})
	for from, want := range map[int64]ascending{
		20: {20, 30}, 5: {5, 15}, 100: {100, 110}, -7: {-7, 10},
	} {
		edited, err := bigen.Choices(g, ascending{50, 60})
		require.NoError(t, err)
		edited[0].N = from
		for range 2 { // once marked, it stays as it is
			edited[1].KeepDistance()
		}
		v, made, err := bigen.Run(g, choices.Replay(edited, nil))
		require.NoError(t, err)
		require.Equal(t, want, v)
		back, err := bigen.Choices(g, v)
		require.NoError(t, err)
		require.Equal(t, back, made, "no run records the mark")
	}
	near, err := bigen.Choices(g, ascending{50, 60})
	require.NoError(t, err)
	far, err := bigen.Choices(g, ascending{50, 60})
	require.NoError(t, err)
	far[1].N -= 50
	near[1].KeepDistance()
	require.NotEqual(t, string(far.AppendKey(nil)), string(near.AppendKey(nil)))
}
