package fuzzext

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
)

// A tally counts what a Check has done, and says when that is enough.
type tally struct {
	seed        uint64      // of the random values
	want, least int         // valid values: wanted, and wanted in any case; want is 0 for no bound
	enough      atomic.Bool // least will do

	saved, examples          int // values
	validExamples            []int
	valid, rejected, invalid int                 // random values
	distinct                 map[uint64]struct{} // keys of the valid ones, at most maxDistinct
	labels                   map[string]int
	shapes                   map[uint64]struct{} // of the valid ones, at most maxDistinct
	guided                   bool                // the last value is a guided one
	learned                  bool                // some values are guided
	validity                 validity
	spent                    bool // there seem to be no other values
	failed                   []*T
	failedTree               choices.Tree // of the value of the first of these
	passed                   []int        // saved values that have not failed
}

const (
	manyChecks = 1000
	someChecks = 100
	keptChecks = 5000 // with -fuzzext.keepgoing
	shortPart  = 10   // divides both under -short
	attempts   = 20   // how many values are made at most for each that should be valid

	// enoughTime is how long a Check looks for more than least valid values; see budget.
	enoughTime = time.Second
)

// newTally returns the tally of a Check with options.
func newTally(o *options) *tally {
	n := &tally{
		seed:     cmp.Or(flags.seed, o.seed),
		want:     manyChecks,
		least:    someChecks,
		labels:   map[string]int{},
		distinct: map[uint64]struct{}{},
		shapes:   map[uint64]struct{}{},
	}
	for n.seed == 0 {
		n.seed = rand.Uint64()
	}
	switch {
	case flags.checks > 0:
		n.want, n.least = flags.checks, flags.checks
		return n
	case o.checks > 0:
		n.want, n.least = o.checks, o.checks
	case flags.keep:
		n.want, n.least = keptChecks, keptChecks
	}
	if testing.Short() {
		n.want, n.least = max(1, n.want/shortPart), max(1, n.least/shortPart)
	}
	return n
}

// limit limits the time of the trial.
func (n *tally) limit(s *trial) {
	end := s.lastStart()
	switch {
	case flags.time > 0:
		end = earlier(s.start.Add(flags.time), end)
		n.want = 0
	case n.least < n.want && !flags.keep:
		s.after(enoughTime, func() { n.enough.Store(true) })
	}
	if !end.IsZero() {
		s.stopAt(end)
	}
}

// record counts the run on the i-th value, which is nil if the generator has rejected the
// value. It reports whether another run follows.
func (n *tally) record(s *trial, i int, run *T) (more bool) {
	if i < n.saved && run != nil && !run.failed && !run.invalid {
		n.passed = append(n.passed, i)
	}
	if run != nil && run.failed && !run.collected {
		n.fail(s, run)
	} else if n.spent {
		return false
	} else {
		if i >= n.given() {
			n.countRandom(run)
		}
		if n.invalid+n.rejected > 0 || i < n.given() {
			n.validity.note(s.tree, run != nil && !run.invalid, n.guided)
		}
	}
	if run != nil && !run.failed {
		s.recycle(run)
	}
	switch {
	case len(n.failed) > 0:
		return i+1 < n.saved
	case n.want == 0:
		return true
	}
	want := n.want
	if n.enough.Load() {
		want = n.least
	}
	most := want * attempts
	if n.rare() {
		want = n.least
	}
	return n.valid < want && (n.random() < most || flags.checks > 0 && flags.seed != 0)
}

// recordDraw records the run on an independent draw. It reports whether another one follows.
func (n *tally) recordDraw(s *trial, q *requirements, run *T) (more bool) {
	if run != nil && run.failed {
		n.fail(s, run)
		return false
	}
	more = q.record(run)
	if run != nil {
		s.recycle(run)
	}
	return more
}

// fail records that the run on the last value of the trial has failed.
func (n *tally) fail(s *trial, run *T) {
	if len(n.failed) == 0 {
		n.failedTree = slices.Clone(s.tree)
	}
	n.failed = append(n.failed, run)
}

func (n *tally) countRandom(run *T) {
	switch {
	case run == nil:
		n.rejected++
	case run.invalid:
		n.invalid++
	default:
		n.valid++
		if run.rec == nil {
			return
		}
		for _, l := range run.rec.labels {
			if _, ok := n.labels[l]; ok || len(n.labels) < maxLabels {
				n.labels[l]++
			}
		}
	}
}

const (
	maxLabels   = 1000 // that are counted
	maxDistinct = 1 << 20
)

// distinguish counts a valid value by its key, unless there are too many keys.
func (n *tally) distinguish(key uint64) {
	if len(n.distinct) < maxDistinct {
		n.distinct[key] = struct{}{}
	}
}

// addShape counts a valid value by its shape, unless there are too many shapes.
func (n *tally) addShape(t choices.Tree) {
	if len(n.shapes) < maxDistinct {
		n.shapes[shapeOf(t)] = struct{}{}
	}
}

// shapeOf returns a hash of the choices among alternatives: of a value without its integers and
// texts.
func shapeOf(t choices.Tree) (h uint64) {
	for i := range t {
		if c := &t[i]; c.Kind == choices.Pick {
			h = hash.Mix(h, uint64(c.N))
		}
	}
	return h
}

// given is how many values come before those that are made at random.
func (n *tally) given() int { return n.saved + n.examples }

// random is how many values have been made at random.
func (n *tally) random() int { return n.valid + n.invalid + n.rejected }

// rare reports whether fewer than 1 in 20 random values were valid.
func (n *tally) rare() bool {
	random := n.random()
	return random >= attempts && n.valid*attempts < random
}

// tooFew reports whether so few values were valid that the Check fails.
func (n *tally) tooFew() bool {
	return len(n.failed) == 0 && n.rare() && n.valid < min(n.least, someChecks)
}

// repeatFlags returns the flags that make the same random values again.
func (n *tally) repeatFlags() string {
	s := fmt.Sprintf("-fuzzext.seed=%d", n.seed)
	if n.valid >= someChecks/shortPart {
		checks := n.valid + 1 // with the one that failed
		if flags.keep {
			checks = n.valid
		}
		s += fmt.Sprintf(" -fuzzext.checks=%d", checks)
	}
	return s
}
