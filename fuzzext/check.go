package fuzzext

import (
	"cmp"
	"fmt"
	"github.com/espalier-go/espalier/bigen/schedule/point"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/tally"
	"github.com/espalier-go/espalier/fuzzext/internal/text"
	"github.com/espalier-go/espalier/fuzzext/internal/values"
	"github.com/espalier-go/espalier/internal/budget"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/hash"
)

// Check runs a property on many values of g in an ordinary test, without Go's fuzzer:
//
//	func TestInsert(t *testing.T) {
//		fuzzext.Check(t, genBST, func(t *fuzzext.T, tree *Tree) {
//			if !tree.Insert(3).Find(3) {
//				t.Error("3 is lost")
//			}
//		})
//	}
//
// It runs prop on the values that failed before, then on the [Examples], then on 1000 valid
// random values, each once. After a second of CPU time, 100 are enough, and after five, 10. With
// -short, a tenth of these is. Check ends early if there seem to be no other values. [Checks]
// changes their number, [Seed] selects them. If prop ([T.Assume]) or g rejects most values of some size, a
// guide learns which choices lead to valid ones. If fewer than 1 in 20 and fewer than 100 are
// valid, Check fails.
//
// Check minimizes and reports a failure as [Valid] does. It saves the value in
// testdata/fuzzext, in a directory with the name of the test. You may commit such files, and
// you may remove them. Each is a subtest: go test -run TestInsert/FILE, as the report prints it,
// runs prop on the value of a file alone and once, as a debugger needs it. The report also names
// the -fuzzext.seed that makes the same values again.
//
// With the flag -fuzzext.keepgoing, Check continues after a failure and reports each class of
// failures once ([T.Class]). It abandons up to 3 runs that do not return. It runs prop on 5000
// values, or on as few as 100 once a minute has passed.
//
// Go test caches that a test has passed, and then tries no new value: it prints (cached). Run it
// with -count=1, or change the environment variable FUZZEXT_SEED. Any text in it seeds the Checks
// for which neither a flag nor an option does.
//
// prop must use the T that it receives, should be deterministic, and must not keep state from
// one value to the next. If a value does not fail each time, repeated runs judge it, and its file, whose
// name ends in -flaky, runs up to 30 times, until it fails. Call Check once in a test or subtest, which may be parallel.
func Check[V any](t *testing.T, g bigen.Gen[V], prop func(t *T, v V), opts ...Option) {
	if conclude := runCheck(t, newSpec("Check", 1, subjectOf(g, prop), opts)); conclude != nil {
		t.Helper() // which costs as much as a value
		conclude()
	}
}

// runCheck is Check, of what it has been given. If there is something to say, it returns the function
// that says it, which may fail the test, else nil.
func runCheck(t testing.TB, x *spec) (conclude func()) {
	fatal := func(err error) func() {
		return func() {
			t.Helper()
			t.Fatal(err)
		}
	}
	if err := x.loadPrior(); err != nil {
		return fatal(err)
	}
	if exploreCheck(t, x) || orders.ofCheck(t, x) {
		return nil
	}
	if !checking.enter(t.Name()) {
		return fatal(fmt.Errorf("fuzzext.Check: %s calls Check a second time, and both would save their failures under its name: call each in a subtest of its own, by t.Run", t.Name()))
	}
	t.Cleanup(func() { checking.leave(t.Name()) })
	examples, err := x.exampleTrees()
	if err = cmp.Or(err, errBubble(t)); err != nil {
		return fatal(err)
	}

	c := newCheck(t, x, examples, newTrial(x, home{}, t))
	defer func() {
		if conclude == nil {
			c.trial.end()
		}
	}()
	alone, ended, err := c.runSaved()
	if !alone && err == nil {
		ended = ended && (len(c.failed) > 0 || c.trial.stop.Load() || x.fault != "" || c.trial.eachReported(c.values.Make, c.after))
	}
	if err == nil && c.unread == nil && (alone && x.fault == "" || ended && c.silent()) {
		return nil
	}
	return func() {
		t.Helper()
		defer c.trial.end()
		if c.unread != nil {
			t.Error(c.unread)
		}
		switch {
		case err != nil:
			t.Fatal(err)
		case alone || x.fault != "":
		case !ended:
			c.classes.failTest()
		default:
			c.conclude()
		}
		if x.fault != "" { // which minimizing a failure may have shown
			t.Fatalf("fuzzext.Check: %s", x.fault)
		}
	}
}

// policies writes what a Check has learned to the file of -fuzzext.savepolicy.
var policies policySaver

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
}

func newCheck(t testing.TB, x *spec, examples []choices.Tree, tr *trial) *check {
	c := &check{t: t, spec: x, dir: checkDir(t.Name()), shares: tally.NewShares(x.required), counting: testing.Verbose() || flags.print}
	var err error
	if c.saved, err = readSaved(c.dir); err != nil {
		c.unread = fmt.Errorf("fuzzext.Check: a saved failure cannot be read, restore or remove the file: %w", err)
	}
	if c.counting || flags.keep || len(c.saved) > 0 {
		x.calls() // which other goroutines are going to ask for
	}
	seed := cmp.Or(flags.seed, x.options.seed, tally.SeedOfEnvironment())
	for seed == 0 {
		seed = rand.Uint64()
	}
	c.Tally = tally.New(tally.LimitsOf(flags.checks, x.checks, flags.keep, flags.seed != 0), seed, len(c.saved), len(examples))
	c.NeverCalled = x.neverCalled
	c.ofSchedules()
	c.trial = tr
	tr.home, tr.seed = checkHome(x.target, x.call, c.dir, c.Tally), seed
	c.limit()
	source := streamOf(x, seed, t.Name(), c.saved, examples)
	if flags.keep {
		tr.leaveRunsBehind(flags.time)
		c.classes = newCollector(tr, seed)
	}
	c.values = values.NewStream(source)
	return c
}

