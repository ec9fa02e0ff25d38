package fuzzext

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/budget"
	"github.com/espalier-go/espalier/fuzzext/internal/text"
	"github.com/espalier-go/espalier/internal/bubble"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/remade"
)

// A trial is one call of a fuzz function or of [Check], in which the property runs on many
// values. It begins with newTrial and ends with end.
type trial struct {
	tb     testing.TB
	test   testing.TB // that tb is, or is a subtest of
	failed bool       // that has, before the trial
	first  int        // the index of the first value
	seed   uint64     // of random values; 0 if there are none

	alone        bool         // -run selects only this value: it runs once
	logs, prints bool         // values are shown before runs: in the log, on standard output
	tree         choices.Tree // of the last value
	probe        *probe       // or nil
	made         remade.Watch // in a loop

	timers []*time.Timer
	hangAt time.Time // when a run that has not returned counts as one that never will; zero for never
	start  time.Time
	now    atomic.Pointer[T] // of the last run
	stop   atomic.Bool       // begin no further value

	abandoned atomic.Pointer[watch] // of a run that has not returned, or nil
	patience  time.Duration         // what a run may take before it is abandoned: see budget; 0 if none is
	goesOn    bool                  // behind a run that has been abandoned
	left      atomic.Int32          // runs that have been left behind

	mu           sync.Mutex
	over         bool
	lateFailures []string // what goroutines of ended runs have reported
	done         map[string]bool
	spare        *record
	fresh        []T
	artifacts    []string // directories of runs
}

// A probe has the functions that an engine wants to be called.
type probe struct {
	begin   func(t choices.Tree)             // just before a run on the value of these choices
	score   func(site uint64, score float64) // at its end, for each goal
	finish  func()                           // just after it
	crashed func()                           // when the generator has panicked
	offer   func(b []byte)                   // when a failure is reported: these bytes stand for its value
	tell    func(f engine.Failure)           // about the failure
}

// errBubble returns an error if trials are impossible, for time does not pass.
func errBubble(tb testing.TB) error {
	if !bubble.Inside() {
		return nil
	}
	return fmt.Errorf("fuzzext: %s runs a property in a bubble of testing/synctest, where time does not pass: remove synctest.Test, and give the option fuzzext.Bubble(), by which each value has a bubble of its own", tb.Name())
}

func newTrial(tb testing.TB) *trial {
	s := &trial{tb: tb, test: tb, failed: tb.Failed(), start: time.Now()}
	s.prints = flags.print && !fuzzing()
	if fuzzing() {
		s.hangAt = s.start.Add(engineLimit / 10 * 8)
		s.stopAt(s.start.Add(engineLimit / 4))
	} else if deadline, ok := budget.Deadline(tb); ok {
		s.hangAt = deadline.Add(-min(deadline.Sub(s.start)/5, 5*time.Second))
	}
	return s
}

// newTrial is newTrial with the limit of a run.
func (o *options) newTrial(tb testing.TB) *trial {
	s := newTrial(tb)
	s.patience = o.runLimit()
	return s
}

// lateAt returns when there is no more time to look closer at failures: well before a run counts as
// one that hangs. It is zero for never.
func (s *trial) lateAt() time.Time {
	if s.hangAt.IsZero() {
		return s.hangAt
	}
	return s.hangAt.Add(-s.hangAt.Sub(s.start) / 4)
}

// stopAt makes the trial begin no further value after a time.
func (s *trial) stopAt(when time.Time) {
	s.timers = append(s.timers, time.AfterFunc(time.Until(when), func() { s.stop.Store(true) }))
}

// resume lets a trial that has stopped begin values until a budget is over, as far as the
// test's deadline allows. It reports false if it must not.
func (s *trial) resume(most time.Duration) bool {
	end := s.lastStart()
	if len(s.late()) > 0 || s.abandoned.Load() != nil || !end.IsZero() && !time.Now().Before(end) {
		return false
	}
	for _, t := range s.timers {
		t.Stop()
	}
	s.stop.Store(false)
	if !end.IsZero() {
		s.stopAt(end)
	}
	s.after(most, func() { s.stop.Store(true) })
	return true
}

// lastStart returns when the trial of a Check may begin a value at the latest, so that there is
// time to minimize it; zero for any time.
func (s *trial) lastStart() time.Time {
	if s.hangAt.IsZero() {
		return time.Time{}
	}
	return s.hangAt.Add(-min(s.hangAt.Sub(s.start)/3, 2*minimizeTime))
}

// after calls f when a budget is over, unless the trial has ended.
func (s *trial) after(most time.Duration, f func()) {
	b := budget.New()
	ticks := make(chan *time.Timer, 1)
	timer := time.AfterFunc(most, func() {
		timer := <-ticks
		ticks <- timer
		s.mu.Lock()
		over := s.over
		s.mu.Unlock()
		switch {
		case over:
		case isOver(&b, most):
			f()
		default:
			timer.Reset(max(most/20, time.Millisecond))
		}
	})
	ticks <- timer
	s.timers = append(s.timers, timer)
}

// isOver reports whether a budget has been spent.
func isOver(b *budget.Budget, most time.Duration) bool { return b.Over(most, checking.len()) }

// The indices of runs outside of a loop.
const (
	minimizing = -1 - iota // a failure; these runs are hidden from the probe
	reducing               // an input that is kept, or judging a seed
)

// newRecord returns an empty record.
func (s *trial) newRecord() *record {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.spare
	if s.spare = nil; r == nil {
		r = new(record)
	}
	return r
}

// once calls f unless it has been called for name, and has returned, before.
func (s *trial) once(name string, f func()) {
	s.mu.Lock()
	before := s.done[name]
	s.mu.Unlock()
	if before {
		return
	}
	f()
	s.mu.Lock()
	if s.done == nil {
		s.done = map[string]bool{}
	}
	s.done[name] = true
	s.mu.Unlock()
}

// late returns the failures that goroutines of ended runs have reported so far.
func (s *trial) late() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lateFailures
}

// failedLate records a failure that a goroutine of an ended run reports.
func (s *trial) failedLate(what string) {
	s.mu.Lock()
	over, known := s.over, len(s.lateFailures) > 0
	if !over {
		s.lateFailures = append(s.lateFailures, what)
		s.stop.Store(true)
	}
	s.mu.Unlock()
	switch {
	case !over, known: // the test fails for it
	case fuzzing(): // the engine would not show what a panic says
		afterTrials.mu.Lock()
		afterTrials.failures = append(afterTrials.failures, what)
		afterTrials.mu.Unlock()
	case s.test.Context().Err() != nil: // the test has ended, too
		panic("fuzzext: " + text.AfterRun([]string{what}))
	default:
		s.test.Error(text.AfterRun([]string{what}))
	}
}

// afterTrials holds the failures that goroutines report after their trial has ended. The
// next trial reports them.
var afterTrials struct {
	mu       sync.Mutex
	failures []string
}

// end ends the trial. It reports the failures that came after the end of their runs.
func (s *trial) end() {
	for _, t := range s.timers {
		t.Stop()
	}
	s.mu.Lock()
	s.over = true
	artifacts := s.artifacts
	late := s.lateFailures
	s.mu.Unlock()
	for _, dir := range artifacts {
		_ = os.RemoveAll(dir)
	}
	afterTrials.mu.Lock()
	late = append(afterTrials.failures, late...)
	afterTrials.failures = nil
	afterTrials.mu.Unlock()
	if len(late) > 0 {
		fmt.Fprintln(s.tb.Output(), text.AfterRun(late))
		s.tb.Fail()
	}
}
