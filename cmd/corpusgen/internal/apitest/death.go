package apitest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/espalier-go/espalier/internal/job"
)

// A death is a sequence that ends the process.
type death struct {
	job.Test                // of its last call; the message is the line of the output that tells
	told     job.Told       // the sequence
	before   map[string]int // how many sequences of its class have an operation before the last call
	differs  bool           // these have other last calls
	hang     bool
	overran  bool   // the process was killed, long after its time
	within   string // the function of the package that has no end, or that has started the goroutine which panics; or ""
	fills    bool   // the memory
	waits    bool   // for what is no lock
	locked   bool   // it waits for a lock
}

var fateLine = regexp.MustCompile(`(?m)^(?:fatal error: .*|panic: .*|runtime: goroutine stack exceeds .*|the sequence .*)$`)

// newDeath describes how a process has ended while a sequence ran. pkg is the import path of
// what is tested.
func newDeath(pkg string, told job.Told, output string, exit error) *death {
	last := len(told.Ops) - 1
	d := &death{told: told, before: map[string]int{}, Test: job.Test{Op: told.Ops[last], Message: fateLine.FindString(output), Found: 1}}
	count(d.before, told.Ops[:last])
	state, ok := errors.AsType[*exec.ExitError](exit)
	switch {
	case errors.Is(exit, errOvertime):
		d.hang, d.overran = true, true
	case ok && state.ExitCode() == job.ExitHang:
		d.hang = true
	case d.Message == "" && ok:
		d.Message = exits + state.String()
	case d.Message == "":
		d.Message = exits + "exit status 0"
	}
	d.fills = ok && state.ExitCode() == job.ExitMemory || strings.Contains(output, "out of memory")
	if strings.Contains(output, "stack overflow") || strings.HasPrefix(d.Message, "runtime: goroutine stack exceeds") {
		d.Message = stackOverflow
	}
	stacks, waits := output, false
	if d.hang || d.fills {
		if stacks, waits = sequenceStack(output); stacks == "" && d.hang {
			d.within = contracts
		}
	}
	slash := strings.LastIndexByte(pkg, '/') + 1
	symbols := regexp.QuoteMeta(pkg[:slash] + strings.ReplaceAll(pkg[slash:], ".", "%2e")) // as functions are called
	if m := regexp.MustCompile(`\n(` + symbols + `\..*)\(.*\n\t.*?([^/\s]+\.go:\d+)`).FindStringSubmatch(stacks); m != nil {
		if d.Place = m[2]; d.hang || d.fills {
			d.within = m[1]
		}
	}
	d.locked = waits && atLock.MatchString(stacks)
	d.waits = waits && !d.locked
	first, _, _ := strings.Cut(output[strings.Index(output, "\ngoroutine ")+1:], "\n\n")
	if m := regexp.MustCompile(`\ncreated by ` + symbols + `\.(?:.*[.)])?\.?(\w+)`).FindStringSubmatch(first); m != nil && !d.hang && !d.fills {
		d.within = m[1]
	}
	return d
}

const stackOverflow = "fatal error: stack overflow"

var digits = regexp.MustCompile(`0x[0-9a-f]+|[0-9]+`)

// class is what deaths that are alike share.
func (d *death) class() string {
	if d.within != "" {
		return d.within
	}
	return callee(d.Op) + ": " + d.way()
}

// way is how the process has ended.
func (d *death) way() string {
	if d.hang || d.fills {
		return "it does not end"
	}
	return wayOf(d.Message)
}

// wayOf returns a message without numbers.
func wayOf(message string) string { return digits.ReplaceAllString(message, "#") }

// sequenceStack returns the stack of the goroutine that runs the sequence, and whether that waits
// for others, or else runs. If there is none, no call hangs.
func sequenceStack(output string) (stack string, waits bool) {
	for _, stack := range strings.Split(output, "\n\n") {
		if strings.Contains(stack, "/bigen/callseq/api.(*machine).step(") {
			return stack, !strings.Contains(stack, " [run")
		}
	}
	return "", false
}

