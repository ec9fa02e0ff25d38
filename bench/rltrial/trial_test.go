package rltrial

import (
	"testing"

	"github.com/espalier-go/espalier/bench/rltargets"
)

// Trials with equal seeds are equal, others are not, and a trial counts everything.
func TestRun(t *testing.T) {
	for _, p := range []Policy{Random, Sequence, Tree, TreeLR, RLCheck, Default} {
		run := func(seed uint64) Trial {
			trial := Run(rltargets.Study(), ByName(p.Name), seed, 3000, nil)
			trial.CPU = 0
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
	trial := Run(rltargets.RedBlack(), Random, 1, 1000, tracer)
	if tracer.started != 1000 || tracer.stopped != trial.Valid || trial.Traces != 3 {
		t.Errorf("%+v, %+v", *tracer, trial)
	}
}
