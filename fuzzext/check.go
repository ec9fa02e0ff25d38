package fuzzext

import (
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/internal/corpus"
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
// random values, each once. After a second of CPU time, 100 are enough. With -short, a tenth
// of both is. Check ends early if there seem to be no other values. [Checks] changes their
// number, [Seed] selects them. If prop ([T.Assume]) or g rejects most values of some size, a
// guide learns which choices lead to valid ones. If fewer than 1 in 20 and fewer than 100 are
// valid, Check fails.
//
// Check minimizes and reports a failure as [Valid] does. It saves the value in
// testdata/fuzzext, in a directory with the name of the test. You may commit such files, and
// you may remove them. The report names the -fuzzext.seed that makes the same values again.
//
// With the flag -fuzzext.keepgoing, Check continues after a failure and reports each class of
// failures once ([T.Class]). It abandons up to 3 runs that do not return.
//
// prop must use the T that it receives, must be deterministic, and must not keep state from
// one value to the next. Call Check once in a test or subtest. Tests and subtests may be
// parallel.
func Check[V any](t *testing.T, g bigen.Gen[V], prop func(t *T, v V), opts ...Option) {
	t.Helper()
	runCheck(t, newSpec("Check", 1, subjectOf(g, prop), opts))
}

// runCheck is Check, of what it has been given.
func runCheck(t testing.TB, x *spec) {
	t.Helper()
	if err := x.loadPrior(); err != nil {
		t.Fatal(err)
	}
	if exploreCheck(t, x) || takeCheckOrder(t, x) {
		return
	}
	if !checking.enter(t.Name()) {
		t.Fatalf("fuzzext.Check: %s calls Check a second time, and both would save their failures under its name: call each in a subtest of its own, by t.Run", t.Name())
	}
	t.Cleanup(func() { checking.leave(t.Name()) })

	c := newCheck(t, x)
	defer c.s.end()
	defer c.seen.write(t)
	ended := c.r.each(c.s, c.values, c.after)
	switch {
	case !ended:
		c.classes.report()
	case x.fault != "":
		t.Fatalf("fuzzext.Check: %s", x.fault)
	default:
		c.conclude()
	}
}

// A check is one call of Check.
type check struct {
	*tally
	t        testing.TB
	x        *spec
	dir      string         // of saved failures
	saved    []corpus.Entry // in it
	values   *checkValues
	r        *reporter
	s        *trial
	classes  *failureClasses // nil unless it continues after a failure
	seen     *observer
	counting bool // how many values and shapes differ
}

func newCheck(t testing.TB, x *spec) *check {
	t.Helper()
	c := &check{tally: newTally(&x.options), t: t, x: x, dir: checkDir(t.Name()), counting: testing.Verbose() || flags.print}
	var err error
	if c.saved, err = readSaved(c.dir); err != nil {
		t.Errorf("fuzzext.Check: a saved failure cannot be read, restore or remove the file: %v", err)
	}
	c.values = newCheckValues(x, c.tally, t.Name(), c.saved, x.exampleTrees(t))
	c.r = &reporter{spec: x, home: checkHome(x.target, x.call, c.dir, c.tally)}
	c.s = newTrial(t)
	c.s.seed = c.seed
	c.limit(c.s)
	if flags.keep {
		c.s.leaveRunsBehind(flags.time)
		c.classes = newFailureClasses(c.r, c.s, c.seed)
		c.values.avoid = c.classes.avoid
	}
	c.seen = newObserver(x, t.Name())
	return c
}

// after takes note of the run on the i-th value, which is nil if the generator has rejected the
// value. It reports whether another one follows.
func (c *check) after(i int, run *T) (more bool) {
	if c.values.require.begun {
		return c.recordDraw(c.s, c.values.require, run)
	}
	c.seen.add(c.values, i, run)
	c.values.learn(i, run)
	if c.classes != nil && run != nil && run.failed && !run.testFailed {
		c.collect(i, run)
	}
	if c.counting && i >= c.given() && run != nil && !run.failed && !run.invalid {
		c.distinguish(c.values.key(run))
		c.addShape(c.s.tree)
	}
	if c.record(c.s, i, run) && c.x.fault == "" && !c.s.stop.Load() {
		return true
	}
	return c.x.fault == "" && c.classes.none() && c.values.require.begin(c.s, c.tally)
}

// collect adds a failure to the classes.
func (c *check) collect(i int, run *T) {
	run.collected = true
	if run.hang != nil {
		c.values.repeats.has(c.s.tree) // never again
	}
	c.classes.add(c.s.tree, run, i < c.given())
}

// conclude says what the runs have shown.
func (c *check) conclude() {
	t := c.t
	t.Helper()
	savePolicy(t, c.values.guide())
	if c.tooFew() {
		t.Errorf("fuzzext.Check: %s", c.advice())
	}
	if testing.Verbose() {
		t.Log("fuzzext.Check: " + c.summary())
		if advice := c.s.made.Advice(); advice != "" {
			t.Log("fuzzext.Check: " + advice)
		}
	}
	c.classes.report()
	if c.classes.none() {
		warn(t, c.weak())
	} else {
		c.reportPassed()
	}
	if len(c.failed) == 0 {
		c.values.require.report(t)
		return
	}
	c.reportFailed()
	c.reportPassed()
}

// reportFailed reports the first failure, and names the other saved values that fail.
func (c *check) reportFailed() {
	path := c.r.fail(c.s, c.failedTree, c.failed[0])
	for i, run := range c.failed {
		if run.index < 0 || run.index >= len(c.saved) {
			continue
		}
		switch file := filepath.Join(c.dir, c.saved[run.index].Name); {
		case file == path:
		case i == 0:
			fmt.Fprintf(c.t.Output(), "this is what minimizing %s has led to\n", filepath.ToSlash(file))
		default:
			fmt.Fprintf(c.t.Output(), "%s fails, too\n", filepath.ToSlash(file))
		}
	}
}

// reportPassed names the saved values that do not fail any more.
func (c *check) reportPassed() {
	for _, i := range c.passed {
		fmt.Fprintf(c.t.Output(), "%s passes now\n", filepath.ToSlash(filepath.Join(c.dir, c.saved[i].Name)))
	}
}

// checking holds the names of the running tests that have called Check.
var checking testNames

type testNames struct {
	mu    sync.Mutex
	names map[string]bool
}

// enter adds a name, and reports whether it is new.
func (n *testNames) enter(name string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.names[name] {
		return false
	}
	if n.names == nil {
		n.names = map[string]bool{}
	}
	n.names[name] = true
	return true
}

// running returns how many there are.
func (n *testNames) running() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.names)
}

func (n *testNames) leave(name string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.names, name)
}
