package rltrial

import (
	"testing"

	"github.com/espalier-go/espalier/bench/rltargets"
	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Trials with equal seeds are equal, others are not, and a trial counts everything.
func TestRun(t *testing.T) {
	for _, p := range []Policy{Random, Sequence, Tree, TreeLR, RLCheck, Default} {
		run := func(seed uint64) Trial {
			trial := Order{Target: "study", Policy: p.Name, Seed: seed, Inputs: 3000}.Run(nil)[0]
			trial.CPU, trial.First = 0, 0
			return trial
		}
		trial := run(1)
		assert.Equal(t, trial, run(1), p.Name)
		assert.NotEqual(t, trial, run(2), p.Name)
		assert.EqualValues(t, 3000, trial.Inputs, p.Name)
		assert.GreaterOrEqual(t, trial.Valid, 500, p.Name)
		assert.GreaterOrEqual(t, trial.Unique, 50, p.Name)
		assert.LessOrEqual(t, trial.Unique, trial.Valid, p.Name)
		assert.LessOrEqual(t, trial.Large, trial.Unique, p.Name)
		assert.Zero(t, trial.Traces, p.Name)
	}
}

// ticks is a tracer for which every third run is alike.
type ticks struct{ started, stopped, added int }

func (t *ticks) Start()        { t.started++ }
func (t *ticks) Trace() uint64 { t.stopped++; return uint64(t.started % 3) }
func (t *ticks) Points() []int { return []int{t.started % 3} }
func (t *ticks) Add()          { t.added++ }
func (t *ticks) Added() int    { return min(t.added, 3) }

func TestTraces(t *testing.T) {
	tracer := &ticks{}
	trial := Order{Target: "rb", Policy: "random", Seed: 1, Inputs: 1000}.Run(tracer)[0]
	require.Equal(t, ticks{started: 1000, stopped: trial.Valid, added: trial.Valid}, *tracer)
	require.EqualValues(t, 3, trial.Traces)
	require.EqualValues(t, 3, trial.Branches)
}

// A look at each CPU time sees more than the one before.
func TestTimes(t *testing.T) {
	all := Order{Target: "study", Policy: "random", Seed: 1, At: []float64{.01, .03}}.Run(nil)
	require.Len(t, all, 2)
	require.NotZero(t, all[0].Inputs)
	require.Greater(t, all[1].Inputs, all[0].Inputs)
	require.GreaterOrEqual(t, all[1].CPU, .03)
	require.GreaterOrEqual(t, all[0].First, 0.)
}

// matched is a tracer whose points are the first elements of the last input that are right.
type matched struct {
	ticks
	right int
}

func (m *matched) Points() (points []int) {
	for i := range m.right {
		points = append(points, i)
	}
	return points
}

// TestZest looks for a list that one in 4⁸ is, and that comes soon to those who keep what covers
// more.
func TestZest(t *testing.T) {
	list := bigen.SliceOf(bigen.IntRange(0, 3), 8, 8)
	inputs := func(p Policy, seed uint64) (n int) {
		m := &matched{}
		target := rltargets.Target{Run: func(src choices.Source, _ string) rltargets.Input {
			l, err := bigen.Value(list, src)
			require.NoError(t, err)
			for m.right = 0; m.right < len(l) && l[m.right] == m.right%4; m.right++ {
			}
			return rltargets.Input{Valid: m.right == len(l)}
		}}
		p.Explore(target, "", seed, m, func(in rltargets.Input) bool {
			n++
			return !in.Valid && n < 20_000
		})
		return n
	}
	for seed := range uint64(5) {
		require.Less(t, inputs(Named(Zest), seed), 10_000)
	}
	require.Equal(t, 20_000, inputs(Random, 0))
}
