package tally

import (
	"testing"

	"github.com/espalier-go/espalier/choices"
	"github.com/stretchr/testify/require"
)

// An alternative that guidance makes much rarer than it is among other valid values is named.
func TestAvoided(t *testing.T) {
	tests := []struct {
		plain, guided       int // valid values
		withPlain, withBlue int // of these, ones that have the alternative
		want                []string
	}{
		{200, 1000, 40, 2, []string{"blue (0.2%, of the others 20%)"}},
		{200, 1000, 40, 0, []string{"blue (0%, of the others 20%)"}},
		{200, 1000, 40, 20, nil}, // a tenth of the share
		{200, 1000, 9, 0, nil},   // rare anyway
		{99, 1000, 40, 0, nil},
		{200, 299, 40, 0, nil},
	}
	for _, tt := range tests {
		var v validity
		note := func(n, with int, guided bool) {
			for i := range n {
				tag := "red"
				if i < with {
					tag = "blue"
				}
				v.note(choices.Tree{{Kind: choices.Pick, Tag: tag, Hi: 2, Size: 1}}, true, guided)
			}
		}
		note(tt.plain, tt.withPlain, false)
		note(tt.guided, tt.withBlue, true)
		require.Equal(t, tt.want, v.avoided(), "%+v", tt)
	}
}

// An alternative that so many values have, but no valid one, is named.
func TestNever(t *testing.T) {
	pick := func(tag string, alternatives int64) choices.Choice {
		return choices.Choice{Kind: choices.Pick, Tag: tag, Hi: alternatives - 1, Size: 1}
	}
	var v validity
	require.Empty(t, v.never(1))
	v.note(choices.Tree{pick("a", 3), pick("b", 3), pick("stop", 2),
		{Kind: choices.Int, Hi: 9, Size: 1}}, false, true)
	v.note(choices.Tree{pick("b", 3)}, false, true)
	require.Equal(t, []string{"a", "b"}, v.never(1))
	require.Equal(t, []string{"b"}, v.never(2))
	v.note(choices.Tree{pick("a", 3)}, true, false)
	v.note(choices.Tree{pick("a", 3)}, false, false)
	require.Equal(t, []string{"b"}, v.never(1))
	for _, tag := range []string{"g", "f", "e", "d", "c"} {
		v.note(choices.Tree{pick(tag, 7)}, false, true)
	}
	require.Equal(t, []string{"b", "c", "d", "e", "f", "1 other"}, v.never(1))
}

// Ten times as many schedules run as values, if there is time. Without it, as many are enough.
func TestSchedules(t *testing.T) {
	t.Parallel()
	n := New(Limits{Most: 100, Least: 10}, 1, 0, 0)
	n.OfSchedules()
	require.Equal(t, 1000, n.Most)
	n.Valid = 99
	require.Contains(t, n.Summary(), "99 of 1000 random schedules, for lack of time;")
	require.Contains(t, n.Weak(), "99 valid values instead of 100, ")
	n.Valid = 100
	require.Equal(t, "", n.Weak())
	require.True(t, n.FewSchedules())
	n.Valid = 1000
	require.False(t, n.FewSchedules())
	require.Contains(t, n.Summary(), "1000 random schedules;")
}

// After a failure, the examples that have not run are not invalid.
func TestSummary(t *testing.T) {
	n := New(Limits{Most: 10}, 1, 0, 3)
	n.ValidExamples = 1
	require.Contains(t, n.Summary(), "3 examples, 2 of them invalid")
	n.Failed = 1
	require.NotContains(t, n.Summary(), "of them invalid")
}
