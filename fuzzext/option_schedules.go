package fuzzext

import (
	"cmp"
	"reflect"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/schedule"
	"github.com/espalier-go/espalier/bigen/schedule/point"
	"github.com/espalier-go/espalier/internal/bubble"
)

// Schedules makes each run of the property follow a schedule, which becomes a part of the value: a
// [schedule.Case]. So a failure that took a rare schedule returns, its schedule is minimized, and
// the report shows it. Schedules includes [Bubble].
//
// It takes corpusgen test, which runs go test with points in the code at which goroutines can be
// stopped. With go test alone, each run follows a schedule by chance.
func Schedules() Option {
	return func(o *options) { o.around, o.schedules = scheduled, true }
}

// scheduled makes each run of a subject follow a schedule, and changes the options that are for
// values without one.
func scheduled(s *subject, o *options) {
	prop, typ := s.prop, s.typ
	s.gen, s.typ = bigen.Any(schedule.With(s.gen)), reflect.TypeFor[schedule.Case]()
	o.withSchedules(typ, s.typ)
	if !point.Instrumented() {
		s.prop = func(t *T, v any) { bubbled(prop)(t, v.(schedule.Case).Value) }
		return
	}
	learner := &schedule.Learner{Values: typ != reflect.TypeFor[any]()} // Concurrent has none
	if o.prior == nil {
		o.prior = learner
	}
	s.prop = func(t *T, v any) {
		bubble.Run(func() { s.follow(v.(schedule.Case), prop, learner, t) })
	}
}

// withSchedules makes the options for values of a type options for values with schedules.
func (o *options) withSchedules(typ, with reflect.Type) {
	if o.examples.typ == typ {
		for i, v := range o.examples.values {
			o.examples.values[i] = schedule.Case{Value: v}
		}
		o.examples.typ = with
	}
	if key := o.unique.key; o.unique.typ == typ {
		o.unique = uniqueKey{with, func(v any) uint64 { return key(v.(schedule.Case).Value) }}
	}
}

// follow runs a property on a value, in a bubble, by a schedule.
func (s *subject) follow(c schedule.Case, prop propFunc, learner *schedule.Learner, t *T) {
	records, verifies := learner.Next()
	r := point.Run(c.Schedule.Of, records, verifies, bubble.Wait,
		func() { t.inBubble(prop, c.Value) }, t.panicked)
	if text, where, key := r.Failure(t.Failed()); text != "" && !t.Skipped() {
		t.put(text, where, cause{text: key})
	}
	if r.Ending != "" {
		t.dropCleanups()
	}
	if t.Failed() {
		t.put(r.Unsaid()+"\nthe schedule: where each turn ended, in a column for each goroutine\n"+
			r.String(), "", cause{})
	}
	learner.Learn(r.Shared, t.Failed(), r.Timed)
	s.fault = cmp.Or(s.fault, r.Foreign)
}
