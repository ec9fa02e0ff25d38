package fuzzext

import (
	"errors"
	"time"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/explain"
	"github.com/espalier-go/espalier/fuzzext/internal/text"
	"github.com/espalier-go/espalier/fuzzext/internal/values"
	"github.com/espalier-go/espalier/internal/budget"
	"github.com/espalier-go/espalier/mutate"
)

// minimized is the result of minimizing a failure.
type minimized struct {
	tree        choices.Tree
	run         *T // of its value
	steps, runs int
	stopped     string // what has ended the search early, or ""
	doubt       string // why the same choices need not fail again, or ""
	repeated    bool   // values have been told apart by repeated runs
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

// A minimization looks for the simplest tree whose value fails in the same way.
type minimization struct {
	minimized
	trial   *trial
	same    func(*T, choices.Tree) bool
	allowed func(choices.Tree) bool

	spent            budget.Budget
	deadline, hangAt time.Time
	test             *ratioTest   // by which values are judged; nil if one run tells
	last             choices.Tree // of the last value
	memory           choices.Tree // for the next
	failed           *T           // the last run that has
	more             int          // runs, beside those that mutate.Minimize has counted
}

// minimize looks for the simplest tree whose value fails in the same place as the first run,
// or in the same way, if same is not nil. Values that allowed refuses, unless it is nil, are passed
// over.
//
// A value that fails runs again, before and after. If it does not fail each time, its failure comes
// and goes. Then one run says little of a value, and simpler values would be accepted that fail
// ever more rarely. So each is judged by as many runs as it takes.
func (tr *trial) minimize(
	tree choices.Tree, first *T, same func(*T, choices.Tree) bool, allowed func(choices.Tree) bool,
) minimized {
	m := minimization{trial: tr, same: same, allowed: allowed, spent: budget.New(), failed: first}
	if same == nil {
		class := first.className()
		m.same = func(t *T, _ choices.Tree) bool { return t.className() == class }
	}
	m.deadline = time.Now().Add(minimizeTime) // the engine has its own clock
	if !fuzzing() {
		m.deadline = time.Now().Add(budget.ClockFactor * minimizeTime)
	}
	m.deadline = budget.Earlier(m.deadline, tr.lateAt())
	m.hangAt = budget.Earlier(m.deadline.Add(minimizeTime), tr.hangAt)

	m.tree, m.run = tree, first
	if tr.aside.Load() >= maxHangs {
		m.stopped = tooLong
		return m.minimized
	}
	if tr.spec.shrinks == 0 || m.failsAgain() || m.comesAndGoes() {
		m.descend()
	}
	if m.test == nil && m.stopped == "" && m.doubt == "" && !m.failsAgain() {
		// one run may have misled it at any step
		m.tree, m.run, m.failed, m.steps, m.runs = tree, first, first, 0, 0
		if m.comesAndGoes() {
			m.descend()
		}
	}
	if m.test != nil && m.stopped != tooLong {
		m.repeated, m.doubt, m.runs = true, flakyShare(measure(mostRepeats, m.runsOf(m.tree))),
			m.runs+m.more
	}
	return m.minimized
}

// descend looks for simpler trees. If earlier alternatives make the value of the simplest, too, it
// resumes there.
func (m *minimization) descend() {
	m.tree = m.search(m.tree)
	for m.run = m.failed; m.stopped == "" && m.runs < m.trial.spec.shrinks; m.run = m.failed {
		other := values.Leftmost(m.trial.spec.gen, m.tree)
		if other == nil || m.allowed != nil && !m.allowed(other) {
			break
		}
		if other = m.search(other); mutate.Compare(other, m.tree) >= 0 {
			break
		}
		m.tree = other
	}
	if m.runs >= m.trial.spec.shrinks && m.stopped == "" {
		m.stopped = text.Count(m.runs, "run")
	}
}

func (m *minimization) search(from choices.Tree) choices.Tree {
	simplest, steps, runs := mutate.Minimize(from, m.makeEdited, m.stillFails,
		m.trial.spec.shrinks-m.runs)
	m.steps, m.runs = m.steps+steps, m.runs+runs
	return simplest
}

func (m *minimization) makeEdited(edited choices.Tree) (v any, made choices.Tree, err error) {
	if m.timeIsUp() {
		return v, nil, mutate.ErrStop
	}
	if m.memory == nil {
		m.memory = make(choices.Tree, 0, len(edited)+len(edited)/4)
	}
	if v, made, err = values.Make(m.memory, m.trial.spec.gen,
		choices.Replay(edited, nil)); err == nil && m.allowed != nil && !m.allowed(made) {
		err = errKnown
	}
	m.last, m.memory = made, made
	return v, made, err
}

// timeIsUp reports whether the search ends.
func (m *minimization) timeIsUp() bool {
	if m.stopped == "" && (time.Now().After(m.deadline) ||
		!fuzzing() && isOver(&m.spent, minimizeTime)) {
		m.stopped = "the time"
	}
	return m.stopped != ""
}

// stillFails reports whether a value fails, which m.last makes.
func (m *minimization) stillFails(v any) bool {
	if m.test == nil {
		return m.failsOnce(v)
	}
	failed := m.failed
	accepted, _, runs := m.test.decide(m.runsOf(m.last))
	if m.more += max(0, runs-1); !accepted {
		m.failed = failed
	}
	return accepted
}

// failsOnce reports whether a value fails in a run.
func (m *minimization) failsOnce(v any) bool {
	again := m.trial.run(v, m.hangAt, minimizing)
	if again == nil {
		m.stopped = tooLong
		return false
	}
	if again.Failed() {
		m.memory = nil // the choices are kept
	}
	if !again.Failed() || !m.trial.spec.anyFailure && !m.same(again, m.last) {
		if other := &m.smaller; again.Failed() &&
			(other.tree == nil || mutate.Compare(m.last, other.tree) < 0) {
			*other = elsewhere{again.account(), m.last, again.left().class}
		}
		m.trial.recycle(again)
		return false
	}
	m.failed = again
	return true
}

// explain says which parts of a minimal failing value matter, whose failure is of a class.
func (tr *trial) explain(t choices.Tree, class string, most time.Duration) (e explain.Explanation) {
	v, tree, err := tr.spec.tryRemake(t)
	if err != nil {
		return e
	}
	spent, deadline := budget.New(), time.Now().Add(budget.ClockFactor*most)
	deadline = budget.Earlier(deadline, tr.lateAt())
	return explain.Explain(explain.Failure{
		Gen: tr.spec.gen, Pkg: tr.spec.target().pkg, Value: v, Tree: tree,
		Run: func(v any) (verdict values.Verdict, same, ok bool) {
			run := tr.run(v, budget.Earlier(time.Now().Add(2*explainTime), tr.hangAt), minimizing)
			if run == nil {
				return verdict, false, false
			}
			defer tr.recycle(run)
			return run.outcome().Verdict, tr.spec.anyFailure || run.className() == class, true
		},
		Over: func() bool { return time.Now().After(deadline) || isOver(&spent, most) },
	})
}

// runsOf returns a function that runs the property on the value of a tree, which is made anew each
// time. It reports whether the run has failed, and whether there has been one.
func (m *minimization) runsOf(tree choices.Tree) func() (failed, ok bool) {
	return func() (failed, ok bool) {
		if m.timeIsUp() {
			return false, false
		}
		v, made, err := m.trial.spec.tryRemake(tree)
		if err != nil {
			return false, false
		}
		m.last = made
		failed = m.failsOnce(v)
		return failed, m.stopped == ""
	}
}

// failsAgain reports whether a few more runs on the value fail, as far as there are any.
func (m *minimization) failsAgain() bool {
	fails, runs := measure(3, m.runsOf(m.tree))
	return fails == runs
}

// comesAndGoes looks closer at a failure that has not come each time. It reports whether it makes
// sense to minimize the value: by one run each if it is the generator that makes others, or by
// m.test.
func (m *minimization) comesAndGoes() bool {
	if values.Varies(m.trial.spec.gen, m.tree) {
		m.doubt = "the generator makes other values of the same choices: what it makes must " +
			"depend on nothing else, such as time, the order of a map or random numbers of its own"
		return true
	}
	accepted, fails, runs := confirmsFlake.decide(m.runsOf(m.tree))
	if !accepted {
		m.doubt = flakyShare(fails, runs) + ": too rarely to tell whether simpler ones do"
		return false
	}
	m.test = simplerFlake(measure(mostRepeats, m.runsOf(m.tree)))
	return true
}
