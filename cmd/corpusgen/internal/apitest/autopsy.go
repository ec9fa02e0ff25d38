package apitest

import (
	"context"
	"fmt"
	"regexp"
	"time"

	"github.com/espalier-go/espalier/internal/job"
)

const (
	// maxAutopsies is how many processes may end to make the sequence of a death simpler, and
	// maxHangs how many if each of them waits for a call that hangs. maxFirst is how many may end
	// before one ends as the first did.
	maxAutopsies = 60
	maxHangs     = 15
	maxFirst     = 4
	// allAutopsies is how many processes may end to make the sequences of all deaths simpler.
	allAutopsies = 600
	// autopsyTime bounds a process, and autopsyPatience each call of what is left.
	autopsyTime     = 20 * time.Second
	autopsyPatience = 2 * time.Second
	// maxGrowth is how many calls may lead to a death by memory. More of them are not an error: a list
	// that is appended to itself doubles each time.
	maxGrowth = 10
)

// autopsy makes the sequence of a death simpler, and writes its code. It returns why the death is
// not an error, or "".
func (g *generation) autopsy(ctx context.Context, d *death) (why string, err error) {
	if why := d.excuse(); why != "" {
		return why, nil
	}
	again, err := g.minimize(ctx, d)
	if err != nil {
		return "", err
	}
	if !again {
		g.flaky++
		if d.fills {
			return "alone, it does not: others may hold the memory: leave out by -skip what takes much, " +
				"or make a smaller one in an operation of your own", nil
		}
		return "alone, it does not: an earlier sequence may", nil
	}
	isError, err := g.statements(ctx, d)
	if err == nil && !isError {
		why = "it takes many calls, or one was given nil, or what may not be usable, " +
			"or stands for something"
	}
	return why, err
}

// minimize makes a sequence simpler as long as it ends the process in the same way. It reports
// false if the sequence does not when it runs again. A call that takes long is taken for one that
// hangs, unless what is left turns out to end.
func (g *generation) minimize(ctx context.Context, d *death) (again bool, err error) {
	class, patiences := d.class(), []time.Duration{autopsyPatience / 8, autopsyPatience}
	if !d.hang {
		patiences = patiences[1:]
	}
	for _, patience := range patiences {
		least, dies, err := g.simpler(ctx, d, patience)
		if err != nil {
			return false, err
		}
		if !dies {
			continue
		}
		again = true
		// Also without those that its process has tried before.
		now, err := g.rerun(ctx, &job.API{Entry: least.told.Entry, Length: len(least.told.Ops)})
		switch {
		case err != nil:
			return false, err
		case now != nil && now.class() == class:
			*d = *least
			return true, nil
		case now != nil && d.hang && !now.endless(): // it only takes long to die
			now.Found, now.before, now.differs = d.Found, d.before, d.differs
			*d = *now
			return g.minimize(ctx, d)
		}
	}
	return again, nil
}

// simpler returns a death with the simplest sequence that ends a process as one does, and whether
// any has. One process tries sequences until one ends it. The next one is told so, and tries
// others.
func (g *generation) simpler(ctx context.Context, d *death, patience time.Duration) (
	least *death, dies bool, err error,
) {
	copied, most := *d, maxAutopsies
	least = &copied
	if d.hang {
		most = maxHangs
	}
	order := &job.API{Length: len(d.told.Ops), Patience: patience, Entry: d.told.Entry}
	for n := 0; n < maxFirst || dies && n < most && !g.interrupted(); n++ {
		if g.autopsies++; dies && g.autopsies > allAutopsies {
			break
		}
		now, err := g.rerun(ctx, order)
		if now == nil || err != nil {
			return least, dies, err
		}
		same := now.class() == d.class()
		if now.hang && !d.hang && !dies { // on a slow machine, dying takes longer
			order.Patience *= 2
			continue
		}
		if same {
			least.told, least.Op, least.Place, dies = now.told, now.Op, now.Place, true
		}
		tried := make([]bool, len(job.ReadTold(order.Kept)))
		order.Ends = append(append(order.Ends, tried...), same)
	}
	return least, dies, nil
}

// rerun runs sequences in a process. It returns how this has died, or nil.
func (g *generation) rerun(ctx context.Context, order *job.API) (*death, error) {
	order.Time = autopsyTime
	if order.Patience == 0 {
		order.Patience = autopsyPatience
	}
	_, died, err := g.carryOut(ctx, order)
	return died, err
}

// taints matches how a process ends without an error, if a call was given what it need not bear.
var taints = regexp.MustCompile(`stack overflow|runtime error|exit status`)

// statements sets the code and the steps of a death. It reports false if the death is not an error:
// many calls fill the memory, or the last call hangs, exits, or ends in a run-time error after one
// was given nil, or what is not ready, or may do so.
func (g *generation) statements(ctx context.Context, d *death) (isError bool, err error) {
	if d.fills && len(d.told.Ops) > maxGrowth {
		return false, nil
	}
	var suite *job.Suite
	for _, dry := range []bool{false, true} {
		suite, _, _, err = g.process(ctx, &job.API{
			Entry: d.told.Entry, Length: len(d.told.Ops), Patience: autopsyPatience,
			Fate: d.Message, Started: d.started(), Dry: dry,
		})
		if err != nil || suite != nil {
			break
		}
	}
	switch {
	case err != nil:
		return false, err
	case suite == nil:
		return false, fmt.Errorf("%s: the calls that end the process cannot be written: %s: %s",
			g.pkg.Path, d.Op, d.Message)
	case suite.Tainted && (d.hang || d.fills || d.started() != "" || taints.MatchString(d.Message)):
		return false, nil
	}
	d.Code, d.Steps = suite.Errors[0].Code, suite.Errors[0].Steps
	switch endless := d.hang || d.fills || d.Message == stackOverflow; {
	case d.waits:
		d.Doubt = "it waits for what others do, or for a time"
	case d.locked && g.pkg.Unlocks():
		d.Doubt = "an earlier call may leave it locked until another one unlocks it"
	case endless:
		d.Doubt = suite.Errors[0].Doubt
	}
	if d.hang {
		d.Code = "done := make(chan bool)\ngo func() {\ndefer close(done)\n" + d.Code + "\n}()\n" +
			"select {\ncase <-done:\ncase <-time.After(10 * time.Second):\n" +
			"t.Fatal(\"the calls do not end\")\n}"
	}
	return true, nil
}
