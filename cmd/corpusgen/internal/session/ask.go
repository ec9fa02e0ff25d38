package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/rundir"
	"github.com/espalier-go/espalier/internal/job"
)

// maxDeaths is how often the property may end the process that carries out an order. Only the
// first mutant that does so is reported: nobody knows whether the others differ.
const maxDeaths = 20

// MostIdle is how long go test may run one entry of a target that does not use fuzzext.
const MostIdle = time.Minute

// Ask makes the target carry out an order. If the property ends the process, or does not
// return, another process continues after the value. The error is [ErrPlain] if the target does
// not use fuzzext, a [*BrokenError] if no other target of the package would run, and a
// [*DeathError] if no process can continue. Even with an error, the answer has what there is.
func (t *Target) Ask(ctx context.Context, order job.Order) (*job.Answer, error) {
	a := &asking{Target: t, order: order, whole: &job.Answer{}}
	for more := true; more; {
		result, answer, err := t.askOnce(ctx, &a.order, a.whole)
		if answer != nil {
			a.whole.Entries, a.whole.Tuned = append(a.whole.Entries, answer.Entries...), answer.Tuned
			a.whole.Add(cmp.Or(answer.End, answer.SoFar))
		}
		switch {
		case err != nil:
		case answer == nil:
			err = t.unanswered(result)
		default:
			more, err = a.next(result, answer)
		}
		if err != nil {
			return a.whole, err
		}
	}
	return a.whole, nil
}

// An asking is one call of Ask.
type asking struct {
	*Target
	order         job.Order   // what remains of it
	whole         *job.Answer // of all processes
	deaths, fatal int         // processes that ended before their answer; those not while minimizing
}

// next decides what the next process does after the answer of one. It reports whether there is more
// to do.
func (a *asking) next(result *gotest.Result, answer *job.Answer) (more bool, err error) {
	if _, why, ok := strings.Cut(result.Output, job.NoAnswer); ok && answer.End == nil {
		why, _, _ = strings.Cut(why, "\n")
		a.whole.End = nil // it would count what is lost
		return false, fmt.Errorf("%s: it cannot answer corpusgen: %s", a.Label,
			strings.TrimSuffix(why, " [recovered, repanicked]"))
	}
	a.Session.Served++
	if a.whole.End != nil && a.whole.End.Error != "" {
		text := a.whole.End.Error
		if a.order.Make != nil {
			text = fmt.Sprintf("%d of %d entries: %s", len(a.whole.Entries), a.order.Make.N, text)
		}
		return false, fmt.Errorf("%s: %s", a.Label, text)
	}
	rest, more := a.order.Rest(answer)
	switch {
	case answer.End == nil && (answer.Begun == nil || !more):
		return false, &DeathError{fmt.Errorf("%s fails before it makes an entry:\n%s", a.Label,
			Trim(result))}
	case answer.End == nil:
		err = a.died(result, answer.Begun)
	case !more && a.order.Read == nil && result.Outcome != gotest.Passed &&
		result.Outcome != gotest.Skipped:
		// After a Read, what is wrong with an entry stands in the answer.
		err = fmt.Errorf("%s is done, but go test fails:\n%s", a.Label, Trim(result))
	}
	a.order = rest
	return more, err
}

// died records the value with which a process ended before its answer did.
func (a *asking) died(result *gotest.Result, killer *job.Entry) error {
	a.deaths++
	if killer.Status == job.Failing {
		killer.Why += "\nwhile this value is minimized, the property ends the process:\n" + Trim(result)
	} else {
		a.fatal++
		killer.Status, killer.Why = job.Fatal,
			"the property, or the generator, ends the process:\n"+Trim(result)
	}
	if a.order.Mutate == nil || killer.Status == job.Failing || a.fatal == 1 {
		a.whole.Entries = append(a.whole.Entries, *killer)
	}
	if a.deaths == maxDeaths {
		return fmt.Errorf("%s: gave up after %d values on which the property ends the process: "+
			"mend that first", a.Label, a.deaths)
	}
	return nil
}

// askOnce starts one process with an order, or with the rest of an order. The answer is nil if the
// target gives none.
func (t *Target) askOnce(
	ctx context.Context, order *job.Order, before *job.Answer,
) (*gotest.Result, *job.Answer, error) {
	dir, err := rundir.Sub(t.Tmp, t.test())
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(dir)
	order.Target, order.Answer = t.Name, filepath.Join(dir, "answer.json")
	path := filepath.Join(dir, "order.json")
	if err := order.Write(path); err != nil {
		return nil, nil, err
	}
	defer t.watch(order, before)()
	test := gotest.Test{
		Package: t.Package.Path,
		Target:  t.test(),
		Binary:  t.Binary(),
		Flags:   slices.Concat(t.buildFlags(), t.Session.TestFlags(order)),
		Args:    slices.Concat(t.Args, t.Session.Args),
		Vars:    []string{job.Env + "=" + path},
	}
	if !t.IsTest() { // a test may ask in a subtest; a target has only entries there
		test.Idle = MostIdle
	}
	result, err := test.Run(ctx)
	answer, lost := order.ReadAnswer()
	if err == nil {
		err = lost
	}
	return result, answer, err
}

// unanswered returns an error that says why the target gave no answer.
func (t *Target) unanswered(result *gotest.Result) error {
	if len(result.Entries) > 0 && !t.IsTest() {
		return PlainError{result}
	}
	switch result.Outcome {
	case gotest.Broken:
		return &BrokenError{fmt.Errorf("%s: go test fails before it runs %s:\n%s", t.Package.Path,
			t.Name, Trim(result))}
	case gotest.Absent:
		return fmt.Errorf("%s: go test does not run %s (does TestMain call m.Run?):\n%s",
			t.Package.Path, t.Name, Trim(result))
	case gotest.Skipped:
		return fmt.Errorf("%s skips itself before it calls fuzzext.Valid, Fuzz or Check, so "+
			"corpusgen cannot run its generator", t.Label)
	case gotest.Failed:
		return fmt.Errorf("%s fails before it makes an entry:\n%s", t.Label, Trim(result))
	}
	return PlainError{result}
}

// Trim returns the output of a test without empty lines at its end.
func Trim(result *gotest.Result) string { return strings.TrimRight(result.Output, "\n") }

// ErrPlain says that a target does not use fuzzext.
var ErrPlain = errors.New("the target does not use fuzzext")

// A PlainError is [ErrPlain] of a target that has run as go test runs it.
type PlainError struct{ *gotest.Result }

func (PlainError) Error() string { return ErrPlain.Error() }

func (PlainError) Is(e error) bool { return e == ErrPlain }

type (
	// A BrokenError says why no target of a package can run.
	BrokenError struct{ Err error }
	// A DeathError says that the property has ended the process.
	DeathError struct{ error }
)

func (e *BrokenError) Error() string { return e.Err.Error() }

func (e *BrokenError) Unwrap() error { return e.Err }
