// Package cron has bugs of github.com/robfig/cron/v3.
package cron

import (
	"fmt"
	"strconv"
	"time"
	_ "time/tzdata" // so that all machines have the zones

	"github.com/robfig/cron/v3"
	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/eval/bug"
)

const source = "hegeldev/hegel-zoo, targets/go/cron"

// Bugs are the bugs.
var Bugs = []bug.Bug{
	bug.New(bug.Spec[question]{
		Name:   "cron/2",
		Title:  "Next skips a day that has no midnight",
		Source: source,
		Gen: bigen.Struct(func(c *bigen.C, q *question) {
			bigen.At(c, &q.Zone, bigen.OneOf(zones...))
			bigen.At(c, &q.Start, bigen.IntRange(begin, end))
			bigen.At(c, &q.Minute, bigen.IntRange(0, 59))
			bigen.At(c, &q.Hour, bigen.IntRange(firstHour, lastHour))
			bigen.At(c, &q.Day, bigen.Ptr(bigen.IntRange(1, 31)))
			bigen.At(c, &q.Month, bigen.Ptr(bigen.IntRange(1, 12)))
			bigen.At(c, &q.Weekday, bigen.Ptr(bigen.IntRange(0, 6)))
		}),
		Rapid: func(t *rapid.T) question {
			return question{
				rapid.SampledFrom(zones).Draw(t, "zone"),
				rapid.Int64Range(begin, end).Draw(t, "start"),
				rapid.IntRange(0, 59).Draw(t, "minute"),
				rapid.IntRange(firstHour, lastHour).Draw(t, "hour"),
				rapid.Ptr(rapid.IntRange(1, 31), true).Draw(t, "day"),
				rapid.Ptr(rapid.IntRange(1, 12), true).Draw(t, "month"),
				rapid.Ptr(rapid.IntRange(0, 6), true).Draw(t, "weekday"),
			}
		},
		Fails: func(q question) string {
			schedule, err := cron.ParseStandard(q.spec())
			if err != nil {
				return err.Error()
			}
			if got, want := schedule.Next(q.start()), q.next(); !got.Equal(want) {
				return fmt.Sprintf("%s, after %v: %v, want %v", q.spec(), q.start(), got, want)
			}
			return ""
		},
	}),
	bug.New(bug.Spec[string]{
		Name:   "cron/4",
		Title:  "a field of commas alone is accepted, and never fires",
		Source: source,
		Gen:    bigen.Matching(fields),
		Rapid:  func(t *rapid.T) string { return rapid.StringMatching(fields).Draw(t, "spec") },
		Fails: func(spec string) string {
			schedule, err := cron.ParseStandard(spec)
			if err != nil {
				return ""
			}
			s := schedule.(*cron.SpecSchedule)
			for i, bits := range []uint64{s.Minute, s.Hour, s.Dom, s.Month, s.Dow} {
				if bits == 0 {
					return fmt.Sprintf("field %d of %q is empty", i, spec)
				}
			}
			return ""
		},
	}),
}

const (
	item   = `(\*|[0-9]{0,2}|[0-9]-[0-9]{1,2}|\*/[1-9])`
	field  = item + `(,` + item + `){0,2}`
	fields = field + `( ` + field + `){4}`
)

// Hours at which no clock is changed.
const firstHour, lastHour = 3, 20

var (
	zones = []string{
		"UTC", "America/Havana", "America/New_York", "America/Santiago", "America/Sao_Paulo",
		"Asia/Beirut", "Asia/Tokyo", "Europe/Berlin",
	}
	begin = time.Date(2010, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	end   = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
)

// A question asks for the first time after a start: once on each day that matches.
type question struct {
	Zone                string
	Start               int64
	Minute, Hour        int
	Day, Month, Weekday *int
}

func (q question) start() time.Time {
	zone, err := time.LoadLocation(q.Zone)
	if err != nil {
		panic(err)
	}
	return time.Unix(q.Start, 0).In(zone)
}

func (q question) spec() string {
	return fmt.Sprintf("%d %d %s %s %s", q.Minute, q.Hour, star(q.Day), star(q.Month), star(q.Weekday))
}

func star(n *int) string {
	if n == nil {
		return "*"
	}
	return strconv.Itoa(*n)
}

// next tries the days one after another. Like cron, it gives up after five years.
func (q question) next() time.Time {
	start := q.start()
	for i := 0; ; i++ {
		at := time.Date(start.Year(), start.Month(), start.Day()+i, q.Hour, q.Minute, 0, 0,
			start.Location())
		if at.Year() > start.Year()+5 {
			return time.Time{}
		}
		if at.After(start) && q.matches(at) {
			return at
		}
	}
}

func (q question) matches(at time.Time) bool {
	day, weekday := q.Day == nil || *q.Day == at.Day(), q.Weekday == nil ||
		*q.Weekday == int(at.Weekday())
	on := day && weekday
	if q.Day != nil && q.Weekday != nil { // then either will do
		on = day || weekday
	}
	return on && (q.Month == nil || *q.Month == int(at.Month()))
}
