package gotest

import (
	"context"
	"errors"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// An Outcome says how far a run of a target got.
type Outcome int

const (
	// Broken means that go test failed before the target began: the package
	// does not compile, or TestMain failed. No other target of it can run.
	Broken Outcome = iota
	Absent         // go test passed without running the target
	Skipped
	Failed
	Passed
)

// A Result is the outcome of a run, and the output of the go command without the output of tests
// that passed.
type Result struct {
	Outcome Outcome
	Output  string
	Entries []string // of the corpus, on which the target has run, by their names
	Last    string   // the one on which it has run last, or ""
}

// A Test is one fuzz target as a test: its seed corpus.
type Test struct {
	Package string // import path
	Target  string
	Binary  string   // path of the test binary: the go command links it unless it is up to date
	Flags   []string // of go test
	Args    []string // for the target itself
	Vars    []string // added to the environment
	// Idle is how long an entry may run while nothing is printed, or 0: no limit. After that, the test
	// binary ends with the stacks of its goroutines.
	Idle time.Duration
}

// Run runs t without vet. A failing test is a Result, not an error. If ctx ends, Run stops
// the go command and the test binary, and returns the cause.
func (t Test) Run(ctx context.Context) (*Result, error) {
	args := slices.Concat(
		[]string{"test", "-json", "-count=1", "-vet=off", "-o=" + t.Binary},
		t.Flags, []string{"-run=^" + t.Target + "$", t.Package})
	if len(t.Args) > 0 {
		args = append(append(args, "-args"), t.Args...)
	}
	cmd := command(ctx, args...)
	cmd.Env = append(cmd.Environ(), t.Vars...)
	stdout, stderr, err := runWatched(ctx, cmd, t.endIdle)
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	log := readLog(stdout)
	r := &Result{Output: string(stderr) + log.text(), Entries: log.entries(t.Target)}
	if name, ok := strings.CutPrefix(log.last, t.Target+"/"); ok {
		r.Last = name
	}
	switch action := log.actions[t.Target]; {
	case err != nil && action == "":
		r.Outcome = Broken
	case err != nil:
		r.Outcome = Failed
	case action == "":
		r.Outcome = Absent
	case action == "skip":
		r.Outcome = Skipped
	default:
		r.Outcome = Passed
	}
	return r, nil
}

// endIdle ends a test binary once an entry has run for too long. It returns when the go command has
// ended.
func (t Test) endIdle(cmd *exec.Cmd, out *lastingBuffer, ended <-chan struct{}) {
	if t.Idle == 0 {
		return
	}
	for {
		text, since := out.now()
		wait := t.Idle - time.Since(since)
		if wait <= 0 {
			log := readLog(text)
			if log.actions[log.last] == "run" && strings.HasPrefix(log.last, t.Target+"/") {
				quitGroup(cmd)
				return
			}
			wait = t.Idle
		}
		select {
		case <-ended:
			return
		case <-time.After(wait):
		}
	}
}
