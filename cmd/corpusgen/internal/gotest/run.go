package gotest

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
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

// A Result is the outcome of a run, and the output of the go command without that of tests
// that passed.
type Result struct {
	Outcome Outcome
	Output  string
}

// Run runs the seed corpus of one fuzz target of the package with the import path pkg,
// without vet, and with env added to the environment. It keeps the test binary in the
// directory dir: the go command links it for the first target only. A failing test is a
// Result, not an error. If ctx ends, Run stops the go command and the test binary, and
// returns the cause.
func Run(ctx context.Context, pkg, target, dir string, env ...string) (*Result, error) {
	keep := "-o=" + dir + string(filepath.Separator)
	cmd := command(ctx, "test", "-json", "-count=1", "-vet=off", keep, "-run=^"+target+"$", pkg)
	cmd.Env = append(cmd.Environ(), env...)
	stdout, stderr, err := run(ctx, cmd)
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	log := readLog(stdout)
	r := &Result{Output: string(stderr) + log.text()}
	switch action := log.actions[target]; {
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
