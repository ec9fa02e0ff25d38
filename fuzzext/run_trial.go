package fuzzext

import (
	"fmt"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext/internal/text"
	"github.com/espalier-go/espalier/internal/bubble"
	"github.com/espalier-go/espalier/internal/budget"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/remade"
	"github.com/espalier-go/espalier/internal/visible"
)

// A trial is one call of a fuzz function or of [Check], in which the property runs on many
// values. It owns their runs. It begins with newTrial and ends with end.
type trial struct {
	shared
	spec  *spec
	home  home   // of failures
	first int    // the index of the first value
	seed  uint64 // of random values; 0 if there are none

	alone        bool         // -run selects only this value: it runs once
	observer     *sighting    // or nil
	logs, prints bool         // values are shown before runs: in the log, on standard output
	made         remade.Watch // in a loop

	timers []*time.Timer
	hangAt time.Time // when a run that has not returned counts as one that never will; zero for never
	start  time.Time
	now    atomic.Pointer[T] // of the last run
	fresh  []T

	abandoned atomic.Pointer[watch] // of a run that has not returned, or nil
	// what a run may take before it is abandoned: see budget; 0 if none is
	patience   time.Duration
	skipsHangs bool         // the trial continues after a run that has been abandoned
	left       atomic.Int32 // runs that have been abandoned while the trial continued
	aside      atomic.Int32 // of them, those that minimized a failure
}

// A watch is about the run that was there when wait last looked. It looks so many times.
type watch struct {
	run   *T
	spent budget.Budget // since then
}

// errBubble returns an error if trials are impossible, for time does not pass.
func errBubble(tb testing.TB) error {
	if !bubble.Inside() {
		return nil
	}
	return fmt.Errorf("fuzzext: %s runs a property in a bubble of testing/synctest, where time "+
		"does not pass: remove synctest.Test, and give the option fuzzext.Bubble(), by which "+
		"each value has a bubble of its own", tb.Name())
}

func newTrial(x *spec, h home, tb testing.TB) *trial {
	tr := &trial{
		shared:   shared{tb: tb, test: tb, failed: tb.Failed()},
		spec:     x,
		home:     h,
		start:    time.Now(),
		patience: x.runLimit(),
	}
	tr.prints = (flags.print || runsAlone()) && !fuzzing()
	tr.observes()
	if fuzzing() {
		tr.hangAt = tr.start.Add(engineLimit / 10 * 8)
		tr.stopAt(tr.start.Add(engineLimit / 4))
	} else if deadline, ok := budget.Deadline(tb); ok {
		tr.hangAt = deadline.Add(-min(deadline.Sub(tr.start)/5, 5*time.Second))
	}
	return tr
}

// runsAlone reports whether corpusgen runs an input alone, which has ended its process, and reads
// the value that it stands for.
func runsAlone() bool { return os.Getenv(engine.CorpusDir) != "" }

// minimizesAlone reports whether corpusgen does so to have a failure minimized, and saved beside.
func minimizesAlone() bool { return runsAlone() && os.Getenv(engine.CorpusMinimize) != "" }

// lateAt returns the time from which failures are not looked at closer: well before a run counts as
// hanging. It is zero for never.
func (tr *trial) lateAt() time.Time {
	if tr.hangAt.IsZero() {
		return tr.hangAt
	}
	return tr.hangAt.Add(-tr.hangAt.Sub(tr.start) / 4)
}

// stopAt makes the trial begin no further value after a time.
func (tr *trial) stopAt(when time.Time) {
	tr.timers = append(tr.timers, time.AfterFunc(time.Until(when), func() { tr.stop.Store(true) }))
}

// resume lets a trial that has stopped begin values until a budget is over, as far as the
// test's deadline allows. It reports false if it must not.
func (tr *trial) resume(most time.Duration) bool {
	end := tr.lastStart()
	if len(tr.late()) > 0 || tr.abandoned.Load() != nil || !end.IsZero() && !time.Now().Before(end) {
		return false
	}
	for _, t := range tr.timers {
		t.Stop()
	}
	tr.stop.Store(false)
	if !end.IsZero() {
		tr.stopAt(end)
	}
	tr.afterBudget(most, func() { tr.stop.Store(true) })
	return true
}

// lastStart returns when the trial of a Check may begin a value at the latest, so that there is
// time to minimize it; zero for any time.
func (tr *trial) lastStart() time.Time {
	if tr.hangAt.IsZero() {
		return time.Time{}
	}
	return tr.hangAt.Add(-min(tr.hangAt.Sub(tr.start)/3, 2*minimizeTime))
}

// afterBudget calls f when a budget is over, unless the trial has ended.
func (tr *trial) afterBudget(most time.Duration, f func()) {
	b := budget.New()
	ticks := make(chan *time.Timer, 1)
	timer := time.AfterFunc(most, func() {
		timer := <-ticks
		ticks <- timer
		tr.mu.Lock()
		over := tr.over
		tr.mu.Unlock()
		switch {
		case over:
		case isOver(&b, most):
			f()
		default:
			timer.Reset(max(most/20, time.Millisecond))
		}
	})
	ticks <- timer
	tr.timers = append(tr.timers, timer)
}

// newT returns the T of a run. Each run has its own: otherwise what a goroutine of an
// earlier run reports would count for a later one.
func (tr *trial) newT(index int) *T {
	if len(tr.fresh) == 0 {
		tr.fresh = make([]T, 1+max(0, min(index, 15))) // fewer allocations, where there are many runs
	}
	t := &tr.fresh[0]
	tr.fresh = tr.fresh[1:]
	t.testingTB, t.shared, t.index = tr.tb, &tr.shared, index
	return t
}

// recycle takes back the record of a run, if there is one, that has ended and that nobody will ask
// about.
func (tr *trial) recycle(t *T) {
	if t == nil {
		return
	}
	t.mu.Lock()
	r := t.rec
	t.rec = nil
	t.mu.Unlock()
	if r == nil {
		return
	}
	r.removeArtifacts()
	r.reset()
	tr.mu.Lock()
	tr.spare = r
	tr.mu.Unlock()
}

// end ends the trial. It reports the failures that came after the end of their runs.
func (tr *trial) end() {
	for _, t := range tr.timers {
		t.Stop()
	}
	tr.mu.Lock()
	tr.over = true
	artifacts := tr.artifacts
	late := tr.lateFailures
	tr.mu.Unlock()
	for _, dir := range artifacts {
		_ = os.RemoveAll(dir)
	}
	afterTrials.mu.Lock()
	late = append(afterTrials.failures, late...)
	afterTrials.failures = nil
	afterTrials.mu.Unlock()
	if len(late) > 0 {
		fmt.Fprintln(tr.tb.Output(), visible.Text(text.AfterRun(late)))
		tr.tb.Fail()
	}
}

// skipInvalid skips the test of an invalid value. Its run is nil if the generator has rejected it.
func skipInvalid(t testing.TB, run *T) {
	switch {
	case run == nil:
		t.Skipf("invalid input: %v", bigen.ErrRejected)
	case run.Skipped():
		t.Skip("invalid input: the property does not assume it")
	}
}
