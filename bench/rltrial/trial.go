package rltrial

import (
	"math/rand/v2"
	"syscall"
	"time"

	"github.com/espalier-go/espalier/bench/rltargets"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/rl"
)

// A Trial counts the inputs of one policy with one seed.
type Trial struct {
	Inputs int
	Valid  int
	Unique int     // of the valid ones
	Large  int     // of the unique ones: those of more than 5 nodes
	Traces int     // distinct traces of the valid ones, if there is a tracer
	CPU    float64 // seconds

	Branches int // buckets of counters that any run has reached, in a [Curve] with a tracer
}

// A Tracer distinguishes runs of a target by the code that they execute.
type Tracer interface {
	Start()
	Stop() uint64 // returns a hash of the code executed since Start
}

// Guide returns a new guide of p, or nil if p has none.
func (p Policy) Guide(r *rand.Rand) *rl.Guide {
	if !p.guided {
		return nil
	}
	return rl.New(r, p.options...)
}

// Run runs a trial. The tracer may be nil.
func Run(t rltargets.Target, p Policy, seed uint64, inputs int, tracer Tracer) Trial {
	r := rand.New(rand.NewPCG(seed, 0))
	guide := p.Guide(r)
	trial := Trial{Inputs: inputs}
	seen, traces := map[uint64]bool{}, map[uint64]bool{}
	start := CPU()
	for range inputs {
		var src choices.Source
		if guide != nil {
			src = guide.Begin()
		} else {
			src = choices.Random(r)
		}
		if tracer != nil {
			tracer.Start()
		}
		valid, key, size := t.Run(src)
		if !valid {
			if guide != nil {
				guide.Invalid()
			}
			continue
		}
		if tracer != nil {
			traces[tracer.Stop()] = true
		}
		if guide != nil {
			guide.Valid(key)
		}
		trial.Valid++
		if !seen[key] {
			seen[key] = true
			if size > 5 {
				trial.Large++
			}
		}
	}
	trial.CPU = (CPU() - start).Seconds()
	trial.Unique, trial.Traces = len(seen), len(traces)
	return trial
}

// CPU returns the CPU time of this process.
func CPU() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
