package callseq

import (
	"reflect"
	"sync"
	"testing"

	"github.com/espalier-go/espalier/bigen/callseq/internal/live"
	"github.com/espalier-go/espalier/bigen/callseq/internal/operand"
	"golang.org/x/exp/slices"
)

// A runner runs one sequence.
type runner struct {
	c        *C
	verify   bool // the arguments are read back
	failed   bool // the test had, before
	returned bool
	checking bool      // a function given to Invariant or End runs, or has failed
	trace    []traced  // of the calls so far; what precedes them comes first
	room     *[]traced // that the trace has been given; see traces

	instances []named // of pools

	// Package linear runs sequences in other ways.
	held     bool       // functions given to Do are deferred, and results not compared
	imagined bool       // they are dropped
	deferred []func()   // by the last call
	locate   func() int // returns which call the goroutine is running, once they are held

	inBubble bool

	mu       sync.Mutex
	failures []string      // texts, as by Errorf
	cleanups live.Cleanups // in a bubble
}

// named is an instance of a pool with its name.
type named struct {
	instance any
	name     Name
}

// checkedRuns is how many runs of a model read arguments back: a model that depends on
// results, or that runs share, shows early.
const checkedRuns = 16

func newRunner(t testing.TB, m *Model) *runner {
	c := newC(m, running)
	room := traces.Get().(*[]traced)
	r := &runner{
		c:      c,
		room:   room,
		trace:  (*room)[:0],
		verify: m.checked.Add(1) <= checkedRuns,
		failed: t.Failed(),
	}
	c.TB, c.runner = t, r
	return r
}

// traces has memory for the traces of runs: it is most of what a run needs.
var traces = sync.Pool{New: func() any { return new([]traced) }}

// release lets another run have the trace. It is called once the run has returned, if it does.
func (r *runner) release() {
	clear(r.trace)
	*r.room = r.trace
	traces.Put(r.room)
	r.room, r.trace = nil, nil
}

func (r *runner) run(calls Calls) {
	first, rest := split(calls)
	r.trace = append(r.trace, traced{call: first})
	r.c.setUp(first)
	if !r.check(r.c.invariants) {
		return
	}
	for _, call := range rest {
		if r.call(call); !r.check(r.c.invariants) {
			return
		}
	}
	r.check(r.c.ends)
}

// call runs a call.
func (r *runner) call(call Call) {
	r.trace = append(r.trace, traced{call: call})
	n := r.c.find(call.op())
	switch {
	case n < 0:
		r.fail("there is no such operation")
	case !r.c.ops[n].possible():
		r.fail("it is not possible here: its precondition does not hold%s", depends)
	}
	r.c.ops[n].called = true
	r.c.do(call.op(), call, r.c.ops[n].call)
	if now := r.now(); now.wanted != "" && !now.returned && !r.held {
		r.c.name = call.op()
		if slices.ContainsFunc(now.want, func(want []any) bool { return len(want) > 0 }) {
			r.c.misuse("calls %s, but not Got: call Got in Do with what the call returns", now.wanted)
		}
		now.returned = true // nothing
		if r.c.differs(now) {
			r.c.failResults(now)
		}
		r.c.name = ""
	}
}

// check calls functions, unless the test has failed. It reports whether it has not.
func (r *runner) check(functions []func()) bool {
	for _, f := range functions {
		if r.hasFailed() {
			return false
		}
		r.checking = true
		f()
		r.checking = r.hasFailed()
	}
	return !r.hasFailed()
}

func (r *runner) hasFailed() bool { return !r.failed && r.c.TB.Failed() }

// now returns the trace of the call that is running.
func (r *runner) now() *traced { return &r.trace[len(r.trace)-1] }

// fail ends the run because the model does not have the next call.
func (r *runner) fail(format string, args ...any) {
	if r.imagined {
		panic(impossible{})
	}
	r.c.TB.Helper()
	r.c.TB.Fatalf("callseq: call %d, %s: "+format,
		append([]any{len(r.trace) - 1, r.now().call.op()}, args...)...)
}

// end writes the calls, unless the run has passed or is skipped.
func (r *runner) end() {
	r.count()
	if r.returned && !r.hasFailed() || !r.returned && !r.c.TB.Failed() && r.c.TB.Skipped() {
		return
	}
	if len(r.trace) > 0 {
		r.report()
	}
}

// count notes which operations the run has called.
func (r *runner) count() {
	for _, o := range r.c.ops {
		r.c.model.census.Add(o.name, o.called)
	}
}

// traced is what is known of a call that has run.
type traced struct {
	call  Call
	args  []string       // the names of the arguments
	texts map[int]string // of arguments that the run may change
	binds []int          // which arguments are instances that the call makes
	made  []Name         // these instances
	code  string         // given by C.Code
	parts []any          // what it is formatted with

	returned bool
	got      []any
	wanted   string           // the method by which the model has said what it wants; or ""
	want     [][]any          // the alternatives
	settle   func(fits []int) // leaves those that fit; or nil
	differ   bool
	panics   bool // it must panic
}

// freeze remembers the i-th argument of the call, from 1, as it is now.
func (r *runner) freeze(i int, v any) {
	if now := r.now(); !operand.Plain(reflect.TypeOf(v)) {
		if now.texts == nil {
			now.texts = map[int]string{}
		}
		now.texts[i] = r.literal(v)
	}
}
