// Package schedule has the schedules of concurrent tests as values: what fuzzext.Concurrent and the
// option fuzzext.Schedules make, minimize and save.
//
// Without delays, each goroutine runs until it waits or ends, and then the first one that can run,
// in the order in which they were started. A delay makes a goroutine the last, before one of its
// operations. Most bugs of concurrent code need one or two delays (Emmi, Qadeer and Rakamarić,
// "Delay-Bounded Scheduling", POPL 2011). So the schedule with the fewest delays is the simplest
// explanation of a bug.
package schedule

import (
	"github.com/espalier-go/espalier/bigen"
	"golang.org/x/exp/slices"
)

// A Schedule says which goroutines are delayed, and where.
type Schedule []Delay

// A Delay makes a goroutine wait, before one of its operations, until the others wait or have
// ended. If the operation is a select statement of several cases, a delay may pass over a case
// instead. The same delay again makes the goroutine late: time passes, up to 5 milliseconds, and
// goroutines that sleep so long continue before it. A goroutine is late at most four times.
type Delay struct {
	Goroutine int // 0 is the test's; others are numbered in the order of their go statements
	Point     int // the number of the operation, from 1; 0 is the beginning of the goroutine
}

// A Case is a value and the schedule of the run on it.
type Case struct {
	Schedule Schedule
	Value    any
}

// With returns a generator of the values of g with schedules.
func With(g bigen.Gen[any]) bigen.Gen[Case] {
	return bigen.Struct(func(c *bigen.C, x *Case) {
		bigen.At(c, &x.Schedule, schedules)
		bigen.At(c, &x.Value, g)
	})
}

// The most that a schedule has.
const (
	mostGoroutines = 1 << 12
	mostPoints     = 1 << 20
	mostDelays     = 1 << 10
)

// schedules makes schedules. The numbers of operations and goroutines of the code are not known,
// so each magnitude has a share.
var schedules = bigen.As[Schedule](bigen.Pick(
	few("8", 3, 8), few("16", 3, 16), few("32", 4, 32).Weight(2), few("64", 4, 64).Weight(2),
	few("128", 6, 128), few("512", 12, 512), few("8192", 32, 8192),
	bigen.Tag("many", bigen.SliceOf(delays(4, 64), 0, 64)),
	bigen.Tag("any", bigen.SliceOf(delays(mostGoroutines, mostPoints), 0, mostDelays)).Weight(0),
))

// few returns an alternative of a few delays.
func few(tag string, goroutines, points int) bigen.Alt[[]Delay] {
	return bigen.Tag(tag, bigen.SliceOf(delays(goroutines, points), 0, 4))
}

func delays(goroutines, points int) bigen.Gen[Delay] {
	return bigen.Struct(func(c *bigen.C, d *Delay) {
		bigen.At(c, &d.Goroutine, bigen.IntRange(0, goroutines))
		bigen.At(c, &d.Point, bigen.IntRange(0, points))
	})
}

// Of returns the points at which a goroutine is delayed, in their order.
func (s Schedule) Of(goroutine int) (points []int) {
	for _, d := range s {
		if d.Goroutine == goroutine {
			points = append(points, d.Point)
		}
	}
	slices.Sort(points)
	return points
}
