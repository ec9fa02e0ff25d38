package rltrial

import (
	"syscall"
	"time"

	"github.com/espalier-go/espalier/bench/branches"
	"github.com/espalier-go/espalier/bench/rltargets"
)

// A Trial counts the inputs of one policy with one seed.
type Trial struct {
	Inputs   int
	Valid    int
	Unique   int     // of the valid ones
	Large    int     // of the unique ones, with more than 5 nodes
	Traces   int     // distinct traces of the valid ones, if there is a tracer
	Branches int     // that valid ones have covered together
	CPU      float64 // seconds
	First    float64 // CPU seconds up to the first valid input; negative if there was none
}

// An Order says what to try, and when to look: after a number of inputs, or at CPU times.
type Order struct {
	Target, Policy string
	Seed           uint64
	Inputs         int
	At             []float64 // seconds, in order
	Answer         string    // the file for the trials, as JSON: one for each time
}

// Run carries out an order whose policy is not [Check]. The tracer may be nil.
func (o Order) Run(tracer branches.Tracer) []Trial {
	t := newTrials(o, tracer)
	Named(o.Policy).Explore(rltargets.Named(o.Target), "", o.Seed, tracer, t.see)
	return t.done
}

// trials counts inputs.
type trials struct {
	Order
	tracer       branches.Tracer
	seen, traces map[uint64]bool
	now          Trial
	start        time.Duration
	done         []Trial
}

func newTrials(o Order, tracer branches.Tracer) *trials {
	return &trials{
		Order:  o,
		tracer: tracer,
		seen:   map[uint64]bool{},
		traces: map[uint64]bool{},
		now:    Trial{First: -1},
		start:  CPU(),
	}
}

func (t *trials) begin() {
	if t.tracer != nil {
		t.tracer.Start()
	}
}

// see counts an input, and reports whether more follow.
func (t *trials) see(in rltargets.Input) (more bool) {
	t.now.Inputs++
	if in.Valid {
		if t.tracer != nil {
			t.traces[t.tracer.Trace()] = true
			t.tracer.Add()
		}
		if t.now.Valid++; t.now.Valid == 1 {
			t.now.First = t.seconds()
		}
		if !t.seen[in.Key] {
			t.seen[in.Key] = true
			if in.Size > 5 {
				t.now.Large++
			}
		}
	}
	if len(t.At) == 0 {
		if t.now.Inputs == t.Inputs {
			t.look()
		}
		return t.now.Inputs < t.Inputs
	}
	for t.now.Inputs%16 == 0 && len(t.done) < len(t.At) && t.seconds() >= t.At[len(t.done)] {
		t.look()
	}
	return len(t.done) < len(t.At)
}

// look notes what there is so far.
func (t *trials) look() {
	t.now.CPU, t.now.Unique, t.now.Traces = t.seconds(), len(t.seen), len(t.traces)
	if t.tracer != nil {
		t.now.Branches = t.tracer.Added()
	}
	t.done = append(t.done, t.now)
}

func (t *trials) seconds() float64 { return (CPU() - t.start).Seconds() }

// CPU returns the CPU time of this process.
func CPU() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