// started returns the method or function that has started the goroutine which panics, or "".
func (d *death) started() string {
	if d.hang || d.fills {
		return ""
	}
	return d.within
}

// announced reports whether the process has ended by an exit that the comment of the last call announces.
func (d *death) announced() bool {
	return d.told.Warned && strings.HasPrefix(d.Message, exits)
}

// unlocks reports whether a caller has unlocked what is not locked.
func (d *death) unlocks() bool {
	return strings.Contains(d.Message, "nlock of unlocked ") && strings.HasSuffix(callee(d.Op), "nlock")
}

// excuse says why a death is no error, or returns "".
func (d *death) excuse() string {
	switch {
	case d.within == contracts:
		return "no call has no end, but what compares values"
	case d.runsOn():
		return "by its name, it runs until something stops it"
	case d.announced():
		return "a comment announces it"
	case d.unlocks():
		return "the caller unlocks what is not locked"
	}
	return ""
}

// exits begins the message of a death that says nothing itself.
const exits = "the process ends with "

// callee returns what an operation calls, with fewer or more arguments.
func callee(op string) string {
	op, _, _ = strings.Cut(op, " with ")
	return op
}

// variants returns the operations that call the same as one.
func (g *generation) variants(op string) []string {
	return slices.DeleteFunc(slices.Clone(g.harness.Operations), func(o string) bool { return callee(o) != callee(op) })
}

// runsOn reports whether only a function hangs whose name says that it runs until something stops it.
func (d *death) runsOn() bool {
	op, _, _ := strings.Cut(d.Op, " ")
	return d.hang && !d.differs && forever.MatchString(op)
}

var forever = regexp.MustCompile(`\.(Run|Serve|Start|Listen|ListenAndServe|Wait|Loop)$`)

// atLock matches the stack of a goroutine that waits for a lock.
var atLock = regexp.MustCompile(`^goroutine .* \[(sync\.(RW)?Mutex\.|semacquire)`)

// contracts is what waits if it is no call that does: a lock is held, and the contracts of a value need it.
const contracts = "a contract"

// culprits returns the operations without which a process would not die so again, if they are known:
// those that start goroutines which panic later, at different calls; or the one that is most typical
// of sequences that wait alike at different calls, as it leaves a lock held. What most sequences have
// that were kept is none: without it, little would be left.
func (g *generation) culprits(d *death) []string {
	if d.within == "" || !d.differs || d.fills || d.hang && !d.locked && !d.waits {
		return nil
	}
	usual, kept := map[string]int{}, job.ReadTold(g.order.Restore)
	for _, told := range kept {
		count(usual, told.Ops)
	}
	if !d.hang {
		return slices.DeleteFunc(slices.Clone(g.harness.Operations), func(op string) bool {
			name, _, _ := strings.Cut(op, " ")
			return !strings.HasSuffix(name, "."+d.within) || 2*usual[op] > len(kept)
		})
	}
	culprit, most := "", 0.
	for _, op := range slices.Sorted(maps.Keys(d.before)) {
		if odds := float64(d.before[op]) / float64(1+usual[op]); d.before[op] >= maxAlike && 2*usual[op] <= len(kept) && odds > most {
			culprit, most = op, odds
		}
	}
	if culprit == "" {
		return nil
	}
	clear(d.before)
	return []string{culprit}
}

// count adds one for each of some operations.
func count(n map[string]int, ops []string) {
	for i, op := range ops {
		if !slices.Contains(ops[:i], op) {
			n[op]++
		}
	}
}

