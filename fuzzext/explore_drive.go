package fuzzext

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"sync"
)

// mutate returns another input of an engine that makes one after the other; see [engine.Driver].
func (e *exploration) mutate(b []byte, max int) (out []byte) {
	e.apart(func() { out = e.explorer.Mutate(b, max) })
	return out
}

// cross returns an input made of parts of two.
func (e *exploration) cross(a, b []byte, max int) (out []byte) {
	e.apart(func() { out = e.explorer.Cross(a, b, max) })
	return out
}

// apart calls a function that runs values outside of the executions that the engine knows of.
func (e *exploration) apart(run func()) {
	e.link.Driver.Exploring(true)
	t := &apartTB{detached: detached{name: e.target.name}}
	e.begin(t)
	run()
	e.trial.end()
	t.remove()
	if t.failed { // a run hangs, or fails after its end, or the generator panics
		os.Stderr.Write(t.out.Bytes())
		panic("fuzzext: the input fails: see above")
	}
	e.link.Driver.Exploring(false)
}

// An apartTB keeps what is reported.
type apartTB struct {
	detached
	mu     sync.Mutex
	failed bool
	out    bytes.Buffer
}

func (t *apartTB) Fail() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.failed = true
}

func (t *apartTB) Failed() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.failed
}

func (t *apartTB) Error(args ...any) {
	fmt.Fprintln(&t.out, args...)
	t.Fail()
}

func (t *apartTB) Output() io.Writer { return &t.out }
