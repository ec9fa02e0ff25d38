package fuzzext

import (
	"fmt"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/mutate"
)

// minimizeTime bounds the minimisation of a failure.
const minimizeTime = engineLimit / 5

// minimized is the result of minimising a failure.
type minimized struct {
	tree        choices.Tree
	run         *T // of its value
	steps, runs int
	stopped     string // what has ended the search early, if anything
}

// minimize looks for the simplest tree that fails in the place of the first
// failure.
func (x *execution[V]) minimize(s *trial, tree choices.Tree, first *T) minimized {
	m := minimized{run: first}
	_, where := first.logged()
	deadline := time.Now().Add(minimizeTime)
	if !s.hangAt.IsZero() { // in good time before that
		deadline = earlier(deadline, s.hangAt.Add(-s.hangAt.Sub(s.start)/4))
	}
	patience := earlier(deadline.Add(minimizeTime), s.hangAt)
	m.tree, m.steps, m.runs = mutate.Minimize(tree,
		func(edited choices.Tree) (v V, made choices.Tree, err error) {
			switch {
			case m.stopped != "":
				return v, nil, mutate.ErrStop
			case time.Now().After(deadline):
				m.stopped = "the time"
				return v, nil, mutate.ErrStop
			}
			defer func() { // a generator that panics must not hide the failure
				if r := recover(); r != nil {
					err = fmt.Errorf("the generator panics: %v", r)
				}
			}()
			return x.remake(edited)
		},
		func(v V) bool {
			again := x.run(s, v, patience)
			if again == nil {
				m.stopped = "a run that takes too long"
				return false
			}
			if _, there := again.logged(); !again.Failed() || there != where && !x.anyFailure {
				s.recycle(again)
				return false
			}
			m.run = again
			return true
		},
		x.shrinks)
	if m.runs == x.shrinks && m.stopped == "" {
		m.stopped = count(m.runs, "run")
	}
	return m
}

// earlier returns the earlier of two times, a unless b is set.
func earlier(a, b time.Time) time.Time {
	if b.IsZero() || a.Before(b) {
		return a
	}
	return b
}

// remake makes the value of a tree, which need not be consistent.
func (x *execution[V]) remake(tree choices.Tree) (V, choices.Tree, error) {
	return bigen.Run(x.gen, choices.Replay(tree, nil))
}
