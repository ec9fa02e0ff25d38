package api

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen/callseq"
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
func (g *generator) run(calls []flatCall) (e ending) {
	g.begin()
	if len(g.fatal) > 0 && g.fatal[hashCalls(calls)] {
		return ending{class: Invalid, at: len(calls) - 1}
	}
	g.watch.enter(calls)
	tb := g.c.TB.(*quiet)
	tb.begin()
	defer func() {
		if p := recover(); p != nil {
			e = g.endOf(p, tb)
		}
		e.at = g.turn
		tb.cleanups.Run()
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
		if tb.failed {
			return ending{class: Error, message: tb.text}
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
func (g *generator) endOf(p any, tb *quiet) ending {
	up, ok := p.(givenUp)
	switch {
	case !g.doing && ok:
		misuse("does not make the call that was chosen: %s", tb.text)
	case !g.doing:
		panic(p)
	case ok && up.skipped:
		return ending{class: Invalid}
	case ok:
		return ending{class: Error, message: tb.text}
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

// purity says whether an operation leaves its argument as it is, judging by some calls.
type purity struct {
	calls  int
	impure bool
}

// wanted reports whether more calls should be judged.
func (x *purity) wanted() bool { return !x.impure && x.calls < 30 }

// sure reports whether enough calls have been judged.
func (x *purity) sure() bool { return !x.impure && x.calls == 30 }

func (x *purity) note(same bool) {
	x.calls++
	x.impure = !same
}

// observer reports whether the operation can be called for what it returns: it has one
// argument, which it leaves as it is.
func (o *Op) observer() bool {
	return !o.plan.pure.impure && o.plan.pure.calls >= 3 && len(o.plan.draws)-o.plan.made == 1 && !flat(o.receiver().typ)
}

// receiver returns the pool of the first argument.
func (o *Op) receiver() *base {
	i := slices.IndexFunc(o.plan.draws, func(d draw) bool { return !d.result })
	return o.plan.draws[i].pool
}

// traceOf returns calls as a sequence of the generator, or nil if the API does not have them.
func (g *generator) traceOf(calls callseq.Calls) (s *sequence) {
	defer func() {
		if p := recover(); p != nil {
			if _, ok := p.(givenUp); !ok && !g.doing {
				panic(p)
			}
		}
		s = g.traced(len(calls))
		g.c.TB.(*quiet).cleanups.Run()
	}()
	for _, call := range calls {
		g.stepCall(call)
	}
	return nil
}

// traced returns the calls that have been traced as a sequence, or nil if there are not n.
func (g *generator) traced(n int) *sequence {
	if len(g.trace) < n || n == 0 {
		return nil
	}
	s := &sequence{length: n}
	for i := range g.trace {
		t := &g.trace[i]
		c := ownCall{op: t.op}
		for _, a := range t.args {
			switch a.arg.kind {
			case argResult:
				s.results++
				continue
			case argLiteral:
				a.arg.slot = hashLiteral(a.arg.lit)
			}
			c.args = append(c.args, a.arg)
		}
		if len(c.args)+t.op.plan.made != len(t.op.plan.draws) {
			return nil // the call has failed before it was given all
		}
		s.calls = append(s.calls, c)
	}
	return s
}
