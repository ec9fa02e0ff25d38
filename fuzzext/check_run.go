package fuzzext

import (
	"fmt"
	"os"
	"testing"
	"time"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen/schedule/point"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/tally"
	"github.com/espalier-go/espalier/fuzzext/internal/text"
	"github.com/espalier-go/espalier/fuzzext/internal/values"
	"github.com/espalier-go/espalier/internal/budget"
	"github.com/espalier-go/espalier/internal/corpus"
)

// A check is one call of Check.
type check struct {
	*tally.Tally
	t        testing.TB
	spec     *spec
	dir      string         // of saved failures
	saved    []corpus.Entry // in it
	unread   error          // of files in it
	values   *values.Stream
	shares   *tally.Shares
	trial    *trial
	classes  *collector // nil unless it continues after a failure
	counting bool       // how many values and shapes differ
	told     time.Time  // how far a Check has come that continues after failures

	failed     []*T         // runs
	failedTree choices.Tree // of the value of the first of these
	passed     []int        // saved values that have not failed

	alone   bool  // -run selects only saved values
	missing error // -run selects a value that is not saved
	ended   bool  // no run hangs, and the generator does not panic
}

// ofSchedules tells the tally of a Check of schedules what they are, or the user that they are
// none.
func (c *check) ofSchedules() {
	c.t.Helper()
	const chance = "go test leaves the schedules to chance: run corpusgen test"
	switch {
	case !c.spec.schedules:
	case point.Instrumented():
		c.OfSchedules()
	case len(c.saved) > 0:
		tellLine(c.t, chance)
	default:
		c.t.Log("fuzzext.Schedules: " + chance)
	}
}

// limit limits the time of the trial.
func (c *check) limit() {
	end := c.trial.lastStart()
	switch {
	case flags.time > 0:
		end = budget.Earlier(c.trial.start.Add(flags.time), end)
		c.Most = 0
	case c.Least < c.Most && flags.keep:
		c.trial.timers = append(c.trial.timers,
			time.AfterFunc(tally.KeptTime, func() { c.Enough.Store(true) }))
	case c.Least < c.Most:
		spent := budget.New()
		c.Cheap = func() bool { return !isOver(&spent, tally.CheapTime) }
		c.trial.afterBudget(tally.EnoughTime, func() { c.Enough.Store(true) })
		c.trial.afterBudget(tally.SlowTime, func() { c.Slow.Store(true) })
	}
	if !end.IsZero() {
		c.trial.stopAt(end)
	}
}

// noteRun takes note of the run on the i-th value, which is nil if the generator has rejected the
// value. It reports whether another one follows.
func (c *check) noteRun(i int, t *T) (more bool) {
	run := t.outcome()
	failed := run.Verdict == values.Failed
	if c.values.Draws {
		if failed {
			c.noteFailure(t)
			return false
		}
		defer c.trial.recycle(t)
		return c.shares.Record(run)
	}
	c.values.Learn(i, run)
	if c.classes != nil && failed && !t.testFailed {
		c.collect(t)
	}
	switch collected := failed && t.isCollected; {
	case failed && !collected:
		c.noteFailure(t)
	case i < c.Saved && run.Verdict == values.Valid:
		c.passed = append(c.passed, i)
	case c.counting && i >= c.Given() && run.Verdict == values.Valid:
		c.Distinguish(c.values.KeyOf(run), c.trial.tree)
	}
	c.tellProgress()
	more = c.Record(i, c.trial.tree, c.values.Made, run, failed && t.isCollected)
	if !failed {
		c.trial.recycle(t)
	}
	if more && c.spec.fault == "" && !c.trial.stop.Load() {
		return true
	}
	return c.spec.fault == "" && c.classes.none() && c.draws()
}

// tellProgress says every ten seconds how far a Check has come that continues after failures.
func (c *check) tellProgress() {
	if !flags.keep || time.Since(c.told) < 10*time.Second {
		return
	}
	if !c.told.IsZero() {
		tellLine(c.t,
			fmt.Sprintf("%s so far, %s of failures", text.Count(c.Valid, "valid value"),
				text.CountOf(len(c.classes.byClass()), "class", "classes")))
	}
	c.told = time.Now()
}

// draws begins independent draws, which test the required shares. It reports false if there is
// nothing to test.
func (c *check) draws() bool {
	most := c.shares.Time(c.Tally)
	c.values.Draws = most > 0 && c.trial.resume(most)
	return c.values.Draws
}

// noteFailure records that the run on the last value has failed.
func (c *check) noteFailure(t *T) {
	if len(c.failed) == 0 {
		c.failedTree = slices.Clone(c.trial.tree)
	}
	c.failed = append(c.failed, t)
}

// collect adds a failure to the classes.
func (c *check) collect(run *T) {
	if run.hang != nil {
		c.values.NeverAgain()
	}
	c.classes.addFailure(c.trial.tree, run)
}

// tellLine logs a line, also without -v, where go test shows what tests print.
func tellLine(t testing.TB, line string) {
	t.Helper()
	if testing.Verbose() {
		t.Log("fuzzext.Check: " + line)
		return
	}
	fmt.Fprintf(os.Stdout, "%s: fuzzext.Check: %s\n", t.Name(), line)
}
