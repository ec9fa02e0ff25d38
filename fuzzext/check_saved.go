package fuzzext

import (
	"fmt"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/espalier-go/espalier/bigen/schedule/point"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/text"
	"github.com/espalier-go/espalier/fuzzext/internal/values"
)

// runSaved runs the property on the saved values of a Check. It reports whether only they are
// wanted, and false for ended if it has failed the test because a run hangs or the generator panics. The
// error says that -run wants a value that is not saved.
//
// Each value is a subtest with the name of its file, always: so go test -v and -json name it, and
// editors list it and run it again, like an entry of a fuzz target. If -run has an element for
// these names, it selects a part of the test, like that of any test with subtests. Then each value
// that it selects runs once, with nothing before or after, so that a debugger stops only there, and
// no other value is made. If it selects none, it means other subtests of the same test.
func (c *check) runSaved() (alone, ended bool, err error) {
	own, ran, ended := c.s, 0, true
	pattern := flagValue("test.run")
	alone = selectsSubtests(pattern, c.t.Name())
	for i, e := range c.saved {
		if !ended || own.stop.Load() {
			break
		}
		subtest(c.t, e.Name, func(t testing.TB) {
			ran++
			c.beginSaved(t, i, own)
			defer c.endSaved(own)
			if file := filepath.Join(c.dir, e.Name); alone || c.x.schedules != nil && !point.Instrumented() {
				c.runAlone(i, file)
				ended = alone || !t.Failed()
			} else {
				ended = c.runFirst(i, file)
			}
		})
	}
	own.first, own.failed = len(c.saved), c.t.Failed()
	if name := savedName.FindString(pattern); alone && ran == 0 && name != "" {
		err = fmt.Errorf("fuzzext.Check: -run selects %s, but %s has no such file: the failure has been removed, or minimized to another one", name, filepath.ToSlash(c.dir))
	}
	return alone && ran > 0, ended, err
}

// savedName matches the name of a saved failure.
var savedName = regexp.MustCompile(`\b[0-9a-f]{16}(` + flakyMark + `)?\b`)

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
	c.s = newTrial(t)
	c.s.test, c.s.failed = c.t, c.t.Failed()
	c.s.seed, c.s.first, c.s.patience, c.s.goesOn = own.seed, i, own.patience, own.goesOn
	c.s.left.Store(own.left.Load())
}

// endSaved gives the Check its own trial again.
func (c *check) endSaved(own *trial) {
	c.s.end()
	if own.left.Store(c.s.left.Load()); own.left.Load() >= maxHangs {
		own.stop.Store(true)
	}
	c.s = own
}

// run runs the property on the i-th value, which a file has: once, or until it fails, as often as that
// says. Then it calls after.
func (c *check) run(r *reporter, i int, file string, after func(run *T)) (ended bool) {
	left := repeatsOf(file)
	return r.each(c.s, func(int) (any, choices.Tree, error) { return c.values.Make(i) }, func(_ int, run *T) (more bool) {
		if left--; left > 0 && run.outcome().Verdict == values.Valid {
			c.s.recycle(run)
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
	if !c.run(c.r, i, file, func(run *T) {
		if c.after(i, run); run != nil && run.Failed() {
			failed = run
		}
	}) {
		return false
	}
	switch out := c.s.tb.Output(); {
	case failed == nil || c.x.fault != "":
	case len(c.failed) == 1:
		if path := c.r.fail(c.s, c.failedTree, failed); path != file && c.x.fault == "" {
			fmt.Fprintf(out, "this is what minimizing %s has led to\n", filepath.ToSlash(file))
		}
	default:
		a := failed.account()
		fmt.Fprintf(out, "%s\n%s fails, too\nto run it alone:\n%s\n", text.Line(a.message()), filepath.ToSlash(file), text.Indent(c.r.home.rerun(c.t.Name(), file, false)))
		c.s.tb.Fail()
	}
	return true
}

// runAlone runs the property on the i-th value as its file has it, in a trial of its own.
func (c *check) runAlone(i int, file string) {
	own, s := *c.r, c.s
	own.home.beside = func([]byte) (string, error) { return file, nil }
	s.alone, s.logs, s.patience, s.goesOn = true, testing.Verbose(), c.x.runLimit(), false
	var last *T
	switch ended := c.run(&own, i, file, func(run *T) { last = run }); {
	case !ended:
	case last != nil && last.Failed():
		own.fail(s, s.tree, last)
	default:
		skipInvalid(s.tb, last)
	}
}
