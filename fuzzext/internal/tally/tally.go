// Package tally counts what a Check has done, says when that is enough, and judges what it has
// shown.
package tally

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/values"
)

// A Tally counts what a Check has done, and says when that is enough.
type Tally struct {
	Limits
	Seed            uint64      // of the random values
	Saved, Examples int         // values that are given
	values.Made                 // as it was at the last value
	Failed          int         // values
	Enough, Slow    atomic.Bool // the least number of values will do; a tenth of it

	Valid, Rejected, Invalid int                 // random values
	Distinct                 map[uint64]struct{} // keys of the valid ones, at most maxDistinct
	shapes                   map[uint64]struct{} // of the valid ones, at most maxDistinct
	labels                   labels
	validity                 validity
	schedules                bool // are the values

	NeverCalled func() []string // the operations that no sequence of calls has; or nil
	Cheap       func() bool     // less than CheapTime has been used; nil for false
}

// Limits say how many values of a Check should be valid.
type Limits struct {
	Most, Least int  // how many are wanted, and how many in any case; Most is 0 for no bound
	More        int  // how many more, as long as they are cheap
	Exact       bool // however many are tried for that
}

const (
	manyChecks = 1000
	moreChecks = 1000
	someChecks = 100
	keptChecks = 5000 // of a Check that continues after failures
	shortPart  = 10   // divides limits under -short
	slowPart   = 10   // divides the least number for what is slow
	attempts   = 20   // how many values are made at most for each that should be valid

	// CheapTime is how long a Check looks for more than the wanted number of valid values, in
	// all. Some bugs show in one value of thousands, and no test suite gets twice as slow.
	CheapTime = 50 * time.Millisecond

	// EnoughTime is how long a Check looks for more than the least number of valid values.
	EnoughTime = time.Second

	// SlowTime is how long it looks for more than a tenth of that number.
	SlowTime = 5 * time.Second

	// KeptTime is how long one does that continues after failures, by the clock.
	KeptTime = time.Minute
)

// LimitsOf returns the limits of a Check, given the values of the flag and of the option, or 0.
func LimitsOf(flag, option int, keeps, seeded bool) Limits {
	l := Limits{Most: manyChecks, Least: someChecks, More: moreChecks}
	switch {
	case flag > 0:
		return Limits{Most: flag, Least: flag, Exact: seeded}
	case option > 0:
		l = Limits{Most: option, Least: option}
	case keeps:
		l = Limits{Most: keptChecks, Least: someChecks}
	}
	if testing.Short() {
		l.Most, l.Least = max(1, l.Most/shortPart), max(1, l.Least/shortPart)
		l.More /= shortPart
	}
	return l
}

// New returns the tally of a Check.
func New(l Limits, seed uint64, saved, examples int) *Tally {
	return &Tally{
		Limits:   l,
		Seed:     seed,
		Saved:    saved,
		Examples: examples,
		labels:   labels{},
		Distinct: map[uint64]struct{}{},
		shapes:   map[uint64]struct{}{},
	}
}

// bonus is how many times as many schedules run as values, if there is time.
const bonus = 10

// OfSchedules says that the values are schedules, which are many.
func (n *Tally) OfSchedules() {
	if n.schedules = true; n.Least < n.Most {
		n.Most *= bonus
		n.More = 0
	}
}

// Record counts the run on the i-th value. It reports whether another one follows. It does not
// count a run whose failure has been collected.
func (n *Tally) Record(
	i int, t choices.Tree, made values.Made, run values.Outcome, collected bool,
) (more bool) {
	n.Made = made
	switch {
	case run.Verdict == values.Failed && !collected:
		n.Failed++
	case n.Spent:
		return false
	default:
		if i >= n.Given() {
			n.countRandom(run)
		}
		if n.Invalid+n.Rejected > 0 || i < n.Given() {
			n.validity.note(t, run.Verdict == values.Valid || collected, n.Guided)
		}
	}
	switch {
	case n.Failed > 0:
		return i+1 < n.Saved
	case n.Most == 0:
		return true
	}
	want := n.Most
	switch {
	case n.Slow.Load():
		want = max(1, n.Least/slowPart)
	case n.Enough.Load():
		want = n.Least
	case n.Valid >= n.Most && n.More > 0:
		want = n.wantMore()
	}
	most := want * attempts
	if n.rare() {
		want = n.Least
	}
	return n.Valid < want && (n.random() < most || n.Exact)
}

// wantMore returns how many valid values are wanted once there are as many as usual. It asks for the
// time now and then, since that costs as much as a cheap value.
func (n *Tally) wantMore() int {
	const often = 16
	if (n.Valid-n.Most)%often == 0 && !(n.Cheap != nil && n.Cheap()) {
		n.More = 0
	}
	return n.Most + n.More
}

func (n *Tally) countRandom(run values.Outcome) {
	switch run.Verdict {
	case values.Rejected:
		n.Rejected++
	case values.Invalid:
		n.Invalid++
	default:
		n.Valid++
		n.labels.count(run.Labels)
	}
}

const maxDistinct = 1 << 20

// Distinguish counts a valid value by its key and its shape, unless there are too many.
func (n *Tally) Distinguish(key uint64, t choices.Tree) {
	if len(n.Distinct) < maxDistinct {
		n.Distinct[key] = struct{}{}
	}
	if len(n.shapes) < maxDistinct {
		_, shape := values.SizeAndShape(t)
		n.shapes[shape] = struct{}{}
	}
}

// Given is how many values come before those that are made at random.
func (n *Tally) Given() int { return n.Saved + n.Examples }

// Ran returns how many random values ran before the i-th value. It reports false unless that is
// one.
func (n *Tally) Ran(i int) (ran int, random bool) {
	return i - n.Given() - n.Rejected, i >= n.Given()
}

// random is how many values have been made at random.
func (n *Tally) random() int { return n.Valid + n.Invalid + n.Rejected }

// rare reports whether fewer than 1 in 20 random values were valid.
func (n *Tally) rare() bool {
	random := n.random()
	return random >= attempts && n.Valid*attempts < random
}

// TooFew reports whether so few values were valid that the Check fails.
func (n *Tally) TooFew() bool {
	return n.Failed == 0 && n.rare() && n.Valid < min(n.Least, someChecks)
}

// RepeatFlags returns the flags that make the same random values again, with the one that failed
// unless the Check has continued after failures.
func (n *Tally) RepeatFlags(keeps bool) string {
	s := fmt.Sprintf("-fuzzext.seed=%d", n.Seed)
	if n.Valid >= someChecks/shortPart {
		checks := n.Valid
		if !keeps {
			checks++
		}
		s += fmt.Sprintf(" -fuzzext.checks=%d", checks)
	}
	return s
}
