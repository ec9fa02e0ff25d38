package api

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// ending is how a sequence has ended.
type ending struct {
	class    Class
	at       int // the call after which it has
	message  string
	place    string // of a panic
	violated *violation
}

// maxTime ends a sequence before its next call: each of repeated calls may double a value.
const maxTime = 250 * time.Millisecond

// run runs a sequence.
func (g *generator) run(calls []opCall) (e ending) {
	g.begin()
	if len(g.fatal) > 0 && g.fatal[hashCalls(calls)] {
		return ending{class: Invalid, at: len(calls) - 1}
	}
	g.watch.enter(calls)
	g.quiet.begin()
	defer func() {
		if p := recover(); p != nil {
			e = g.endOf(p)
		}
		e.at = g.turn
		g.quiet.cleanups.Run()
	}()
	last, begun := len(calls)-1, time.Now()
	repeated := last // the first of calls that are repeated
	for repeated > 0 && calls[repeated-1].op == calls[last].op {
		repeated--
	}
	for i := range calls {
		g.turn = i
		c := &calls[i]
		watched := i == last && c.op.plan.pure.wanted()
		var before uint64
		n := len(g.cells)
		if watched {
			before = g.together(first(n))
		}
		if i == repeated || i == last {
			g.beforeCall(i > repeated)
		}
		if class := g.step(c.op, c.args, c.first); class != Passed {
			return ending{class: class, message: g.refusal()}
		}
		if g.quiet.failed {
			return ending{class: Error, message: g.quiet.text}
		}
		if i < last && time.Since(begun) > maxTime {
			c.op.plan.heavy = true
			return ending{class: Invalid}
		}
		if watched {
			c.op.plan.pure.note(before == g.together(first(n)))
		}
	}
	if v := g.afterCall(); v != nil {
		return ending{class: Error, violated: v}
	}
	return ending{class: Passed}
}

func first(n int) func(i int) bool { return func(i int) bool { return i < n } }

// endOf returns how a sequence ends by a panic.
func (g *generator) endOf(p any) ending {
	up, ok := p.(givenUp)
	switch {
	case !g.doing && ok:
		misuse("does not make the call that was chosen: %s", g.quiet.text)
	case !g.doing:
		panic(p)
	case ok && up.skipped:
		return ending{class: Invalid}
	case ok:
		return ending{class: Error, message: g.quiet.text}
	}
	class := g.panicked(p)
	if class != Error {
		return ending{class: class}
	}
	return ending{class: class, message: "panic: " + guarded(func() string { return fmt.Sprint(p) }), place: panicPlace()}
}

// panicPlace returns where the innermost function runs that has panicked, outside of the
// standard library if there is one.
func panicPlace() string {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	where, below := "", false
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		switch {
		case f.Function == "runtime.gopanic":
			below = true
			continue
		case !below || strings.HasPrefix(f.Function, "runtime."):
			continue
		}
		if strings.HasSuffix(f.Function, "/api.(*C).Do") {
			break
		}
		here := fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
		if where == "" {
			where = here
		}
		if domain, _, _ := strings.Cut(f.Function, "/"); strings.Contains(domain, ".") && strings.Contains(f.Function, "/") {
			return here
		}
	}
	return where
}

// runWith runs calls, and checks a contract at the end, if one is given.
func (g *generator) runWith(calls []opCall, contract string) ending {
	g.flat = append(g.flat[:0], calls...)
	e := g.run(g.flat)
	if e.class == Passed && contract != "" {
		g.only = contract
		if v := g.violation(everything); v != nil {
			e = ending{class: Error, at: len(calls) - 1, violated: v}
		}
		g.only = ""
	}
	return e
}

// traceRun runs calls and traces them. If contract is set, it is checked at the end.
func (g *generator) traceRun(calls []opCall, contract string) ending {
	g.tracing, g.named = true, nil
	return g.runWith(calls, contract)
}

func (g *generator) untrace() { g.tracing = false }
