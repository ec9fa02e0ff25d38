package tally

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/fuzzext/internal/text"
	"github.com/espalier-go/espalier/fuzzext/internal/values"
	"github.com/espalier-go/espalier/internal/proportion"
)

// A Share is one that is required of the valid values.
type Share struct {
	Label string
	Least float64 // of the valid values
}

// Shares tests the required shares of a Check on independent draws.
type Shares struct {
	shares []shareTest
	draws  int // values, valid or not
	valid  int
	most   int // valid draws; draws at most twice as many
	look   int // at the shares, after so many valid draws
	labels labels
}

// A shareTest tests one share.
type shareTest struct {
	Share
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

// NewShares returns a test of shares.
func NewShares(required []Share) *Shares {
	q := &Shares{most: mostDraws, look: firstLook, labels: labels{}}
	if testing.Short() {
		q.most /= shortPart
	}
	for _, r := range required {
		q.shares = append(q.shares, shareTest{Share: r})
	}
	return q
}

// Time returns how long the draws may take. It is 0 if there is nothing to test after the values of
// a tally.
func (q *Shares) Time(n *Tally) time.Duration {
	switch {
	case len(q.shares) == 0 || n.Failed > 0 || n.TooFew():
		return 0
	case testing.Short():
		return drawTime / shortPart
	}
	return drawTime
}

// Record counts the run on a draw. It reports whether another one follows.
func (q *Shares) Record(run values.Outcome) (more bool) {
	q.draws++
	if run.Verdict == values.Valid {
		q.count(run.Labels)
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

func (q *Shares) count(of []string) {
	q.valid++
	q.labels.count(of)
	for i := range q.shares {
		if x := &q.shares[i]; slices.Contains(of, x.Label) {
			x.found++
		}
	}
}

func (q *Shares) judge() {
	for i := range q.shares {
		if x := &q.shares[i]; x.verdict == inDoubt {
			x.verdict = judgeShare(x.found, q.valid, x.Least)
		}
	}
}

func (q *Shares) has(v verdict) bool {
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

// A Judgment is what draws have shown of the shares.
type Judgment struct {
	Failure string // why the Check fails, or ""
	Doubt   string // what is in doubt, or ""
	Others  string // the shares that do not fail, or ""
}

// Judge judges the draws that there were.
func (q *Shares) Judge() (j Judgment) {
	if q.draws == 0 {
		return j
	}
	var failed, others, doubtful []string
	for i := range q.shares {
		x := &q.shares[i]
		if x.verdict == tooFewHave {
			failed = append(failed, q.describe(x))
			continue
		}
		others = append(others, q.describe(x))
		if x.verdict == inDoubt && q.valid > 0 && float64(x.found) < x.Least*float64(q.valid) {
			doubtful = append(doubtful,
				fmt.Sprintf("%q: want %s, have %s of %d: set -fuzzext.time, or let the "+
					"generator make more such values", x.Label, percent(x.Least),
					percent(float64(x.found)/float64(q.valid)), q.valid))
		}
	}
	j.Others = strings.Join(others, "; ")
	switch {
	case len(failed) > 0:
		j.Failure = "too few values have a required label:\n" +
			text.Indent(strings.Join(failed, "\n")) +
			"\nlet the generator make more such values: give what leads to them more weight, by " +
			"bigen.Tag(...).Weight; or require less"
		return j
	case q.valid < firstLook && q.valid*attempts < q.draws && q.draws >= attempts*attempts:
		j.Failure = fmt.Sprintf("no required share can be tested, since only %d of %d "+
			"independent random values are valid, fewer than 1 in %d: make the generator "+
			"produce valid values by construction, or remove Require", q.valid, q.draws, attempts)
	}
	j.Doubt = strings.Join(doubtful, "; ")
	return j
}

func (q *Shares) describe(x *shareTest) string {
	if q.valid == 0 {
		return fmt.Sprintf("no valid draw tells the share of %q", x.Label)
	}
	lo, hi := proportion.Wilson(x.found, q.valid, shareDoubt)
	s := fmt.Sprintf("%q: want %s, have %s, in %d of %d independent random values (certainly "+
		"between %s and %s)",
		x.Label, percent(x.Least), percent(float64(x.found)/float64(q.valid)), x.found, q.valid,
		percent(lo), percent(hi))
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
func (q *Shares) found() []string {
	names := q.labels.byCount()
	if len(names) > maxShown {
		names = append(names[:maxShown:maxShown], "...")
	}
	return names
}

func percent(share float64) string { return fmt.Sprintf("%.3g%%", 100*share) }
