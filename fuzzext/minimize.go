package fuzzext

import (
	"fmt"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/mutate"
)

// minimizeTime bounds the minimisation of a failure.
var minimizeTime = engineLimit / 5

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
			return x.tryRemake(edited)
		},
		func(v V) bool {
			again := x.run(s, v, patience, minimizing)
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

// tryRemake is remake, for a generator that may panic: that must not hide what is being
// minimised.
func (x *execution[V]) tryRemake(tree choices.Tree) (v V, made choices.Tree, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the generator panics: %v", r)
		}
	}()
	return x.remake(tree)
}

// reduce looks for a simpler tree of an input that is worth keeping, as long as good
// holds after the run on its value.
func (x *execution[V]) reduce(s *trial, tree choices.Tree, good func(*T) bool, calls int) choices.Tree {
	reduced, _, _ := mutate.Minimize(tree,
		func(edited choices.Tree) (v V, made choices.Tree, err error) {
			if s.full.Load() {
				return v, nil, mutate.ErrStop
			}
			v, made, err = x.tryRemake(edited)
			s.tree = made
			return v, made, err
		},
		func(v V) bool { return good(x.run(s, v, s.hangAt, reducing)) }, calls)
	return reduced
}

// again runs the property on the value of a tree that has been made before. It returns nil
// if the run has not ended in time. A value that is not made again counts as invalid.
func (x *execution[V]) again(s *trial, tree choices.Tree) *T {
	v, made, err := x.tryRemake(tree)
	if err != nil {
		t := s.newT(reducing)
		t.invalid = true
		return t
	}
	s.tree = made
	return x.run(s, v, s.hangAt, reducing)
}

// panics reports whether the generator panics on bytes.
func (x *execution[V]) panics(b []byte) (yes bool) {
	defer func() { yes = recover() != nil }()
	_, _ = bigen.Value(x.gen, x.decode(b))
	return false
}
