package api

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/espalier-go/espalier/internal/panics"
)

// maxTime is the CPU time that ends a sequence before its next call: each of repeated calls may
// double a value.
var maxTime = 250 * time.Millisecond

// run runs a sequence. Before each call that may be the first to end the process, it tells.
func (g *generator) run(s *sequence) (e ending) {
	if g.ends(s) {
		return ending{class: Invalid}
	}
	g.begin()
	g.runs, g.entry = s, nil
	begun, used := time.Now(), cpuTime()
	g.quiet.begin()
	restore := keepEnv()
	g.arm() // also calls that have passed before may hang, by what others have done since
	defer func() {
		if p := recover(); p != nil {
			e = g.endOf(p)
			e.at = g.turn
		}
		g.quiet.cleanups.Run()
		restore()
		if !g.away { // what is left of it must end, too
			g.timer.Stop()
		}
	}()
	e = g.play(s.calls, func(i int) bool {
		slow := i > 0 && time.Since(begun) > maxTime && cpuTime()-used > maxTime
		g.op.heavy = g.op.heavy || slow
		return !slow
	}, func(int) *violation { return nil })
	if g.quiet.failed && e.class == Error {
		e.message = g.quiet.text
	}
	return e
}

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
	if g.tracing {
		g.now().panics = true
	}
	text := guarded(func() string { return fmt.Sprint(p) })
	if class != Error {
		return ending{class: class, message: "panic: " + text}
	}
	return ending{class: class, message: "panic: " + text, place: panicPlace()}
}

// panicPlace returns where the innermost function runs that has panicked, outside of the
// standard library if there is one.
func panicPlace() string {
	where := ""
	for f := range panics.Frames() {
		if strings.HasSuffix(f.Function, "/api.(*C).Do") {
			break
		}
		where = cmp.Or(where, panics.Place(f))
		domain, _, inModule := strings.Cut(f.Function, "/")
		if inModule && strings.Contains(domain, ".") {
			return panics.Place(f)
		}
	}
	return where
}

// judge returns a contract that does not hold. It may wait, as for a lock that a call has left
// held.
func (g *generator) judge(d due) *violation {
	g.arm()
	defer g.timer.Stop()
	return g.violation(d)
}

// runWith runs a sequence, and checks a contract at the end, if one is given.
func (g *generator) runWith(s *sequence, contract string) ending {
	e := g.run(s)
	if e.class == Passed && contract != "" {
		d := everything
		d.only = contract
		if v := g.judge(d); v != nil {
			e = ending{class: v.class, at: len(s.calls) - 1, violated: v}
		}
	}
	return e
}
