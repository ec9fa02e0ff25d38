package callseq

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/espalier-go/espalier/internal/bubble"
)

// Bubble makes each sequence run in a bubble of [testing/synctest], in which time is fake:
// timers, tickers and deadlines take no time, and [time.Sleep] within [C.Do] passes as much as
// the model says:
//
//	c.Op("time.Sleep", func() {
//		d := callseq.Arg(c, "d", bigen.IntRange(0, time.Minute))
//		now += d
//		c.Do(func() { time.Sleep(d) })
//	})
//
// A sequence after which all goroutines wait for each other fails. So does one that leaves
// goroutines behind: end the goroutines of what is tested by [C.Cleanup], whose functions run in
// the bubble.
func Bubble() Option { return func(m *Model) { m.bubble = true } }

// runInBubble is Run.
func (m *Model) runInBubble(t testing.TB, calls Calls) {
	t.Helper()
	r := newRunner(t, m)
	r.inBubble = true
	var panicked any
	stack, ended := "", false
	deadlock := bubble.Run(func() {
		defer func() {
			ended = true
			if panicked = recover(); panicked != nil {
				stack = string(debug.Stack())
			}
		}()
		defer r.end()
		defer r.cleanups.Run()
		r.run(calls)
		r.cleanups.Run()
		r.returned = true
	}) != nil
	switch {
	case deadlock && !ended:
		r.c.Errorf("deadlock: all goroutines wait for each other")
		r.report()
	case deadlock && !r.hasFailed():
		r.c.Errorf("the sequence leaves goroutines behind: end the goroutines of what is " +
			"tested by Cleanup, or call Close in End")
		r.report()
	case panicked != nil:
		if _, is := panicked.(misused); is {
			panic(panicked)
		}
		panic(fmt.Sprintf("%v\n\nin a bubble of testing/synctest:\n%s", panicked, stack))
	case !r.returned:
		runtime.Goexit()
	}
}

// Cleanup registers a function that is called at the end of the run. The last one registered
// is called first.
func (c *C) Cleanup(f func()) {
	if r := c.runner; r != nil && r.inBubble {
		r.cleanups.Add(f)
		return
	}
	c.TB.Cleanup(f)
}
