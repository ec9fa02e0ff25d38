package rltrial

import (
	"testing"

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
type ticks struct{ started, stopped int }

func (t *ticks) Start()       { t.started++ }
func (t *ticks) Stop() uint64 { t.stopped++; return uint64(t.started % 3) }

func TestTraces(t *testing.T) {
	tracer := &ticks{}
	trial := Order{Target: "rb", Policy: "random", Seed: 1, Inputs: 1000}.Run(tracer)[0]
	require.Equal(t, ticks{started: 1000, stopped: trial.Valid}, *tracer)
	require.EqualValues(t, 3, trial.Traces)
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