// streamOf returns what the values of a Check are made of.
func streamOf(x *spec, seed uint64, test string, saved []corpus.Entry, examples []choices.Tree) values.Plan {
	return values.Plan{
		Subject: x.subjectOfGuide(),
		Seed:    seed, Stream: hash.FNV64(test),
		Saved: len(saved), Examples: len(examples),
		Given: func(i int) choices.Source {
			if i < len(saved) {
				return x.decode(saved[i].Data)
			}
			return choices.Replay(examples[i-len(saved)], nil)
		},
		Two:    x.modelFile != "" || x.schedules && x.prior != nil,
		Guides: flags.policy != "" || x.policy != nil,
	}
}

// ofSchedules tells the tally of a Check of schedules what they are, or the user that they are none.
func (c *check) ofSchedules() {
	const chance = "go test leaves the schedules to chance: run corpusgen test"
	switch {
	case !c.spec.schedules:
	case point.Instrumented():
		c.OfSchedules()
	case len(c.saved) > 0:
		tell(c.t, chance)
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
		c.trial.timers = append(c.trial.timers, time.AfterFunc(tally.KeptTime, func() { c.Enough.Store(true) }))
	case c.Least < c.Most:
		c.trial.after(tally.EnoughTime, func() { c.Enough.Store(true) })
		c.trial.after(tally.SlowTime, func() { c.Slow.Store(true) })
	}
	if !end.IsZero() {
		c.trial.stopAt(end)
	}
}

// after takes note of the run on the i-th value, which is nil if the generator has rejected the
// value. It reports whether another one follows.
func (c *check) after(i int, t *T) (more bool) {
	run := t.outcome()
	failed := run.Verdict == values.Failed
	if c.values.Draws {
		if failed {
			c.fail(t)
			return false
		}
		defer c.trial.recycle(t)
		return c.shares.Record(run)
	}
	c.values.Learn(i, run)
	if c.classes != nil && failed && !t.testFailed {
		c.collect(t)
	}
	switch collected := failed && t.collected; {
	case failed && !collected:
		c.fail(t)
	case i < c.Saved && run.Verdict == values.Valid:
		c.passed = append(c.passed, i)
	case c.counting && i >= c.Given() && run.Verdict == values.Valid:
		c.Distinguish(c.values.KeyOf(run), c.trial.tree)
	}
	c.tell()
	more = c.Record(i, c.trial.tree, c.values.Made, run, failed && t.collected)
	if !failed {
		c.trial.recycle(t)
	}
	if more && c.spec.fault == "" && !c.trial.stop.Load() {
		return true
	}
	return c.spec.fault == "" && c.classes.none() && c.draws()
}

// tell says every ten seconds how far a Check has come that continues after failures.
func (c *check) tell() {
	if !flags.keep || time.Since(c.told) < 10*time.Second {
		return
	}
	if !c.told.IsZero() {
		tell(c.t, fmt.Sprintf("%s so far, %s of failures", text.Count(c.Valid, "valid value"), text.CountOf(len(c.classes.list), "class", "classes")))
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

// fail records that the run on the last value has failed.
func (c *check) fail(t *T) {
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
	c.classes.add(c.trial.tree, run)
}

// silent reports whether there is nothing to say of the runs: the test passes.
func (c *check) silent() bool {
	return c.spec.fault == "" && len(c.failed)+len(c.passed) == 0 && !c.TooFew() && c.Weak() == "" && c.shares.Judge() == (tally.Judgment{}) &&
		!testing.Verbose() && flags.policy == "" && !flags.keep
}

// conclude says what the runs have shown.
func (c *check) conclude() {
	t, weak, shares := c.t, c.Weak(), c.shares.Judge()
	t.Helper()
	if flags.policy != "" {
		if err := policies.add(t.Name(), flags.policy, c.values.Learner(), inPackage); err != nil {
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
			tell(t, fmt.Sprintf("%d values instead of %d, for lack of time: set -fuzzext.checks=%[2]d", c.Valid, c.Most))
		}
		c.reportPassed()
	}
	if len(c.failed) == 0 {
		c.reportShares(shares)
		return
	}
	if c.failed[0].index >= len(c.saved) { // see runFirst
		c.trial.fail(c.failedTree, c.failed[0])
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

// warn says what makes a success weak, unless that is "".
func warn(t testing.TB, line string) {
	if line != "" {
		t.Helper()
		tell(t, "weak: "+line)
	}
}

// tell logs a line, also without -v, where go test shows what tests print.
func tell(t testing.TB, line string) {
	t.Helper()
	if testing.Verbose() {
		t.Log("fuzzext.Check: " + line)
		return
	}
	fmt.Fprintf(os.Stdout, "%s: fuzzext.Check: %s\n", t.Name(), line)
}

// reportPassed names the saved values that do not fail any more.
func (c *check) reportPassed() {
	for _, i := range c.passed {
		fmt.Fprintf(c.t.Output(), "%s passes now\n", filepath.ToSlash(filepath.Join(c.dir, c.saved[i].Name)))
	}
}
