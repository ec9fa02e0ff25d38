package choices_test

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/require"
)

// A pick that an edit has made, without a tag, is answered by its index; one that a run
// has recorded is not, even if its tag is empty.
func TestReplayIndex(t *testing.T) {
	t.Parallel()
	named := bigen.Pick(bigen.Tag("a", bigen.Just("a")), bigen.Tag("b", bigen.Just("b")), bigen.Tag("", bigen.Just("empty")))
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
