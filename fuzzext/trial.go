package fuzzext

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/espalier-go/espalier/choices"
)

// A trial is one call of a fuzz function or of [Check], in which the property runs
// on many values. It begins with newTrial and ends with end.
type trial struct {
	tb     testing.TB
	failed bool // before the trial

	observed bool         // the values are to be shown or counted
	keep     bool         // their trees are wanted, too
	tree     choices.Tree // of the last value, if so
	variants bool         // those that run now are variants of an input

	exploration *exploration // that runs the trial, or nil

	timers []*time.Timer
	hangAt time.Time // when a run that has not returned never will; zero for never
	start  time.Time
	now    atomic.Pointer[T]
	full   atomic.Bool // no further value is to be begun

	abandoned atomic.Bool // a run has not returned

	mu    sync.Mutex
	over  bool
	tardy []string // what was reported by goroutines of runs that had ended
	done  map[string]bool
	spare *record
	fresh []T
}

func newTrial(tb testing.TB) *trial {
	s := &trial{tb: tb, failed: tb.Failed(), start: time.Now()}
	s.observed = (testing.Verbose() || flags.print) && !fuzzing()
	if fuzzing() {
		s.hangAt = s.start.Add(engineLimit / 10 * 8)
		s.fillAt(s.start.Add(engineLimit / 4))
	} else if deadline, ok := deadlineOf(tb); ok {
		s.hangAt = deadline.Add(-min(deadline.Sub(s.start)/5, 5*time.Second))
	}
	return s
}

// deadlineOf returns when the test binary will have exceeded its time.
func deadlineOf(tb testing.TB) (time.Time, bool) {
	if t, ok := tb.(interface{ Deadline() (time.Time, bool) }); ok {
		return t.Deadline()
	}
	return time.Time{}, false
}

// fillAt lets the trial begin no further value from then on.
func (s *trial) fillAt(when time.Time) {
	s.timers = append(s.timers, time.AfterFunc(time.Until(when), func() { s.full.Store(true) }))
}

// newT returns the T of a run. Each run has its own, or what a goroutine of an
// earlier one does would count for a later one.
func (s *trial) newT(index int) *T {
	if len(s.fresh) == 0 {
		s.fresh = make([]T, 1+max(0, min(index, 15))) // fewer allocations, where there are many runs
	}
	t := &s.fresh[0]
	s.fresh = s.fresh[1:]
	t.testingTB, t.trial, t.index = s.tb, s, index
	return t
}

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

// recycle takes back the record of a run that has ended and that nobody will ask
// about.
func (s *trial) recycle(t *T) {
	t.mu.Lock()
	r := t.kept
	t.kept = nil
	t.mu.Unlock()
	if r == nil {
		return
	}
	clear(r.labels)
	clear(r.cleanups[:cap(r.cleanups)])
	*r = record{log: r.log[:0], helpers: r.helpers[:0], labels: r.labels[:0], cleanups: r.cleanups[:0]}
	s.mu.Lock()
	s.spare = r
	s.mu.Unlock()
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

// late is told of a failure that a goroutine of an ended run reports.
func (s *trial) late(what string) {
	s.mu.Lock()
	over, known := s.over, len(s.tardy) > 0
	if !over {
		s.tardy = append(s.tardy, what)
		s.full.Store(true)
	}
	s.mu.Unlock()
	switch {
	case !over, known: // the test fails for it
	case fuzzing(): // the engine would not show what a panic says
		pending.mu.Lock()
		pending.tardy = append(pending.tardy, what)
		pending.mu.Unlock()
	case s.tb.Context().Err() != nil: // the test has ended, too
		panic("fuzzext: " + tardyText([]string{what}))
	default:
		s.tb.Error(tardyText([]string{what}))
	}
}

// pending holds what came after its trial.
var pending struct {
	mu    sync.Mutex
	tardy []string
}

// end ends the trial and reports what came late.
func (s *trial) end() {
	for _, t := range s.timers {
		t.Stop()
	}
	s.mu.Lock()
	s.over = true
	tardy := s.tardy
	s.mu.Unlock()
	pending.mu.Lock()
	tardy = append(pending.tardy, tardy...)
	pending.tardy = nil
	pending.mu.Unlock()
	if len(tardy) > 0 {
		fmt.Fprintln(s.tb.Output(), tardyText(tardy))
		s.tb.Fail()
	}
}

func tardyText(what []string) string {
	return "a run has failed after the property had returned, so it is not known on which value:\n" +
		indent(strings.Join(what, "\n")) +
		"\nthe property should wait for the goroutines that it starts, as by a sync.WaitGroup"
}
