package explain

import (
	"fmt"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen/schedule"
	"github.com/espalier-go/espalier/bigen/schedule/point"
	"github.com/espalier-go/espalier/fuzzext/internal/values"
)

// needs says of each delay of a minimal schedule which order makes the run fail: that an operation
// of another goroutine precedes the one that is delayed. It finds the operation by trying: if the
// delayed goroutine resumes after it, the run fails, and if it resumes before, the run passes.
func (f *Failure) needs() (text string) {
	c, ok := f.Value.(schedule.Case)
	if !ok || len(c.Schedule) == 0 {
		return ""
	}
	trace := point.Trace(func() { _, _, _ = f.Run(c) })
	for _, d := range c.Schedule {
		begin := slices.IndexFunc(trace, func(e *point.Event) bool {
			return e.Goroutine == d.Goroutine && e.Point == d.Point
		})
		if begin < 0 {
			continue // it passes over a case of a select statement
		}
		meanwhile := trace[begin+1:]
		own := func(e *point.Event) bool { return e.Goroutine == d.Goroutine }
		if end := slices.IndexFunc(meanwhile, own); end >= 0 {
			meanwhile = meanwhile[:end]
		}
		if i := f.decisive(c, meanwhile); i >= 0 {
			text += fmt.Sprintf("%s before %s\n", operation(meanwhile[i]), operation(trace[begin]))
		}
	}
	return strings.TrimSuffix(text, "\n")
}

// decisive bisects the points that others pass while a goroutine is delayed. The run fails if the
// goroutine resumes after the point that it returns, and passes if it resumes before. It returns -1
// if it finds no such point.
func (f *Failure) decisive(c schedule.Case, meanwhile []*point.Event) int {
	if f.resumed(c, meanwhile) {
		return -1
	}
	passes, fails := 0, len(meanwhile) // if it resumes after so many points of others
	for fails-passes > 1 && !f.Over() {
		if n := (passes + fails) / 2; f.resumed(c, meanwhile[n:]) {
			fails = n
		} else {
			passes = n
		}
	}
	if fails-passes != 1 {
		return -1
	}
	return passes
}

// resumed reports whether the run fails, too, if all others are delayed before these points, so
// that the delayed goroutine resumes.
func (f *Failure) resumed(c schedule.Case, before []*point.Event) bool {
	edited, known := slices.Clone(c.Schedule), map[int]bool{}
	for _, e := range before {
		if !known[e.Goroutine] {
			known[e.Goroutine] = true
			edited = append(edited, schedule.Delay{Goroutine: e.Goroutine, Point: e.Point})
		}
	}
	verdict, same, ok := f.Run(schedule.Case{Schedule: edited, Value: c.Value})
	return ok && same && verdict == values.Failed
}

// operation names what follows a point.
func operation(e *point.Event) string {
	place, function := e.Place()
	if place == "" {
		return fmt.Sprintf("the beginning of goroutine %d", e.Goroutine)
	}
	if after := e.After(); after != "" {
		place = "what follows " + after + " at " + place
	}
	return fmt.Sprintf("%s in %s (goroutine %d)", place, function, e.Goroutine)
}
