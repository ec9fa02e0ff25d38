package fuzzext

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/espalier-go/espalier/bigen/schedule/point"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/text"
	"github.com/espalier-go/espalier/fuzzext/internal/values"
	"github.com/espalier-go/espalier/internal/visible"
)

// runSaved runs the property on the saved values of a Check, and says in c.alone, c.ended and
// c.missing what that means for other values.
//
// Each value is a subtest with the name of its file, always: so go test -v and -json name it, and
// editors list it and run it again, like an entry of a fuzz target. If -run has an element for
// these names, it selects a part of the test, as in any test with subtests. Then each value
// that it selects runs once, with nothing before or after, so that a debugger stops only there, and
// no other value is made. If it selects none, it means other subtests of the same test.
func (c *check) runSaved() {
	own, ran := c.trial, 0
	pattern := flagValue("test.run")
	alone := selectsSubtests(pattern, c.t.Name())
	if c.ended = true; alone { // nothing is minimized, and the one run tells all
		point.NoteLocks()
	}
	for i, e := range c.saved {
		if !c.ended || own.stop.Load() {
			break
		}
		subtest(c.t, e.Name, func(t testing.TB) {
			ran++
			c.beginSaved(t, i, own)
			defer c.endSaved(own)
			file := filepath.Join(c.dir, e.Name)
			if alone && !minimizesAlone() || c.spec.schedules && !point.Instrumented() {
				c.runAlone(i, file)
				c.ended = alone || !t.Failed()
			} else {
				c.ended = c.runFirst(i, file)
			}
		})
	}
	own.first, own.failed = len(c.saved), c.t.Failed()
	if c.classes != nil {
		c.classes.onlySaved = own.hasLeftMany()
	}
	if name := savedName().FindString(pattern); alone && ran == 0 && name != "" {
		c.missing = fmt.Errorf("fuzzext.Check: -run selects %s, but %s has no such file: the "+
			"failure has been removed, or minimized to another one", name, filepath.ToSlash(c.dir))
	}
	c.alone = alone && ran > 0
}

// subtest calls f in a subtest, or, if t has none, in t itself.
func subtest(t testing.TB, name string, f func(t testing.TB)) {
	if parent, ok := t.(interface {
		Run(name string, f func(*testing.T)) bool
	}); ok {
		parent.Run(name, func(t *testing.T) { f(t) })
		return
	}
	f(t)
}

// beginSaved gives the Check a trial for its i-th value, in a subtest.
func (c *check) beginSaved(t testing.TB, i int, own *trial) {
	tr := newTrial(c.spec, own.home, t)
	own.failed = c.t.Failed() // by an earlier one: failures are told apart in runs of own
	tr.test, tr.failed, tr.observer = c.t, own.failed, own.observer
	tr.seed, tr.first, tr.patience, tr.skipsHangs = own.seed, i, own.patience, own.skipsHangs
	tr.left.Store(own.left.Load())
	tr.aside.Store(own.aside.Load())
	c.trial = tr
}

// endSaved gives the Check its own trial again.
func (c *check) endSaved(own *trial) {
	c.trial.end()
	own.left.Store(c.trial.left.Load())
	if own.aside.Store(c.trial.aside.Load()); own.hasLeftMany() {
		own.stop.Store(true)
	}
	c.trial = own
}

// runFile runs the property on the i-th value, which a file has: once, or until it fails, as often
// as that says. Then it calls after.
func (c *check) runFile(i int, file string, after func(run *T)) (ended bool) {
	left := repeatsOf(file)
	return c.trial.eachReported(func(int) (any, choices.Tree, error) { return c.values.Make(i) },
		func(_ int, run *T) (more bool) {
			if left--; left > 0 && run.outcome().Verdict == values.Valid {
				c.trial.recycle(run)
				return true
			}
			if run != nil {
				run.index = i
			}
			after(run)
			return false
		})
}

// runFirst runs the property on the i-th value, before others are made. The first that fails is
// minimized.
func (c *check) runFirst(i int, file string) (ended bool) {
	var failed *T
	if !c.runFile(i, file, func(run *T) {
		if c.noteRun(i, run); run != nil && run.Failed() {
			failed = run
		}
	}) {
		return false
	}
	switch out := c.trial.tb.Output(); {
	case failed == nil || c.spec.fault != "":
	case len(c.failed) == 1:
		if path := c.trial.reportFailure(c.failedTree, failed); path != file && c.spec.fault == "" {
			fmt.Fprintf(out, "this is what minimizing %s has led to\n", filepath.ToSlash(file))
		}
	default:
		a := failed.account()
		said := text.Line(a.message())
		if failed.hang != nil {
			said = fmt.Sprintf("the property has not returned after %v", failed.hang.after)
		}
		fmt.Fprintf(out, "%s\n%s fails, too\nto run it alone:\n%s\n", visible.Text(said),
			filepath.ToSlash(file), text.Indent(c.trial.home.rerun(c.t.Name(), file, false)))
		c.trial.tb.Fail()
	}
	return true
}

// runAlone runs the property on the i-th value as its file has it, in a trial of its own.
func (c *check) runAlone(i int, file string) {
	tr := c.trial
	tr.home.beside = func([]byte) (string, error) { return file, nil }
	tr.alone, tr.logs = true, testing.Verbose() && !runsAlone()
	tr.patience, tr.skipsHangs = c.spec.runLimit(), false
	var last *T
	switch ended := c.runFile(i, file, func(run *T) { last = run }); {
	case !ended:
	case last != nil && last.Failed():
		tr.reportFailure(tr.tree, last)
	default:
		skipInvalid(tr.tb, last)
	}
}
