package rltrial

import "testing"

// Trials with equal seeds are equal, others are not, and a trial counts everything.
func TestRun(t *testing.T) {
	for _, p := range []Policy{Random, Sequence, Tree, TreeLR, RLCheck, Default} {
		run := func(seed uint64) Trial {
			trial := Order{Target: "study", Policy: p.Name, Seed: seed, Inputs: 3000}.Run(nil)[0]
			trial.CPU, trial.First = 0, 0
			return trial
		}
		trial := run(1)
		if again := run(1); trial != again {
			t.Errorf("%s: %+v and then %+v", p.Name, trial, again)
		}
		if other := run(2); trial == other {
			t.Errorf("%s: %+v with another seed too", p.Name, trial)
		}
		if trial.Inputs != 3000 || trial.Valid < 500 || trial.Unique < 50 || trial.Unique > trial.Valid || trial.Large > trial.Unique || trial.Traces != 0 {
			t.Errorf("%s: %+v", p.Name, trial)
		}
	}
}

// ticks is a tracer for which every third run is alike.
type ticks struct{ started, stopped int }

func (t *ticks) Start()       { t.started++ }
func (t *ticks) Stop() uint64 { t.stopped++; return uint64(t.started % 3) }

func TestTraces(t *testing.T) {
	tracer := &ticks{}
	trial := Order{Target: "rb", Policy: "random", Seed: 1, Inputs: 1000}.Run(tracer)[0]
	if tracer.started != 1000 || tracer.stopped != trial.Valid || trial.Traces != 3 {
		t.Errorf("%+v, %+v", *tracer, trial)
	}
}

// A look at each CPU time sees more than the one before.
func TestTimes(t *testing.T) {
	all := Order{Target: "study", Policy: "random", Seed: 1, At: []float64{.01, .03}}.Run(nil)
	if len(all) != 2 || all[0].Inputs == 0 || all[1].Inputs <= all[0].Inputs || all[1].CPU < .03 || all[0].First < 0 {
		t.Errorf("%+v", all)
	}
}
