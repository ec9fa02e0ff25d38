package proptest

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/apigen"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

// A check tries the properties of a package:
//
//	build    a test binary of all guesses, with the mistakes of the package     build.go
//	trial    each guess on 1000 values, and on others: wrong ones end here      trial.go
//	judge    the mistakes that the others notice: who notices none goes         judge.go
//	rest     one property of the calls that no law is about, and a last trial
//	report   what is left, what fails, what is doubtful                         report.go
type check struct {
	*writing
	pkg      *apigen.Package
	props    *apigen.Properties
	file     string // that will have them
	errors   string // that will have plain tests of what fails
	binary   *gotest.Binary
	mistakes []made        // that are built in
	why      string        // none are
	idle     process       // a process without tests
	spent    time.Duration // CPU time of processes, beyond what that takes
	deadline time.Time     // by the clock, for a machine that stands still

	fresh   bool // calls of the last property share nothing
	results map[string]*result
	fails   []failure
	doubts  []remark // about functions
	dropped []remark // about properties that users may miss
	unrun   int      // properties without time
	noticed int      // mistakes that properties notice, of so many tried
	tried   int
}

// values is how many values a guess is tried on.
const values = 1000

// text returns the file of the properties.
func (c *check) text() ([]byte, error) {
	text, err := c.props.Text(head)
	return []byte(session.Signed(apigen.Written, string(text))), err
}

// run finds out which properties stay.
func (c *check) run(ctx context.Context) error {
	c.results = map[string]*result{}
	c.Phase("building the tests of %s", c.pkg.Path)
	if err := c.build(ctx, true); err != nil {
		return err
	}
	if err := c.trial(ctx, c.time*3/4); err != nil {
		return err
	}
	c.chooseGuesses()
	if err := c.judge(ctx); err != nil {
		return err
	}
	c.props.Rest(c.doubtful(), false)
	for len(c.props.All) > 0 {
		c.Phase("building the tests of %s without mistakes", c.pkg.Path)
		if err := c.build(ctx, false); err != nil {
			return err
		}
		again, err := c.last(ctx)
		if err != nil || !again {
			return err
		}
	}
	return nil
}

// slowest is how much longer than its CPU time something may take by the clock, on a busy machine.
const slowest = 5

// left returns the CPU time that is left for properties.
func (c *check) left() time.Duration {
	if time.Now().After(c.deadline) {
		return 0
	}
	return c.time - c.spent
}

// chooseGuesses keeps one of several guesses about the same thing, and explains those that fail.
func (c *check) chooseGuesses() {
	holds := map[string]bool{}
	for _, q := range slices.Clone(c.props.All) {
		r := c.results[q.Name]
		switch {
		case q.Group != "" && holds[q.Group]:
			c.props.Drop(q.Name, "")
		case r.passed:
			holds[q.Group] = true
		case q.Rest && c.props.Covered(q): // on better arguments
			c.props.Drop(q.Name, "")
		case r.unrun:
			c.unrun++
			c.props.Drop(q.Name, noTime)
		case q.Guess():
			c.props.Drop(q.Name, "")
		default:
			c.judgeFailure(q, r, c.hasWeaker(q))
		}
	}
}

// hasWeaker reports whether a weaker guess about the same follows, which is more certain.
func (c *check) hasWeaker(q *apigen.Property) bool {
	i := slices.Index(c.props.All, q)
	return q.Group != "" && slices.ContainsFunc(c.props.All[i+1:], func(o *apigen.Property) bool {
		return o.Group == q.Group
	})
}

// weakerHolds reports whether another guess about the same holds.
func (c *check) weakerHolds(q *apigen.Property) bool {
	return slices.ContainsFunc(c.props.All, func(o *apigen.Property) bool {
		return o.Group == q.Group && c.results[o.Name].passed
	})
}

// judgeFailure drops a property that fails, and takes note of an error, a doubt, or another reason.
func (c *check) judgeFailure(q *apigen.Property, r *result, weaker bool) {
	f := r.failure
	calls := strings.Join(q.Calls, ", ")
	switch {
	case r.why != "":
		c.props.Drop(q.Name, r.why)
		c.dropped = append(c.dropped, remark{name: q.Name, why: r.why})
	case f.panics && !f.runtime && f.always:
		why := "it refuses what its property has tried: " + f.message
		c.props.Drop(q.Name, why)
		c.dropped = append(c.dropped, remark{name: q.Name, why: why})
	case f.panics && (!f.runtime || !q.Refuses() && unusual(oneLine(f.value))):
		c.doubts = append(c.doubts, remark{name: calls, with: oneLine(f.value), why: f.message})
		c.props.Drop(q.Name, "it panics on arguments that callers should not give: "+f.message)
	case weaker && q.Sequence() && c.weakerHolds(q):
		c.doubts = append(c.doubts, remark{why: q.About + " But " + f.message})
		c.props.Drop(q.Name, "")
	case !weaker || f.panics:
		f.property = q
		c.fails = append(c.fails, f)
		c.props.Drop(q.Name, "it fails: "+f.message)
		q.Settle()
	default:
		c.props.Drop(q.Name, "")
	}
}

// last runs the file as it will be, and drops what fails. It reports whether it has dropped
// something.
func (c *check) last(ctx context.Context) (again bool, err error) {
	c.results = map[string]*result{}
	c.spent = min(c.spent, c.time*3/4) // it needs time, too
	if err := c.trial(ctx, 0); err != nil {
		return false, err
	}
	for _, q := range slices.Clone(c.props.All) {
		r := c.results[q.Name]
		switch {
		case r.passed:
			continue
		case r.unrun:
			c.unrun++
			c.props.Drop(q.Name, noTime)
		case q.Guess():
			c.props.Drop(q.Name, "")
		default:
			c.judgeFailure(q, r, false)
			if q.Rest && r.panics && !c.fresh { // because of the calls before
				c.fresh = true
				q.Name += "Together"
				c.props.Rest(c.doubtful(), true)
			}
		}
		again = true
	}
	return again, nil
}
