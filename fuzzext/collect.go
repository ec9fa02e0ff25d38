package fuzzext

import (
	"fmt"
	"os"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/classes"
	"github.com/espalier-go/espalier/fuzzext/internal/explain"
	"github.com/espalier-go/espalier/fuzzext/internal/stack"
)

// A collector collects the failures of a Check that continues after a failure.
type collector struct {
	*classes.Classes
	*reporter
	s *trial
}

func newCollector(r *reporter, s *trial, seed uint64) *collector {
	c := &collector{reporter: r, s: s}
	c.Classes = classes.New(host{c}, seed)
	return c
}

// none reports whether no failure has been collected.
func (c *collector) none() bool { return c == nil || c.None() }

// failTest fails the test with a summary, if there are failures.
func (c *collector) failTest() {
	if !c.none() {
		fmt.Fprint(c.s.tb.Output(), c.Report())
		c.s.tb.Fail()
	}
}

// runOf returns what is left of a run on the value of a tree.
func (c *collector) runOf(t *T, tree choices.Tree) *classes.Run {
	r := &classes.Run{Failed: t.Failed(), Invalid: t.Skipped(), Of: t, Log: func() string { return string(t.left().log) }}
	if r.Failed {
		r.Place, r.Coarse, r.Class = t.left().where, t.class(false), c.classOf(t, tree)
		r.WithEchoes = t.classWithEchoes()
	}
	if h := t.hang; h != nil {
		r.Hang = &classes.Hang{At: stack.Innermost(h.stack), After: h.after, CPU: h.cpu}
	}
	return r
}

// host implements [classes.Host].
type host struct{ c *collector }

func (h host) Subject() (gen bigen.Gen[any], pkg string, any bool) {
	return h.c.gen, h.c.target.pkg, h.c.anyFailure
}

func (h host) Run(v any, t choices.Tree) *classes.Run {
	run := h.c.run(h.c.s, v, h.c.s.hangAt, minimizing)
	if run == nil {
		return nil
	}
	defer h.c.s.recycle(run)
	return h.c.runOf(run, t)
}

func (h host) Minimize(t choices.Tree, first *classes.Run, same func(*classes.Run) bool, allowed func(choices.Tree) bool) classes.Minimal {
	m := h.c.minimize(h.c.s, t, first.Of.(*T), func(t *T, made choices.Tree) bool { return same(h.c.runOf(t, made)) }, allowed)
	return classes.Minimal{Tree: m.tree, Run: h.c.runOf(m.run, m.tree), Stopped: m.stopped}
}

func (h host) Flaky(t choices.Tree) string { return h.c.flaky(h.c.s, t) }

func (h host) Explain(t choices.Tree, class string) explain.Explanation {
	return h.c.explain(h.c.s, t, class, explainTime)
}

func (h host) SaveFirst(t choices.Tree) func(path string) (isNew bool) {
	return h.c.saveFirst(h.c.s, t)
}

func (h host) Save(t choices.Tree) (file string, isNew bool, err error) {
	return saveEntry(h.c.home.dir(h.c.s.tb.Name()), choices.Encode(t))
}

func (h host) Forget(file string) { _ = os.Remove(inPackage(file)) } // it stays: a value that fails, too

func (h host) Rerun(file string, hangs bool) string {
	if file == "" {
		return h.Repeat(hangs)
	}
	return h.c.target.rerun(h.c.s.tb.Name(), hangs) // with all files
}

func (h host) Repeat(hangs bool) string { return h.c.home.repeat(h.c.s.tb.Name(), hangs) }

func (h host) Left() (n int, ended bool) {
	n = int(h.c.s.left.Load())
	return n, n >= maxHangs
}
