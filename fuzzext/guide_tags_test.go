package fuzzext

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/espalier-go/espalier/choices"
)

func TestTags(t *testing.T) {
	pick := func(tag string, alternatives int64) choices.Choice {
		return choices.Choice{Kind: choices.Pick, Tag: tag, Hi: alternatives - 1, Size: 1}
	}
	s := tags{}
	require.Empty(t, s.missing())
	s.note(choices.Tree{pick("a", 3), pick("b", 3), pick("stop", 2), {Kind: choices.Int, Hi: 9, Size: 1}}, false)
	require.Equal(t, "a, b", s.missing())
	s.note(choices.Tree{pick("a", 3)}, true)
	s.note(choices.Tree{pick("a", 3)}, false)
	require.Equal(t, "b", s.missing())
	for _, tag := range []string{"c", "d", "e", "f", "g"} {
		s.note(choices.Tree{pick(tag, 7)}, false)
	}
	require.Equal(t, "b, c, d, e, f and 1 other", s.missing())
}
