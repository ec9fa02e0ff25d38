package bigen

import (
	"fmt"
	"math"
	"time"
)

// Duration makes any duration. A random one is an integer of nanoseconds up to hours,
// each unit equally often, with the distribution of [Int]: most are short and round,
// and some are the least or the greatest. For a range, use [IntRange].
//
// In the tree, a duration is two integers. The first is 0 for seconds, 1 for
// milliseconds, 2 for microseconds, 3 for nanoseconds, 4 for minutes, 5 for hours.
func Duration() Gen[time.Duration] { return durationGen.get(newDurationGen) }

var durationGen onDemand[Gen[time.Duration]]

var durationUnits = [...]time.Duration{
	time.Second, time.Millisecond, time.Microsecond, time.Nanosecond, time.Minute, time.Hour,
}

type durationParts struct {
	Unit int
	N    time.Duration
}

func newDurationGen() Gen[time.Duration] {
	return view(
		Struct(func(c *C, u *durationParts) {
			At(c, &u.Unit, IntRange(0, len(durationUnits)-1))
			unit := durationUnits[u.Unit]
			At(c, &u.N, edgeRange(math.MinInt64/unit, math.MaxInt64/unit))
		}),
		func(u durationParts) time.Duration { return u.N * durationUnits[u.Unit] },
		func(d time.Duration) (u durationParts, _ bool) {
			for d%durationUnits[u.Unit] != 0 {
				u.Unit++ // up to nanoseconds
			}
			u.N = d / durationUnits[u.Unit]
			return u, true
		},
		func(time.Duration) string { return "" }, // every duration is made
	)
}

// Time makes a time in UTC, to the nanosecond. Both bounds are included, and may be further
// apart than a [time.Duration] can tell. Of random times, a ninth each are beginnings of a
// year, of a month, of a day and so on down to a nanosecond. Years near 2000 are favored, and
// so are first and last days, hours, minutes and so on. Time panics if from is after to, or if
// a year has more than nine digits.
//
// Time does not make times of other locations or with a monotonic clock reading: use their
// UTC().
//
// In the tree, a time is integers: how many follow the year; the years since 2000; and the
// month, day, hour, minute, second, millisecond, microsecond and nanosecond. Parts left out
// have their first possible value.
func Time(from, to time.Time) Gen[time.Time] {
	if from.After(to) {
		panic(fmt.Sprintf("bigen.Time: %v is after %v", from, to))
	}
	r := &timeRange{timeParts(from.UTC()), timeParts(to.UTC())}
	for _, t := range []time.Time{from, to} {
		if year := t.UTC().Year(); year <= -1e9 ||
			year >= 1e9 || !timeParts(t.UTC()).time().Equal(t) {
			panic(fmt.Sprintf("bigen.Time: the year of %v has more than nine digits", t.UTC()))
		}
	}
	from, to = from.UTC(), to.UTC()
	return view(Struct(r.fill),
		func(m moment) time.Time { return m.Part.time() },
		func(t time.Time) (m moment, ok bool) {
			if t != t.UTC() || t.Before(from) || t.After(to) {
				return m, false
			}
			return r.moment(timeParts(t)), true
		},
		func(t time.Time) string {
			if t != t.UTC() {
				return fmt.Sprintf("%v is not in UTC: use its UTC()", t)
			}
			return fmt.Sprintf("%v not in [%v,%v]", t, from, to)
		})
}

// timeFields are the year since yearEpoch, and the month, day, hour, minute, second,
// millisecond, microsecond and nanosecond.
type timeFields [9]int

const yearEpoch = 2000

func timeParts(t time.Time) timeFields {
	ns := t.Nanosecond()
	return timeFields{
		t.Year() - yearEpoch, int(t.Month()), t.Day(), t.Hour(), t.Minute(), t.Second(), ns / 1e6,
		ns / 1e3 % 1e3, ns % 1e3,
	}
}

func (p timeFields) time() time.Time {
	return time.Date(
		p[0]+yearEpoch, time.Month(p[1]), p[2], p[3], p[4], p[5], p[6]*1e6+p[7]*1e3+p[8], time.UTC,
	)
}

// moment is a time whose fields after the first Places+1 are as small as they
// can be.
type moment struct {
	Places int
	Part   timeFields
}

type timeRange struct{ from, to timeFields }

// next returns the range of the i-th part, given the parts before.
func (r *timeRange) next(p *timeFields, i int) (lo, hi int) {
	lo = timeFields{0, 1, 1}[i]
	hi = timeFields{0, 12, 31, 23, 59, 59, 999, 999, 999}[i]
	if i == 2 {
		hi = time.Date(p[0]+yearEpoch, time.Month(p[1]+1), 0, 0, 0, 0, 0, time.UTC).Day()
	}
	first, last := true, true // whether p begins as from does, and as to does
	for j := range i {
		first = first && p[j] == r.from[j]
		last = last && p[j] == r.to[j]
	}
	if first {
		lo = r.from[i]
	}
	if last {
		hi = r.to[i]
	}
	return lo, hi
}

func (r *timeRange) fill(c *C, m *moment) {
	At(c, &m.Places, IntRange(0, len(m.Part)-1))
	for i := range m.Part {
		lo, hi := r.next(&m.Part, i)
		if i <= m.Places {
			At(c, &m.Part[i], edgeRange(lo, hi))
		} else {
			m.Part[i] = lo
		}
	}
}

// moment returns the moment with the fewest places that is p.
func (r *timeRange) moment(p timeFields) moment {
	m := moment{Part: p}
	for i := range p {
		if lo, _ := r.next(&p, i); p[i] != lo && i > 0 {
			m.Places = i
		}
	}
	return m
}
