package fuzzext

import (
	"errors"
	"time"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/budget"
	"github.com/espalier-go/espalier/fuzzext/internal/entry"
	"github.com/espalier-go/espalier/fuzzext/internal/explain"
	"github.com/espalier-go/espalier/fuzzext/internal/outcome"
	"github.com/espalier-go/espalier/fuzzext/internal/text"
	"github.com/espalier-go/espalier/internal/literal"
	"github.com/espalier-go/espalier/mutate"
)

// minimized is the result of minimizing a failure.
type minimized struct {
	tree        choices.Tree
	run         *T // of its value
	steps, runs int
	stopped     string // what has ended the search early, or ""
	smaller     elsewhere
}

// elsewhere is a value that has failed in another class than the one being minimized.
type elsewhere struct {
	account
	tree  choices.Tree // nil if there is none
	class string       // as the property has named it, or ""
}

// tooLong is what has ended a search if a run has not returned.
const tooLong = "a run that takes too long"

// errKnown is the error in place of a value that minimization passes over.
var errKnown = errors.New("the value has a known pattern")

// minimize looks for the simplest tree whose value fails in the same place as the first run,
// or in the same way, if same is not nil. Values that allowed refuses, unless it is nil, are passed
// over.
func (r *spec) minimize(s *trial, tree choices.Tree, first *T, same func(*T, choices.Tree) bool, allowed func(choices.Tree) bool) minimized {
	m := minimized{run: first}
	if same == nil {
		class := first.class()
		same = func(t *T, _ choices.Tree) bool { return t.class() == class }
	}
	spent, engine := budget.New(), fuzzing()
	deadline := time.Now().Add(minimizeTime) // the engine has its own clock
	if !engine {
		deadline = time.Now().Add(budget.ClockFactor * minimizeTime)
	}
	deadline = earlier(deadline, s.lateAt())
	hangAt := earlier(deadline.Add(minimizeTime), s.hangAt)
	var last choices.Tree
	remake := func(edited choices.Tree) (v any, made choices.Tree, err error) {
		switch {
		case m.stopped != "":
			return v, nil, mutate.ErrStop
		case time.Now().After(deadline) || !engine && isOver(&spent, minimizeTime):
			m.stopped = "the time"
			return v, nil, mutate.ErrStop
		}
		if v, made, err = r.tryRemake(edited); err == nil && allowed != nil && !allowed(made) {
			err = errKnown
		}
		last = made
		return v, made, err
	}
	run := first // of the simplest value of a search
	fails := func(v any) bool {
		again := r.run(s, v, hangAt, minimizing)
		if again == nil {
			m.stopped = tooLong
			return false
		}
		if !again.Failed() || !r.anyFailure && !same(again, last) {
			if other := &m.smaller; again.Failed() && (other.tree == nil || mutate.Compare(last, other.tree) < 0) {
				*other = elsewhere{again.account(), last, again.left().class}
			}
			s.recycle(again)
			return false
		}
		run = again
		return true
	}
	search := func(from choices.Tree) choices.Tree {
		simplest, steps, runs := mutate.Minimize(from, remake, fails, r.shrinks-m.runs)
		m.steps, m.runs = m.steps+steps, m.runs+runs
		return simplest
	}
	m.tree = search(tree)
	for m.run = run; m.stopped == "" && m.runs < r.shrinks; m.run = run {
		other := r.leftmost(m.tree)
		if other == nil || allowed != nil && !allowed(other) {
			break
		}
		if other = search(other); mutate.Compare(other, m.tree) >= 0 {
			break
		}
		m.tree = other
	}
	if m.runs == r.shrinks && m.stopped == "" {
		m.stopped = text.Count(m.runs, "run")
	}
	return m
}

// leftmost returns the tree by which earlier alternatives make the value of a tree, or nil if its own
// does, or if the generator does not run backward on the value. What a narrow alternative makes, an
// earlier and wider one may make simpler.
func (r *spec) leftmost(tree choices.Tree) choices.Tree {
	v, made, err := r.tryRemake(tree)
	if err != nil {
		return nil
	}
	other, err := entry.Choices(r.gen, v)
	if err != nil || slices.Equal(other, made) {
		return nil
	}
	if again, _, err := r.tryRemake(other); err != nil || !literal.Same(v, again) {
		return nil
	}
	return other
}

// explain says which parts of a minimal failing value matter, whose failure is of a class.
func (r *spec) explain(s *trial, t choices.Tree, class string, most time.Duration) (e explain.Explanation) {
	v, tree, err := r.tryRemake(t)
	if err != nil {
		return e
	}
	spent, deadline := budget.New(), time.Now().Add(budget.ClockFactor*most)
	deadline = earlier(deadline, s.lateAt())
	return explain.Explain(explain.Failure{
		Gen: r.gen, Pkg: r.target().pkg, Value: v, Tree: tree,
		Run: func(v any) (verdict outcome.Verdict, same, ok bool) {
			run := r.run(s, v, earlier(time.Now().Add(2*explainTime), s.hangAt), minimizing)
			if run == nil {
				return verdict, false, false
			}
			defer s.recycle(run)
			return run.outcome().Verdict, r.anyFailure || run.class() == class, true
		},
		Over: func() bool { return time.Now().After(deadline) || isOver(&spent, most) },
	})
}

// earlier returns the earlier of two times, a unless b is set.
func earlier(a, b time.Time) time.Time {
	if b.IsZero() || a.Before(b) {
		return a
	}
	return b
}

// flaky says why the same choices need not fail again, or returns "".
func (r *spec) flaky(s *trial, tree choices.Tree) string {
	switch {
	case r.varies(tree):
		return "the generator makes other values of the same choices: what it makes must depend on nothing else, such as time, the order of a map or random numbers of its own"
	case r.passesAgain(s, tree):
		return "the property failed, but not each time that it was run on the same value again"
	}
	return ""
}

// varies reports whether the generator makes different values of a tree.
func (r *spec) varies(tree choices.Tree) bool {
	v, made, _ := r.remake(tree)
	for range 3 {
		again, same, _ := r.remake(tree)
		if !slices.Equal(made, same) || !literal.Same(v, again) {
			return true
		}
	}
	return false
}

// passesAgain reports whether one of a few more runs on the value of a tree does not fail.
func (r *spec) passesAgain(s *trial, tree choices.Tree) bool {
	for range 3 {
		v, _, err := r.remake(tree)
		if err != nil {
			return false
		}
		if again := r.run(s, v, s.hangAt, minimizing); again != nil && !again.Failed() {
			return true
		}
	}
	return false
}
