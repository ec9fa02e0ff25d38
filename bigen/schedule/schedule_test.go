package schedule_test

import (
	"math/rand/v2"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigentest"
	"github.com/espalier-go/espalier/bigen/schedule"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

func TestWith(t *testing.T) {
	t.Parallel()
	g := schedule.With(bigen.Any(bigen.IntRange(0, 9)))
	bigentest.Laws(t, g, bigentest.Runs(long.Count(5, 100)))
	for _, s := range []schedule.Schedule{nil, {{0, 1}}, {{3, 200}, {3, 200}, {1, 0}},
		{{1000, 1 << 20}}} {
		require.NoError(t, bigen.Check(g, schedule.Case{Schedule: s, Value: 3}))
	}
}

func TestOf(t *testing.T) {
	t.Parallel()
	s := schedule.Schedule{{1, 7}, {2, 1}, {1, 3}, {1, 7}}
	require.Equal(t, []int{3, 7, 7}, s.Of(1))
	require.Empty(t, s.Of(0))
}

// Most schedules of a Learner have delays where earlier runs used the same things.
func TestLearner(t *testing.T) {
	t.Parallel()
	g := schedule.With(bigen.Any(bigen.IntRange(0, 9)))
	var l schedule.Learner
	make := func() (known, all int) {
		r := rand.New(rand.NewPCG(1, 2))
		for range 500 {
			c, err := bigen.Value(g, choices.RandomBy(r, &l))
			require.NoError(t, err)
			require.NoError(t, bigen.Check(g, c))
			for _, d := range c.Schedule {
				all++
				if d == (schedule.Delay{Goroutine: 2, Point: 77}) ||
					d == (schedule.Delay{Goroutine: 3, Point: 1 << 19}) {
					known++
				}
			}
		}
		return known, all
	}
	known, all := make()
	require.Less(t, known, all/10)
	l.Learn([][]int{2: {77}, 3: {1 << 19, 1 << 30}}, false, false)
	known, all = make()
	require.Greater(t, known, all/4)
}

// With values, a Learner makes each value several times, with delays at what matters in its
// first run.
func TestLearnerOfValues(t *testing.T) {
	t.Parallel()
	g := schedule.With(bigen.Any(bigen.SliceOf(bigen.IntRange(0, 1<<30), 1, 5)))
	l := schedule.Learner{Values: true}
	var first, last schedule.Case
	runs, firsts := 0, 0
	for ; firsts < 4; runs++ {
		c, err := bigen.Value(g, choices.RandomBy(rand.New(rand.NewPCG(1, uint64(runs))), &l))
		require.NoError(t, err)
		if records, _ := l.Next(); records {
			require.NotEqual(t, c.Value, last.Value)
			first, firsts = c, firsts+1
			l.Learn([][]int{2: {5, 7}}, false, false)
			continue
		}
		l.Learn(nil, false, false)
		require.Equal(t, first.Value, c.Value)
		require.Greater(t, len(c.Schedule), 0)
		last = c
	}
	require.Greater(t, runs, 4*firsts)
}