// bury adds a death to those known. It returns that of its class.
func (g *generation) bury(d *death) *death {
	g.died++
	for _, old := range g.deaths {
		if old.class() == d.class() {
			old.Found++
			old.differs = old.differs || d.Op != old.Op
			count(old.before, d.told.Ops[:len(d.told.Ops)-1])
			if len(d.told.Ops) < len(old.told.Ops) {
				old.told, old.Op, old.Place = d.told, d.Op, d.Place
			}
			return old
		}
	}
	if d.hang { // it takes longer to minimize
		g.deaths = append(g.deaths, d)
	} else {
		g.deaths = slices.Insert(g.deaths, 0, d)
	}
	return d
}

const (
	// maxAutopsies is how many processes may end to make the sequence of a death simpler, maxFirst how many
	// before one ends as the first did, and maxAutopsy how long that may take; autopsyPatience is how long
	// each call of what is left may take.
	maxAutopsies    = 60
	maxFirst        = 4
	maxAutopsy      = 20 * time.Second
	autopsyPatience = 2 * time.Second
	// maxGrowth is how many calls may lead to a death by memory. More are no error: a list that is
	// appended to itself doubles each time.
	maxGrowth = 10
)

// minimize makes a sequence simpler as long as it ends the process in the same way, until the
// deadline. It reports false if the sequence does not when it runs again. One process tries sequences
// until one ends it. The next one is told so, and tries others. A call that takes long is taken for one
// that hangs, unless what is left turns out to end.
func (g *generation) minimize(ctx context.Context, d *death, deadline time.Time) (again bool, err error) {
	class, patiences := d.class(), []time.Duration{autopsyPatience / 8, autopsyPatience}
	if !d.hang {
		patiences = patiences[1:]
	}
	for _, patience := range patiences {
		least, dies, begun := *d, false, time.Now()
		order := &job.API{Time: maxAutopsy, Length: len(d.told.Ops), Patience: patience, Entry: d.told.Entry}
		for n := 0; !dies && n < maxFirst || dies && n < maxAutopsies && !g.late(deadline) && time.Since(begun) < maxAutopsy; n++ {
			suite, now, err := g.carryOut(ctx, order)
			if err != nil {
				return false, err
			}
			if suite != nil {
				break
			}
			same := now.class() == class
			if same {
				least.told, least.Op, least.Place, dies = now.told, now.Op, now.Place, true
			}
			order.Ends = append(append(order.Ends, make([]bool, len(job.ReadTold(order.Kept)))...), same)
		}
		if !dies {
			continue
		}
		again = true
		// Also without those that its process has tried before.
		_, now, err := g.carryOut(ctx, &job.API{Time: maxAutopsy, Length: len(least.told.Ops), Patience: autopsyPatience, Entry: least.told.Entry})
		if err != nil {
			return false, err
		}
		if now != nil && now.class() == class {
			*d = least
			break
		}
	}
	return again, nil
}

// taints matches how a process ends without an error, if a call was given what it need not bear.
var taints = regexp.MustCompile(`stack overflow|runtime error|exit status`)

// statements sets the code and the steps of a death. It reports false if that is no error: its last call
// hangs, exits, or ends in a run-time error, after one was given nil or what is not ready, or may do so, or many calls fill the
// memory.
func (g *generation) statements(ctx context.Context, d *death) (isError bool, err error) {
	if d.fills && len(d.told.Ops) > maxGrowth {
		return false, nil
	}
	var suite *job.Suite
	for _, dry := range []bool{false, true} {
		suite, _, _, err = g.process(ctx, &job.API{Entry: d.told.Entry, Length: len(d.told.Ops), Fate: d.Message, Started: d.started(), Dry: dry, Patience: autopsyPatience})
		if err != nil || suite != nil {
			break
		}
	}
	switch {
	case err != nil:
		return false, err
	case suite == nil:
		return false, fmt.Errorf("%s: the calls that end the process cannot be written: %s: %s", g.pkg.Path, d.Op, d.Message)
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
			"select {\ncase <-done:\ncase <-time.After(10 * time.Second):\nt.Fatal(\"the calls do not end\")\n}"
	}
	return true, nil
}
