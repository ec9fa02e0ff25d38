// Package campaign fuzzes targets: it shares the time among them, and records the results.
package campaign

import "time"

// A Rotation decides which target is fuzzed next, by these rules:
//
//  1. The yield of a target is what it has found per CPU second, at least 1 in 1000
//     seconds. Each turn counts half as much as the one after it.
//  2. Half of all time is shared equally, the other half in proportion to the
//     yields; but if some targets reach what has changed, only among them.
//  3. The age of a target in this run is its time, divided by its share. The youngest
//     target goes next. Ties go to the target with the least CPU time in all runs,
//     then to the first.
//
// So each target has a turn before any has two. A target gets at least half of an equal
// share, and falls back to that within a few turns when it finds nothing any more. A Rotation
// is for one goroutine.
type Rotation struct {
	targets []target
}

type target struct {
	record  *Record
	age     float64
	running bool
	retired bool
	reaches bool
}

// NewRotation returns a Rotation among as many targets as there are records of earlier runs. Done
// updates the records.
func NewRotation(records []*Record) *Rotation {
	s := &Rotation{}
	for _, r := range records {
		s.targets = append(s.targets, target{record: r})
	}
	return s
}

// Next returns the index of the target whose turn it is. It does not return it
// again until Done. There is none if all are running or retired.
func (s *Rotation) Next() (i int, ok bool) {
	best := -1
	for i, t := range s.targets {
		if t.running || t.retired {
			continue
		}
		if best < 0 || t.before(s.targets[best]) {
			best = i
		}
	}
	if best < 0 {
		return 0, false
	}
	s.targets[best].running = true
	return best, true
}

// Take is Next for a given target. It reports false if the target is running or retired.
func (s *Rotation) Take(i int) bool {
	t := &s.targets[i]
	free := !t.running && !t.retired
	t.running = t.running || free
	return free
}

func (t target) before(u target) bool {
	if t.age != u.age {
		return t.age < u.age
	}
	return t.record.CPU < u.record.CPU
}

// Done ends the turn of target i. The amount is what is shared out, in any unit;
// found is the number of new inputs of interest.
func (s *Rotation) Done(i int, amount float64, found int64, cpu time.Duration) {
	t := &s.targets[i]
	t.running = false
	t.record.add(found, cpu)
	t.age += amount / s.Of(i)
}

// Reach says that target i reaches what has changed.
func (s *Rotation) Reach(i int) { s.targets[i].reaches = true }

// Retire removes target i from the campaign.
func (s *Rotation) Retire(i int) { s.targets[i].retired = true }

// Of returns the share of target i, above 0 and at most 1. The shares of all that
// are not retired add up to 1.
func (s *Rotation) Of(i int) float64 {
	sum, n := 0.0, 0.0
	some := false // reach what has changed
	for j, t := range s.targets {
		some = some || t.reaches && (j == i || !t.retired)
	}
	yield := func(t target) float64 {
		if some && !t.reaches {
			return 0
		}
		return t.record.Yield()
	}
	for j, t := range s.targets {
		if j == i || !t.retired {
			sum += yield(t)
			n++
		}
	}
	return 0.5/n + 0.5*yield(s.targets[i])/sum
}
