package fuzzext

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/stack"
	"github.com/espalier-go/espalier/fuzzext/internal/text"
	"github.com/espalier-go/espalier/internal/engine"
)

// shared is what the runs of a trial share. Each run has a T of its own.
type shared struct {
	tb     testing.TB
	test   testing.TB   // that tb is, or is a subtest of
	failed bool         // that has, before the trial
	tree   choices.Tree // of the last value
	probe  *probe       // or nil
	places stack.Places // of failures, for most runs fail in one
	stop   atomic.Bool  // begin no further value

	mu           sync.Mutex
	over         bool
	lateFailures []string // what goroutines of ended runs have reported
	done         map[string]bool
	spare        *record
	artifacts    []string // directories of runs
}

// A probe has the functions that an engine wants to be called.
type probe struct {
	begin   func(t choices.Tree)             // just before a run on the value of these choices
	score   func(site uint64, score float64) // at its end, for each goal
	finish  func()                           // just after it
	crashed func()                           // when the generator has panicked
	// when a failure is reported: these bytes stand for its value
	offer func(b []byte)
	tell  func(f engine.Failure) // about the failure
}

// The indices of runs outside of a loop.
const (
	minimizing = -1 - iota // a failure; these runs are hidden from the probe
	reducing               // an input that is kept, or judging a seed
)

// newRecord returns an empty record.
func (s *shared) newRecord() *record {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.spare
	if s.spare = nil; r == nil {
		r = new(record)
	}
	return r
}

// once calls f unless it has been called for name, and has returned, before.
func (s *shared) once(name string, f func()) {
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
func (s *shared) late() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lateFailures
}

// failedLate records a failure that a goroutine of an ended run reports.
func (s *shared) failedLate(what string) {
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

// keepArtifacts takes note of a directory, which the end of the trial removes.
func (s *shared) keepArtifacts(dir string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.artifacts = append(s.artifacts, dir)
}
