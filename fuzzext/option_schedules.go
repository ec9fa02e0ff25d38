package fuzzext

import (
	"cmp"
	"reflect"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/schedule"
	"github.com/espalier-go/espalier/bigen/schedule/point"
	"github.com/espalier-go/espalier/internal/bubble"
)

// Concurrent explores the schedules of a concurrent test, which starts goroutines:
//
//	fuzzext.Concurrent(t, func(t *fuzzext.T) {
//		var c Counter
//		var wg sync.WaitGroup
//		wg.Go(c.Add)
//		wg.Go(c.Add)
//		wg.Wait()
//		fuzzext.Equal(t, c.Value(), 2)
//	})
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

// scheduled returns a subject of which each run follows a schedule, and changes the options of x that are for
// values without one.
func scheduled(s subject, x *spec) subject {
	own := subject{bigen.Any(schedule.With(s.gen)), nil, reflect.TypeFor[schedule.Case]()}
	if x.examples.typ == s.typ {
		for i, v := range x.examples.values {
			x.examples.values[i] = schedule.Case{Value: v}
		}
		x.examples.typ = own.typ
	}
	if key := x.unique.key; x.unique.typ == s.typ {
		x.unique = uniqueKey{own.typ, func(v any) uint64 { return key(v.(schedule.Case).Value) }}
	}
	if !point.Instrumented() {
		own.prop = func(t *T, v any) { bubbled(s.prop)(t, v.(schedule.Case).Value) }
		return own
	}
	learner := schedule.Learner{Values: s.typ != reflect.TypeFor[any]()} // Concurrent has none
	if x.prior == nil {
		x.prior = &learner
	}
	own.prop = func(t *T, v any) {
		c := v.(schedule.Case)
		bubble.Run(func() {
			records, verifies := learner.Next()
			r := point.Run(c.Schedule.Of, records, verifies, bubble.Wait, func() { t.inBubble(s.prop, c.Value) }, t.panicked)
			if text, where, key := r.Failure(t.Failed()); text != "" && !t.Skipped() {
				t.put(text, where, key, "")
			}
			if r.Ending != "" {
				t.dropCleanups()
			}
			if t.Failed() {
				t.put(r.Unsaid()+"\nthe schedule: where each turn ended, in a column for each goroutine\n"+r.String(), "", "", "")
			}
			learner.Learn(r.Shared, t.Failed())
			x.fault = cmp.Or(x.fault, r.Foreign)
		})
	}
	return own
}

// ofSchedules tells the tally of a Check of schedules what they are, or the user that they are none.
func (c *check) ofSchedules() {
	const chance = "go test leaves the schedules to chance: run corpusgen test"
	switch {
	case c.x.schedules == nil:
	case point.Instrumented():
		c.OfSchedules()
	case len(c.saved) > 0:
		tell(c.t, chance)
	default:
		c.t.Log("fuzzext.Schedules: " + chance)
	}
}
