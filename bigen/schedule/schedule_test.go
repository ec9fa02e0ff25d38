package schedule_test

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigentest"
	"github.com/espalier-go/espalier/bigen/schedule"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/espalier-go/espalier/internal/testing/require"
)

func TestWith(t *testing.T) {
	t.Parallel()
	g := schedule.With(bigen.Any(bigen.IntRange(0, 9)))
	bigentest.Laws(t, g, bigentest.Runs(long.Count(5, 100)))
	for _, s := range []schedule.Schedule{nil, {{0, 1}}, {{3, 200}, {3, 200}, {1, 0}}, {{1000, 1 << 20}}} {
		require.NoError(t, bigen.Check(g, schedule.Case{Schedule: s, Value: 3}))
	}
}

func TestOf(t *testing.T) {
	t.Parallel()
	s := schedule.Schedule{{1, 7}, {2, 1}, {1, 3}, {1, 7}}
	require.Equal(t, []int{3, 7, 7}, s.Of(1))
	require.Empty(t, s.Of(0))
}
