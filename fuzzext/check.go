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

	n := newTally(&x.options)
	dir := checkDir(t.Name())
	saved, err := readSaved(dir)
	if err != nil {
		t.Errorf("fuzzext.Check: a saved failure cannot be read, restore or remove the file: %v", err)
	}
	values := newCheckValues(x, n, t.Name(), saved, x.exampleTrees(t))
	r := reporter{spec: x, home: checkHome(x.target, x.call, dir, n)}

	s := newTrial(t)
	defer s.end()
	s.seed = n.seed
	n.limit(s)
	var classes *failureClasses
	if flags.keep {
		s.leaveRunsBehind(flags.time)
		classes = newFailureClasses(&r, s, n.seed)
		values.avoid = classes.avoid
	}
	seen := newObserver(x, t.Name())
	defer seen.write(t)
	counting := testing.Verbose() || flags.print
	if !r.each(s, values, func(i int, run *T) (more bool) {
		if values.require.begun {
			return n.recordDraw(s, values.require, run)
		}
		seen.add(values, i, run)
		values.learn(i, run)
		if classes != nil && run != nil && run.failed && !run.testFailed {
			run.collected = true
			if run.hang != nil {
				values.repeats.has(s.tree) // never again
			}
			classes.add(s.tree, run, i < n.given())
		}
		if counting && i >= n.given() && run != nil && !run.failed && !run.invalid {
			n.distinguish(values.key(run))
			n.addShape(s.tree)
		}
		if n.record(s, i, run) && x.fault == "" && !s.stop.Load() {
			return true
		}
		return x.fault == "" && classes.none() && values.require.begin(s, n)
	}) {
		classes.report()
		return
	}
	if x.fault != "" {
		t.Fatalf("fuzzext.Check: %s", x.fault)
	}
	savePolicy(t, values.guide())
	if n.tooFew() {
		t.Errorf("fuzzext.Check: %s", n.advice())
	}
	if testing.Verbose() {
		t.Log("fuzzext.Check: " + n.summary())
		if advice := s.made.Advice(); advice != "" {
			t.Log("fuzzext.Check: " + advice)
		}
	}
	classes.report()
	if !classes.none() {
		n.reportPassed(t, dir, saved)
	} else {
		warn(t, n.weak())
	}
	if len(n.failed) == 0 {
		values.require.report(t)
		return
	}
	path := r.fail(s, n.failedTree, n.failed[0])
	for i, run := range n.failed {
		if run.index < 0 || run.index >= len(saved) {
			continue
		}
		switch file := filepath.Join(dir, saved[run.index].Name); {
		case file == path:
		case i == 0:
			fmt.Fprintf(t.Output(), "this is what minimizing %s has led to\n", filepath.ToSlash(file))
		default:
			fmt.Fprintf(t.Output(), "%s fails, too\n", filepath.ToSlash(file))
		}
	}
	n.reportPassed(t, dir, saved)
}

// reportPassed names the saved values that do not fail any more.
func (n *tally) reportPassed(t testing.TB, dir string, saved []corpus.Entry) {
	for _, i := range n.passed {
		fmt.Fprintf(t.Output(), "%s passes now\n", filepath.ToSlash(filepath.Join(dir, saved[i].Name)))
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
