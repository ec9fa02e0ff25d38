package strength

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/mistake"
)

// A verdict is what becomes of a mistake.
type verdict string

const (
	killed    verdict = "killed"
	survives  verdict = "survives"
	unsteady  verdict = "unsteady" // it was noticed once, and not again
	unreached verdict = "unreached"
	untried   verdict = "untried" // there was no time
)

// A judgment is the verdict on a mistake.
type judgment struct {
	*mistake.Mistake
	Verdict verdict
	By      string // the test that notices it
	Why     string // how that fails
	Tests   []string
	known   bool  // from an earlier run
	lead    *lead // of a survivor, if a test was sought that notices it
}

// A court tries mistakes.
type court struct {
	*program
	mu     sync.Mutex
	groups map[string]bool // whether tests together pass without a mistake, by their names
}

// judge tries all mistakes of the package, and reports. If it is interrupted, or the time is up, it
// reports what is known by then.
func (p *program) judge(ctx context.Context) error {
	if err := p.baseline(ctx); errors.Is(err, errNoTests) {
		p.unasked = true
		return nil
	} else if err != nil {
		return err
	}
	p.asked = true
	m, err := p.remember(ctx)
	if err != nil {
		return err
	}
	d := p.newDocket()
	var todo []int
	for i, j := range d.list {
		switch {
		case !p.tests.reached(j.Number):
			j.Verdict = unreached
		case !m.recall(&j):
			todo = append(todo, i)
			continue
		}
		d.settle(i, j)
	}
	c := &court{program: p, groups: map[string]bool{}}
	err = p.each(ctx, len(todo), func(i int) error {
		if p.over() {
			return nil
		}
		j := d.list[todo[i]]
		if err := c.try(ctx, &j); err != nil {
			return err
		}
		m.keep(j)
		d.settle(todo[i], j)
		return nil
	})
	if failed := m.write(); err == nil {
		err = failed
	}
	if err == nil && p.seeking > 0 {
		err = d.seek(ctx)
	}
	if err == nil || ctx.Err() != nil {
		d.close()
	}
	return err
}

// try makes a mistake under the tests that reach it: first under the one that promises most, then
// under ever more of the others at once, until one notices it.
func (c *court) try(ctx context.Context, j *judgment) error {
	j.Verdict = survives
	left := c.ranked(j.Number)
	for size := 1; len(left) > 0; size *= 2 {
		group := left[:min(size, len(left))]
		left = left[len(group):]
		if done, err := c.group(ctx, j, group); done || err != nil {
			return err
		}
	}
	if c.tests.all.reaches[j.Number] && (len(c.tests.rest) > 0 || len(c.tests.reach[j.Number]) == 0) {
		return c.together(ctx, j)
	}
	return nil
}

// ranked returns the tests that reach a mistake, the most promising first: by how often they have
// noticed one, for what they cost.
func (c *court) ranked(number int) []*test {
	list := slices.Clone(c.tests.reach[number])
	promise := map[*test]float64{}
	for _, t := range list {
		t.mu.Lock()
		promise[t] = float64(t.kills+1) / float64(t.tries+2) / (t.cost.cpu.Seconds() + .001)
		t.mu.Unlock()
	}
	slices.SortStableFunc(list, func(a, b *test) int { return cmp.Compare(promise[b], promise[a]) })
	return list
}

// group makes a mistake under tests in one process. It reports whether the verdict is final.
func (c *court) group(ctx context.Context, j *judgment, group []*test) (done bool, err error) {
	o, err := c.with(ctx, j.Number, group)
	if err != nil {
		return true, err
	}
	if len(group) == 1 {
		group[0].count(!o.passed)
	}
	if o.passed {
		return false, nil
	}
	if o.late {
		return c.again(ctx, j, group)
	}
	if len(group) == 1 {
		j.kill(group[0].name, o)
		return true, nil
	}
	return c.blame(ctx, j, group, o)
}

// again makes a mistake again that the clock has ended: the machine may have been busy.
func (c *court) again(ctx context.Context, j *judgment, group []*test) (done bool, err error) {
	o, err := c.with(ctx, j.Number, group)
	switch {
	case err != nil:
	case o.passed:
		j.Verdict, j.Why = unsteady, "it once did not return"
	default:
		j.kill(cmp.Or(o.failed, names(group)[0]), o)
	}
	return true, err
}

// blame finds the test of a group that has noticed a mistake. Tests may fail because of each other,
// so the test must fail alone, or the group must pass without the mistake.
func (c *court) blame(
	ctx context.Context, j *judgment, group []*test, o outcome,
) (done bool, err error) {
	for _, t := range group {
		if t.name != o.failed {
			continue
		}
		alone, err := c.with(ctx, j.Number, []*test{t})
		if err != nil {
			return true, err
		}
		t.count(!alone.passed)
		if !alone.passed && !alone.late {
			j.kill(t.name, alone)
			return true, nil
		}
	}
	passes, err := c.passes(ctx, group)
	if err != nil || passes {
		j.kill(cmp.Or(o.failed, names(group)[0]), o)
		return true, err
	}
	for _, t := range group {
		if done, err := c.group(ctx, j, []*test{t}); done || err != nil {
			return done, err
		}
	}
	return false, nil
}

// passes reports whether tests together pass without a mistake.
func (c *court) passes(ctx context.Context, group []*test) (bool, error) {
	key := strings.Join(names(group), "|")
	c.mu.Lock()
	passes, ok := c.groups[key]
	c.mu.Unlock()
	if ok {
		return passes, nil
	}
	o, err := c.with(ctx, 0, group)
	c.mu.Lock()
	c.groups[key] = o.passed
	c.mu.Unlock()
	return o.passed, err
}

// together makes a mistake under all tests, twice: the verdict of some varies.
func (c *court) together(ctx context.Context, j *judgment) error {
	for n := range 2 {
		o, err := c.inProcess(ctx, j.Number, nil, c.tests.all.cost)
		switch {
		case err != nil:
			return err
		case o.passed && n == 0:
			return nil
		case o.passed:
			j.Verdict, j.Why = unsteady, "all tests together have noticed it once of two times"
		case n == 1:
			j.kill(cmp.Or(o.failed, "all tests together"), o)
		}
	}
	return nil
}

// with runs tests in one process that makes a mistake, 0 for none.
func (c *court) with(ctx context.Context, number int, group []*test) (outcome, error) {
	var sum cost
	for _, t := range group {
		sum = sum.plus(t.cost)
	}
	return c.inProcess(ctx, number, names(group), sum)
}

func (c *court) inProcess(
	ctx context.Context, number int, names []string, usual cost,
) (outcome, error) {
	return c.process(ctx, task{
		tests: names, order: c.limits(usual, mistake.Order{Number: number}), usual: &usual,
	})
}

func names(group []*test) (list []string) {
	for _, t := range group {
		list = append(list, t.name)
	}
	return list
}

// count takes note of what a test has done under a mistake.
func (t *test) count(kill bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.tries++
	if kill {
		t.kills++
	}
}

func (j *judgment) kill(by string, o outcome) { j.Verdict, j.By, j.Why = killed, by, o.why() }
