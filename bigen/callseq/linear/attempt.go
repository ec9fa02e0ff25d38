package linear

import (
	"fmt"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/espalier-go/espalier/bigen/callseq/internal/live"
	"github.com/espalier-go/espalier/internal/bubble"
)

// An attempt is one run of a sequence: the prefix runs first, then the model's part of all
// other calls, then what these have given to Do.
type attempt struct {
	x      *trial
	tb     *recorder
	seed   uint64
	live   live.Run
	do     [][]func()     // of each call after the prefix
	events history        // set by workers
	known  history        // the same, once the attempt has ended
	now    []int          // by worker, the call that it runs
	past   []atomic.Int32 // by worker, how many of its calls have returned
	ready  bool           // the threads may begin
	coarse bool           // the clock of the system cannot tell calls apart
	broken atomic.Bool

	crash   string // how a call, or the model, has panicked
	stacks  string // where calls hang
	told    bool   // a report has the calls
	verdict verdict
}

func newAttempt(x *trial, t testing.TB, seed uint64) *attempt {
	n := len(x.workers)
	return &attempt{x: x, tb: &recorder{TB: t}, seed: seed, coarse: coarse ||
		bubble.Inside(), events: make(history, len(x.calls)), now: make([]int, n),
		past: make([]atomic.Int32, n)}
}

// prepare runs what precedes the threads.
func (a *attempt) prepare() {
	x := a.x
	a.live = x.m.live.Start(a.tb, x.first, a.locate)
	if !a.live.Check() {
		return
	}
	for i := range x.prefix {
		a.live.Call(x.calls[i].call)
		e := &a.events[i]
		e.got, e.has = a.live.Got(i)
		e.ended = true
		if !a.live.Check() {
			return
		}
	}
	if len(x.groups) == 0 {
		a.live.End()
		return
	}
	if x.root == nil && x.m.serial == nil {
		x.root = x.start()
	}
	a.live.Hold()
	a.do = make([][]func(), len(x.calls))
	for i := x.prefix; i < x.drawn(); i++ {
		a.do[i] = a.live.Call(x.calls[i].call)
	}
	a.ready = true
}

// call runs what a call has given to Do, in a worker.
func (a *attempt) call(w, i int) {
	a.now[w] = i
	e := &a.events[i]
	e.began, e.hasBegun = ticks(a.coarse), true
	for _, f := range a.do[i] {
		f()
	}
	e.returned, e.ended = ticks(a.coarse), true
	a.past[w].Add(1)
}

// locate returns the call that the goroutine runs, or for which Do has started it.
func (a *attempt) locate() int {
	w := a.x.worker()
	if w < 0 {
		panic("linear: Got is called in a goroutine that Do has not started itself: call it in " +
			"the function given to Do")
	}
	return a.now[w]
}

// breaks ends the attempt since a call, or the model, has panicked or ended its goroutine.
func (a *attempt) breaks(crash string) {
	if !a.broken.Swap(true) {
		a.crash = crash
	}
}

// conclude judges an attempt that has ended.
func (a *attempt) conclude() {
	a.learn()
	if a.x.m.serial != nil && a.ready && !a.broken.Load() {
		a.finish()
	}
	a.tb.cleanups.Run()
	if a.live != nil {
		a.x.m.live.Ran(a.live)
	}
	switch {
	case a.x.m.serial != nil && !a.ready && !a.tb.Failed(): // a call that runs alone panics
	case a.tb.Failed() || a.broken.Load() && !a.tb.Skipped():
		if a.verdict = failed; a.ready {
			a.verdict = a.x.judgeFailure(a.known, failed)
		}
	case a.tb.Skipped():
	case len(a.x.groups) > 0:
		a.verdict = a.x.judge(a.known)
	}
}

// learn notes what is known of the calls in the end.
func (a *attempt) learn() {
	a.known = a.events
	for i := a.x.prefix; i < len(a.events); i++ {
		if e := &a.events[i]; e.ended {
			e.got, e.has = a.live.Got(i)
		}
	}
}

// crashed returns the text of a panic that is being recovered.
func crashed(r any) string {
	if _, is := r.(interface{ Misuse() }); is { // of callseq
		return fmt.Sprintf("panic: %v", r)
	}
	stack := string(debug.Stack())
	if _, below, ok := strings.Cut(stack, "\npanic("); ok { // leave out what recovers
		stack = "panic(" + below
	}
	return fmt.Sprintf("panic: %v\n\n%s", r, stack)
}
