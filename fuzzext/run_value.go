package fuzzext

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"github.com/espalier-go/espalier/internal/literal"
)

// run runs the property on one value, in a goroutine of its own. It returns nil if the run
// has not returned at the deadline, or if so many have not while failures were minimized that this
// one has not begun.
func (tr *trial) run(v any, deadline time.Time, index int) *T {
	if index == minimizing && tr.aside.Load() >= maxHangs {
		return nil
	}
	t := tr.newT(index)
	tr.now.Store(t)
	done := make(chan struct{})
	if tr.seed == 0 {
		go tr.call(t, v, done)
	} else {
		go withSeed(tr.seed, func() { tr.call(t, v, done) })
	}
	if !tr.wait(done, deadline, false) {
		if tr.patience > 0 && index == minimizing {
			tr.leaveAside()
		}
		return nil
	}
	return t
}

// withSeed calls run. An error of the runtime that ends the process, such as a stack overflow,
// prints what the goroutine has called, and with which arguments: so the values can be made again.
//
//go:noinline
func withSeed(seed uint64, run func()) {
	run()
	runtime.KeepAlive(seed)
}

// call calls the property, and closes done, unless it is nil. All runs go through it: it is
// compiled with the user's package and so instrumented, and what is covered between begin
// and end must not depend on why the property runs.
func (tr *trial) call(t *T, v any, done chan<- struct{}) {
	if done != nil {
		defer close(done)
	}
	if tr.observer != nil {
		defer tr.observe(t, v)()
	}
	defer t.checkTest()
	defer t.endRun()
	t.beginRun()
	tr.spec.prop(t, v)
	t.returned = true
}

// show prints a value before the property runs on it, because the run may end the process.
func (tr *trial) show(v any) {
	line := func(w io.Writer, name string, most int) {
		text, _ := literal.Within(most, v, tr.spec.target().pkg)
		fmt.Fprintln(w, name+text)
	}
	if tr.logs {
		line(tr.tb.Output(), "", maxLogged)
	}
	if tr.prints {
		line(os.Stdout, tr.tb.Name()+": ", maxValue) // at once
	}
}

// maxLogged is how many bytes the literal of a value has at most under -v, which shows many.
const maxLogged = 512
