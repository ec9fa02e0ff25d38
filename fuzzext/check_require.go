package fuzzext

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/proportion"
)

// requirements test the required shares of a Check on independent draws.
type requirements struct {
	shares []shareTest
	begun  bool
	draws  int // values, valid or not
	valid  int
	most   int // valid draws; draws at most twice as many
	look   int // at the shares, after so many valid draws
	labels map[string]int
}

// A shareTest tests one share.
type shareTest struct {
	requiredShare
	found   int // draws with the label
	verdict verdict
}

type verdict int

const (
	inDoubt verdict = iota
	enoughHave
	tooFewHave
)

const (
	firstLook = 100
	mostDraws = firstLook << 10
	drawTime  = 10 * time.Second

	shareTolerance = 0.9
	shareDoubt     = 1e-9
)

func newRequirements(required []requiredShare) *requirements {
	q := &requirements{most: mostDraws, look: firstLook, labels: map[string]int{}}
	if testing.Short() {
		q.most /= shortPart
	}
	for _, r := range required {
		q.shares = append(q.shares, shareTest{requiredShare: r})
	}
	return q
}

// begin begins the draws after the other values. It reports false if there is nothing to test.
func (q *requirements) begin(s *trial, n *tally) bool {
	if len(q.shares) == 0 || len(n.failed) > 0 || n.tooFew() {
		return false
	}
	most := drawTime
	if testing.Short() {
		most /= shortPart
	}
	q.begun = s.resume(most)
	return q.begun
}

// source returns the source of the next draw.
func (q *requirements) source(o *options, seed, stream uint64) choices.Source {
	r := rand.New(rand.NewPCG(seed+uint64(q.draws)*0x9E3779B97F4A7C15, ^stream))
	if o.prior != nil {
		return choices.RandomBy(r, o.prior)
	}
	return choices.Random(r)
}

// record counts the run on a draw, which is nil if the generator has rejected the value. It
// reports whether another one follows.
func (q *requirements) record(run *T) (more bool) {
	q.draws++
	if run != nil && !run.invalid {
		q.count(run.labels())
	}
	if q.valid == q.look {
		q.look *= 2
		q.judge()
		if q.has(tooFewHave) || !q.has(inDoubt) {
			return false
		}
	}
	return q.valid < q.most && q.draws < 2*q.most
}

func (q *requirements) count(labels []string) {
	q.valid++
	for _, l := range labels {
		if _, ok := q.labels[l]; ok || len(q.labels) < maxLabels {
			q.labels[l]++
		}
	}
	for i := range q.shares {
		if x := &q.shares[i]; slices.Contains(labels, x.label) {
			x.found++
		}
	}
}

func (q *requirements) judge() {
	for i := range q.shares {
		if x := &q.shares[i]; x.verdict == inDoubt {
			x.verdict = judgeShare(x.found, q.valid, x.share)
		}
	}
}

func (q *requirements) has(v verdict) bool {
	return slices.ContainsFunc(q.shares, func(x shareTest) bool { return x.verdict == v })
}

// judgeShare says what found of n draws tell about a required share.
func judgeShare(found, n int, share float64) verdict {
	switch lo, hi := proportion.Wilson(found, n, shareDoubt); {
	case hi < share:
		return tooFewHave
	case lo >= shareTolerance*share:
		return enoughHave
	}
	return inDoubt
}

// report fails the test if a share is too small, or cannot be told.
func (q *requirements) report(t testing.TB) {
	if !q.begun {
		return
	}
	t.Helper()
	var failed, others, doubtful []string
	for i := range q.shares {
		x := &q.shares[i]
		if x.verdict == tooFewHave {
			failed = append(failed, q.describe(x))
		} else {
			others = append(others, q.describe(x))
			if x.verdict == inDoubt && q.valid > 0 && float64(x.found) < x.share*float64(q.valid) {
				doubtful = append(doubtful, fmt.Sprintf("%q: want %s, have %s of %d: set -fuzzext.time, or let the generator make more such values", x.label, percent(x.share), percent(float64(x.found)/float64(q.valid)), q.valid))
			}
		}
	}
	switch {
	case len(failed) > 0:
		t.Errorf("fuzzext.Check: too few values have a required label:\n%s\nlet the generator make more such values: give what leads to them more weight, by bigen.Tag(...).Weight; or require less", indent(strings.Join(failed, "\n")))
	case q.valid < firstLook && q.valid*attempts < q.draws && q.draws >= attempts*attempts:
		t.Errorf("fuzzext.Check: no required share can be tested, since only %d of %d independent random values are valid, fewer than 1 in %d: make the generator produce valid values by construction, or remove Require", q.valid, q.draws, attempts)
	}
	if len(failed) == 0 {
		warn(t, strings.Join(doubtful, "; "))
	}
	if testing.Verbose() && len(others) > 0 {
		t.Logf("fuzzext.Check: %s", strings.Join(others, "; "))
	}
}

func (q *requirements) describe(x *shareTest) string {
	if q.valid == 0 {
		return fmt.Sprintf("no valid draw tells the share of %q", x.label)
	}
	lo, hi := proportion.Wilson(x.found, q.valid, shareDoubt)
	s := fmt.Sprintf("%q: want %s, have %s, in %d of %d independent random values (certainly between %s and %s)",
		x.label, percent(x.share), percent(float64(x.found)/float64(q.valid)), x.found, q.valid, percent(lo), percent(hi))
	switch {
	case x.verdict == inDoubt:
		s += ", still in doubt"
	case x.found == 0 && len(q.labels) > 0:
		s += "; the labels found are " + strings.Join(q.found(), ", ")
	case x.found == 0:
		s += "; no value has a label"
	}
	return s
}

// found returns the labels that were found, the most frequent first.
func (q *requirements) found() []string {
	names := labelsByCount(q.labels)
	if len(names) > maxShares {
		names = append(names[:maxShares:maxShares], "...")
	}
	return names
}

func percent(share float64) string { return fmt.Sprintf("%.3g%%", 100*share) }
