package fuzzext

import (
	"reflect"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/schedule"
	"github.com/espalier-go/espalier/bigen/schedule/point"
	"github.com/espalier-go/espalier/internal/bubble"
)

// Concurrent explores the schedules of a concurrent test, which starts goroutines:
//
//	func TestCounter(t *testing.T) {
//		fuzzext.Concurrent(t, func(t *fuzzext.T) {
//			var c Counter
//			var wg sync.WaitGroup
//			wg.Go(c.Add)
//			wg.Go(c.Add)
//			wg.Wait()
//			if n := c.Value(); n != 2 {
//				t.Error(n)
//			}
//		})
//	}
//
// It is [Check] of a property without a value, with the option [Schedules].
func Concurrent(t *testing.T, prop func(t *T), opts ...Option) {
	p := subjectOf(bigen.Just(any(nil)), func(t *T, _ any) { prop(t) })
	if conclude := runCheck(t, newSpec("Concurrent", 1, p, append(opts, Schedules()))); conclude != nil {
		t.Helper()
		conclude()
	}
}

// Schedules makes each run of the property follow a schedule, which becomes a part of the value: a
// [schedule.Case]. So a failure that took a rare schedule returns, its schedule is minimized, and the
// report shows it. Schedules includes [Bubble].
//
// It takes corpusgen test, which runs go test with points in the code at which goroutines can be
// stopped. With go test alone, each run follows a schedule by chance.
func Schedules() Option {
	return func(o *options) { o.bubble, o.schedules = true, scheduled }
}

// scheduled returns a subject of which each run follows a schedule.
func scheduled(s subject) subject {
	run := func(t *T, v any) {
		c := v.(schedule.Case)
		if !point.Instrumented() {
			bubbled(s.prop)(t, c.Value)
			return
		}
		bubble.Run(func() {
			t.follows(point.Run(c.Schedule.Of, bubble.Wait, func() { t.inBubble(s.prop, c.Value) }, t.panicked))
		})
	}
	return subject{bigen.Any(schedule.With(s.gen)), run, reflect.TypeFor[schedule.Case]()}
}

// ofSchedules gives a Check of schedules, which are many, ten times as many values.
func (c *check) ofSchedules() {
	switch {
	case c.x.schedules == nil:
	case !point.Instrumented():
		c.t.Log("fuzzext.Schedules: go test leaves the schedules to chance: run corpusgen test")
	case c.Least < c.Most:
		c.Most *= 10
	}
}

// follows says how a run has ended that follows a schedule.
func (t *T) follows(r point.Result) {
	if text, where, key := r.Stuck(); text != "" {
		t.dropCleanups()
		if !t.Failed() && !t.Skipped() {
			t.put(text, where, key, "")
		}
	}
	if t.Failed() {
		t.put("\nthe schedule: where each turn ended, in a column for each goroutine\n"+r.String(), "", "", "")
	}
}
