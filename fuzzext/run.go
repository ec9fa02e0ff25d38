package fuzzext

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/literal"
)

// each runs the property on the values that the sources for 0, 1, 2, ... make, as
// long as after says so. after is called when a run has ended, with a nil T for a
// value that the generator has rejected. source must be a function of its argument:
// it is asked again for a value that fails. each reports false if it has failed the
// test itself, because a run does not return or the generator panics.
//
// All of this happens in one goroutine, which FailNow and the like end: then another
// carries on. So a run that returns costs next to nothing besides itself.
func (x *execution[V]) each(s *trial, source func(i int) choices.Source, after func(i int, t *T) (more bool)) bool {
	l := &loop[V]{execution: x, s: s, source: source, after: after, more: true}
	for l.more {
		done := make(chan struct{})
		go l.work(done)
		if !s.wait(done, s.hangAt) {
			l.hung()
			return false
		}
	}
	if l.crash != "" {
		fmt.Fprintln(s.tb.Output(), l.crash)
		if s.exploration != nil {
			s.exploration.crashed()
		}
		if x.check != nil {
			fmt.Fprintf(s.tb.Output(), "to run it again:\n%s\n", indent(x.target.rerun(s.tb.Name(), false)+" "+x.check.flags()))
		}
		s.tb.Fail()
		return false
	}
	return true
}

type loop[V any] struct {
	*execution[V]
	s      *trial
	source func(i int) choices.Source
	after  func(i int, t *T) bool

	i      int
	more   bool
	making bool   // a value
	crash  string // of the generator
}

func (l *loop[V]) work(done chan<- struct{}) {
	defer func() {
		r := recover()
		switch {
		case r != nil && !l.making:
			panic(r)
		case r != nil:
			l.crash = fmt.Sprintf("the generator panics: %v\n\n%s", r, debug.Stack())
		case l.making:
			l.crash = "the generator has ended its goroutine, by FailNow or the like"
		}
		l.more = l.more && l.crash == ""
		close(done)
	}()
	for l.more {
		l.next()
	}
}

func (l *loop[V]) next() {
	i := l.i
	l.i++
	l.making = true
	v, err := l.value(i)
	l.making = false
	if l.s.abandoned.Load() {
		l.more = false
		return
	}
	if err == errRepeated {
		l.check.spent = l.check.repeats.row >= triesForNew
		l.more = !l.check.spent && !l.s.full.Load()
		return
	}
	if err != nil {
		l.more = l.after(i, nil) && !l.s.full.Load()
		return
	}
	if l.s.observed {
		l.observe(l.s, v)
	}
	t := l.s.newT(i)
	l.s.now.Store(t)
	defer func() { // also if the property, or a cleanup, ends the goroutine
		if t.abandoned {
			l.more = false
			return
		}
		l.more = l.after(i, t) && !l.s.full.Load()
	}()
	l.runProp(l.s, t, v, nil)
}

// errRepeated is the error of a value on which the property has run before.
var errRepeated = errors.New("the value is repeated")

// value makes the i-th value.
func (l *loop[V]) value(i int) (v V, err error) {
	if l.guided(i) {
		v, l.s.tree, err = l.guidance.value()
		return v, err
	}
	if l.s.exploration != nil {
		v, l.s.tree, err = bigen.RunInto(l.s.tree, l.gen, l.source(i))
		return v, err
	}
	if l.check != nil {
		v, l.s.tree, err = bigen.RunInto(l.s.tree, l.gen, l.source(i))
		if err == nil && i >= l.check.given() && l.check.repeats.has(l.s.tree) {
			err = errRepeated
		}
		return v, err
	}
	if l.s.observed || l.s.keep {
		v, l.s.tree, err = bigen.Run(l.gen, l.source(i))
		return v, err
	}
	return bigen.Value(l.gen, l.source(i))
}

// observe is called before a run, which may not return.
func (x *execution[V]) observe(s *trial, v V) {
	show := func(w io.Writer, name string) {
		text, _ := literal.Within(maxValue, v, x.target.pkg)
		fmt.Fprintln(w, name+text)
	}
	if x.check == nil && !s.variants {
		show(s.tb.Output(), "")
	}
	if flags.print {
		show(os.Stdout, s.tb.Name()+": ") // at once
	}
}

// check fails a run that has failed the test itself.
func (s *trial) check(t *T) {
	if s.failed || !s.tb.Failed() {
		return
	}
	s.failed = true
	t.mu.Lock()
	defer t.mu.Unlock()
	t.foreign = true
	if !t.failed {
		t.failed = true
		r := t.record()
		r.where = "the test"
		r.log = append(r.log, "a data race, or the property fails the test's own T instead of the one that it is given\n"...)
	}
}

// The indices of runs that are none of those of a loop.
const (
	minimizing = -1 - iota // a failure
	reducing               // an input that is kept
)

// run runs the property on one value, in a goroutine of its own. It returns nil if
// the run has not ended then.
func (x *execution[V]) run(s *trial, v V, then time.Time, index int) *T {
	t := s.newT(index)
	s.now.Store(t)
	done := make(chan struct{})
	go x.runProp(s, t, v, done)
	if !s.wait(done, then) {
		return nil
	}
	return t
}

// runProp runs the property, and closes done, unless it is nil. All runs go through it: it
// is compiled with the user's package and so instrumented, and what is covered between
// begin and end must not depend on why the property runs.
func (x *execution[V]) runProp(s *trial, t *T, v V, done chan<- struct{}) {
	if done != nil {
		defer close(done)
	}
	defer s.check(t)
	defer t.end()
	t.begin()
	x.prop(t, v)
	t.returned = true
}

// wait waits until done is closed. It reports false if it is not closed then, which
// is never if zero; the run that has not ended, if it is one, is abandoned.
func (s *trial) wait(done <-chan struct{}, then time.Time) bool {
	if then.IsZero() {
		<-done
		return true
	}
	timer := time.NewTimer(time.Until(then))
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
	}
	if t := s.now.Load(); t == nil || !t.abandon() { // between two runs
		timer.Reset(time.Second / 2)
		select {
		case <-done:
			return true
		case <-timer.C:
		}
		if t := s.now.Load(); t != nil {
			t.abandon()
		}
	}
	s.abandoned.Store(true)
	return false
}
