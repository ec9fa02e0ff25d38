package fuzzext

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/values"
	"github.com/espalier-go/espalier/internal/literal"
)

// A runner runs a property on values of a generator.
type runner struct {
	*subject
	target func() target // that has the property
}

// run runs the property on one value, in a goroutine of its own. It returns nil if the run
// has not returned at the deadline.
func (p *runner) run(s *trial, v any, deadline time.Time, index int) *T {
	t := s.newT(index)
	s.now.Store(t)
	done := make(chan struct{})
	if s.seed == 0 {
		go p.call(s, t, v, done)
	} else {
		go withSeed(s.seed, func() { p.call(s, t, v, done) })
	}
	if !s.wait(done, deadline, false) {
		if s.patience > 0 && index == minimizing {
			s.leaveBehind()
		}
		return nil
	}
	return t
}

// withSeed calls run. An error of the runtime that ends the process, such as a stack overflow, prints
// what the goroutine has called, and with which arguments: so the values can be made again.
//
//go:noinline
func withSeed(seed uint64, run func()) {
	run()
	runtime.KeepAlive(seed)
}

// call calls the property, and closes done, unless it is nil. All runs go through it: it is
// compiled with the user's package and so instrumented, and what is covered between begin
// and end must not depend on why the property runs.
func (p *runner) call(s *trial, t *T, v any, done chan<- struct{}) {
	if done != nil {
		defer close(done)
	}
	defer t.checkTest()
	defer t.end()
	t.begin()
	p.prop(t, v)
	t.returned = true
}

// remake makes the value of a tree, which need not be consistent.
func (p *runner) remake(tree choices.Tree) (any, choices.Tree, error) {
	return bigen.Run(p.gen, choices.Replay(tree, nil))
}

// tryRemake is remake for a generator that may panic: the panic becomes an error.
func (p *runner) tryRemake(tree choices.Tree) (v any, made choices.Tree, err error) {
	return values.Make(make(choices.Tree, 0, len(tree)), p.gen, choices.Replay(tree, nil))
}

// How many bytes the literal of a value has at most.
const (
	maxValue  = 8 << 10 // in a report, or where the user asks for values
	maxLogged = 512     // under -v, which shows many
)

// show prints a value before the property runs on it, because the run may end the process.
func (p *runner) show(s *trial, v any) {
	line := func(w io.Writer, name string, most int) {
		text, _ := literal.Within(most, v, p.target().pkg)
		fmt.Fprintln(w, name+text)
	}
	if s.logs {
		line(s.tb.Output(), "", maxLogged)
	}
	if s.prints {
		line(os.Stdout, s.tb.Name()+": ", maxValue) // at once
	}
}
