package fuzzext

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/espalier-go/espalier/fuzzext/internal/tally"
)

// silent reports whether there is nothing to say of the runs: the test passes.
func (c *check) silent() bool {
	switch {
	case c.missing != nil, c.unread != nil, c.spec.fault != "":
		return false
	case c.alone:
		return true
	}
	return c.ended && len(c.failed)+len(c.passed) == 0 && !c.TooFew() && c.Weak() == "" &&
		c.shares.Judge() == (tally.Judgment{}) &&
		!testing.Verbose() && flags.policy == "" && !flags.keep
}

// concludeCheck reports on the runs.
func (c *check) concludeCheck() {
	c.t.Helper()
	if c.unread != nil {
		c.t.Error(c.unread)
	}
	switch {
	case c.missing != nil:
		c.t.Fatal(c.missing)
	case c.alone || c.spec.fault != "":
	case !c.ended:
		c.classes.failTest()
	default:
		c.concludeRuns()
	}
	if c.spec.fault != "" { // which minimizing a failure may have shown
		c.t.Fatalf("fuzzext.Check: %s", c.spec.fault)
	}
}

// concludeRuns says what the runs have shown.
func (c *check) concludeRuns() {
	t, weak, shares := c.t, c.Weak(), c.shares.Judge()
	t.Helper()
	if flags.policy != "" {
		if err := policies.savePolicy(t.Name(), flags.policy, c.values.Learner(), inPackage); err != nil {
			t.Errorf("fuzzext.Check: -fuzzext.savepolicy: %v", err)
		}
	}
	if c.TooFew() {
		t.Errorf("fuzzext.Check: %s", c.Advice())
	}
	if testing.Verbose() {
		t.Log("fuzzext.Check: " + c.Summary())
		if advice := c.trial.made.Advice(); advice != "" {
			t.Log("fuzzext.Check: " + advice)
		}
	}
	c.classes.failTest()
	switch {
	case len(c.trial.late()) > 0: // which ended the Check, and fail the test
	case c.classes.none():
		warn(t, weak)
	default:
		if c.Enough.Load() && c.Valid < c.Most {
			tellLine(t,
				fmt.Sprintf("%d values instead of %d, for lack of time: set -fuzzext.checks=%[2]d",
					c.Valid, c.Most))
		}
		c.reportPassed()
	}
	if len(c.failed) == 0 {
		c.reportShares(shares)
		return
	}
	if c.failed[0].index >= len(c.saved) { // see runFirst
		c.trial.reportFailure(c.failedTree, c.failed[0])
	}
	c.reportPassed()
}

// reportShares fails the test if a required share is too small, or cannot be told.
func (c *check) reportShares(j tally.Judgment) {
	if j == (tally.Judgment{}) {
		return
	}
	c.t.Helper()
	if j.Failure != "" {
		c.t.Errorf("fuzzext.Check: %s", j.Failure)
	}
	warn(c.t, j.Doubt)
	if testing.Verbose() && j.Others != "" {
		c.t.Logf("fuzzext.Check: %s", j.Others)
	}
}

// reportPassed names the saved values that do not fail any more.
func (c *check) reportPassed() {
	for _, i := range c.passed {
		fmt.Fprintf(c.t.Output(), "%s passes now\n",
			filepath.ToSlash(filepath.Join(c.dir, c.saved[i].Name)))
	}
}

// warn says what makes a success weak, unless that is "".
func warn(t testing.TB, line string) {
	if line != "" {
		t.Helper()
		tellLine(t, "weak: "+line)
	}
}
