// Package point is what corpusgen test compiles into the packages that it tests. Their
// operations on channels, locks, atomic values and goroutines call it, and so do statements
// that access memory that goroutines may share. Do not import it.
//
// In a run of [Run], one of these goroutines runs at a time. It runs until it waits, or until the
// schedule delays it at a point: a call of this package. Outside a run, the operations do what the
// standard library does.
package point

import (
	"context"
	"math"
	"runtime"
	"sync/atomic"
	"time"
)

// Instrument says that a package has points.
func Instrument() bool {
	instrumented.Store(true)
	if pc, _, _, ok := runtime.Caller(1); ok {
		path, _ := packageOf(runtime.FuncForPC(pc).Name())
		withPoints.Store(path, true)
	}
	watch()
	return true
}

var instrumented atomic.Bool

// Instrumented reports whether a package of this process has points.
func Instrumented() bool { return instrumented.Load() }

// Running reports whether there is a run.
func Running() bool { return active.Load() != nil }

// Stopped reports whether there is a run that ends its goroutines, because it would not end
// otherwise.
func Stopped() bool {
	r := active.Load()
	return r != nil && r.ending != ""
}

// Self returns the number of the calling goroutine in the run.
func Self() int { return active.Load().current.id }

// Explain sets the function that is called if goroutines of the run wait forever. It returns what a
// test says about that, and whether the test fails. If the run is not stuck but fails, f returns
// what the test has not said about it.
func Explain(f func(stuck bool) (text string, fails bool)) { active.Load().explain = f }

// Apart calls f, in which points do nothing. f may start goroutines, and must not wait for
// goroutines of the run.
func Apart(f func()) {
	if r := active.Load(); r != nil && r.apart.CompareAndSwap(false, true) {
		defer r.apart.Store(false)
	}
	f()
}

// Here is a point.
func Here() { pass() }

// Before is a point after the evaluation of v.
func Before[T any](v T) T {
	pass()
	return v
}

// pass passes a point. It returns the goroutine that runs, or nil outside a run.
func pass() *goroutine { return passAt(nil) }

// passAt passes a point before an operation on an object, which is nil if it is not known.
//
//go:norace
func passAt(object any) *goroutine {
	r := active.Load()
	if r == nil {
		return nil
	}
	g := r.self()
	if g == nil {
		return nil
	}
	g.points++
	if r.records {
		g.touch(object)
	}
	if g.points >= g.stop {
		g.pause()
	}
	return g
}

// A touch is a point at which a goroutine was about to use an object.
type touch struct {
	goroutine, point int
	object           any
	at               *Event // or nil
}

// touch records a point.
//
//go:norace
func (g *goroutine) touch(object any) {
	r := g.run
	if len(r.touched) == mostTouched {
		return
	}
	t := touch{g.id, g.points, object, nil}
	if r.traces {
		t.at = &Event{Goroutine: g.id, Point: g.points}
		runtime.Callers(3, t.at.pcs[:])
	}
	r.touched = append(r.touched, t)
}

// mostTouched is how many touches are recorded.
const mostTouched = 10_000

// shared returns, by goroutine, the points at which it used an object that another one also
// used, or an unknown object.
func (r *run) shared() [][]int {
	type use struct {
		first int
		many  bool
	}
	uses := map[any]use{}
	for _, t := range r.touched {
		if u, ok := uses[t.object]; !ok {
			uses[t.object] = use{first: t.goroutine, many: t.object == nil}
		} else if u.first != t.goroutine {
			uses[t.object] = use{many: true}
		}
	}
	points := make([][]int, len(r.all))
	for _, t := range r.touched {
		if uses[t.object].many {
			points[t.goroutine] = append(points[t.goroutine], t.point)
		}
	}
	return points
}

// pause delays the goroutine if the schedule says so at this point, or if it has had a long turn.
//
//go:norace
func (g *goroutine) pause() {
	r := g.run
	before := -1
	for len(g.delays) > 0 && g.delays[0] <= g.points {
		again := g.delays[0] == before
		before, g.delays = g.delays[0], g.delays[1:]
		switch {
		case r.alive == 1 || r.ending != "":
		case again:
			g.late()
		case g.points == 0:
			g.yield("delayed before it begins")
		default:
			g.yield("delayed")
		}
	}
	if g.points >= g.turn+longTurn {
		g.turn = g.points
		if r.patience == 0 { // no other is late, for which this one may wait
			r.long++
		}
		if r.long > mostLong {
			g.livelock()
		}
		g.yield("interrupted")
	}
	g.stop = g.turn + longTurn
	if len(g.delays) > 0 {
		g.stop = min(g.stop, g.delays[0])
	}
}

// passes reports whether the schedule delays the goroutine at its next point, which stands for one
// alternative of an operation.
//
//go:norace
func (g *goroutine) passes() bool {
	g.points++
	if len(g.delays) == 0 || g.delays[0] > g.points {
		return false
	}
	g.delays = g.delays[1:]
	return true
}

// A goroutine that does not wait passes at most longTurn points before another one gets the
// turn. A run of more than mostLong such turns, or more than mostTurns of any kind, counts as
// a livelock.
const (
	longTurn  = 1000
	mostLong  = 1000
	mostTurns = 200_000
)

// livelock ends a run that does not seem to end.
//
//go:norace
func (g *goroutine) livelock() {
	r := g.run
	if r.ending == "" {
		g.note("runs", 1)
		r.ending, r.loops = Livelock, []Event{g.last}
		runtime.Goexit()
	}
	if r.long > 2*mostLong {
		g.block("runs")
		select {} // a deferred function has not ended, either
	}
}

// Gosched is runtime.Gosched.
func Gosched() {
	if g := pass(); g != nil {
		g.yield("Gosched")
		return
	}
	runtime.Gosched()
}

// Sleep is time.Sleep.
func Sleep(d time.Duration) {
	g := pass()
	g.block("Sleep")
	time.Sleep(d)
	g.arrive()
}

// ContextAfterFunc is context.AfterFunc.
func ContextAfterFunc(ctx context.Context, f func()) (stop func() bool) {
	return context.AfterFunc(ctx, Callback(f))
}

// AfterFunc is time.AfterFunc.
func AfterFunc(d time.Duration, f func()) *time.Timer { return time.AfterFunc(d, Callback(f)) }

// Callback returns f as a function that package context or time calls in a goroutine of its own.
func Callback(f func()) func() {
	child := Spawn()
	if child.g == nil {
		return f
	}
	child.g.run.forget(child.g)
	return func() {
		child.g.run.begins(child.g)
		child.Run(f)
	}
}

// never is a number of points that no run has.
const never = math.MaxInt
