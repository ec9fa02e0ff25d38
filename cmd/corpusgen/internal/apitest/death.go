package apitest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/espalier-go/espalier/mutate"
)

// A death is a sequence that ends the process.
type death struct {
	job.Test        // of its last call; the message is the line of the output that tells
	line     string // as JSON
	hang     bool
	waits    string // the function of the package in which a hang waits; "" if it does not wait
	fills    bool   // the memory
}

var fateLine = regexp.MustCompile(`(?m)^(?:fatal error: .*|panic: .*|runtime: goroutine stack exceeds .*|the sequence .*)$`)

// newDeath describes how a process has ended while a sequence ran. pkg is the import path of
// what is tested.
func newDeath(pkg, line, output string, exit error) *death {
	d := &death{line: line, Test: job.Test{Message: fateLine.FindString(output), Found: 1}}
	state, ok := errors.AsType[*exec.ExitError](exit)
	switch {
	case ok && state.ExitCode() == job.ExitHang:
		d.hang = true
	case d.Message == "" && ok:
		d.Message = "the process ends with " + state.String()
	case d.Message == "":
		d.Message = "the process ends with exit status 0"
	}
	d.fills = ok && state.ExitCode() == job.ExitMemory || strings.Contains(output, "out of memory")
	if strings.Contains(output, "stack overflow") || strings.HasPrefix(d.Message, "runtime: goroutine stack exceeds") {
		d.Message = "fatal error: stack overflow"
	}
	stacks, waits := output, false
	if d.hang {
		stacks, waits = sequenceStack(output)
	}
	frame := regexp.MustCompile(`\n(` + regexp.QuoteMeta(pkg) + `\..*)\(.*\n\t.*?([^/\s]+\.go:\d+)`)
	if m := frame.FindStringSubmatch(stacks); m != nil {
		if d.Place = m[2]; waits {
			d.waits = m[1]
		}
	}
	if calls := d.calls(); len(calls) > 0 && len(calls[len(calls)-1]) > 0 {
		_ = json.Unmarshal(calls[len(calls)-1][0], &d.Op) // else it stays empty
	}
	return d
}

// calls returns the calls of the sequence as JSON.
func (d *death) calls() (calls [][]json.RawMessage) {
	_ = json.Unmarshal([]byte(d.line), &calls) // the library has written it
	return calls
}

var digits = regexp.MustCompile(`0x[0-9a-f]+|[0-9]+`)

// class is what deaths that are alike share.
func (d *death) class() string {
	if d.waits != "" {
		return d.waits
	}
	return d.Op + ": " + digits.ReplaceAllString(d.Message, "#")
}

// sequenceStack returns the stack of the goroutine that runs the sequence, and whether that waits
// for others, or else runs. If there is none, it returns all.
func sequenceStack(output string) (stack string, waits bool) {
	for _, stack := range strings.Split(output, "\n\n") {
		if strings.Contains(stack, "/bigen/callseq/api.(*machine).step(") {
			return stack, !strings.Contains(stack, " [run")
		}
	}
	return output, false
}

// bury adds a death to those known. It returns how many there are of its class.
func (g *generation) bury(d *death) int {
	g.died++
	for _, old := range g.deaths {
		if old.class() == d.class() {
			old.Found++
			if len(d.line) < len(old.line) {
				old.line, old.Op, old.Place = d.line, d.Op, d.Place
			}
			return old.Found
		}
	}
	g.deaths = append(g.deaths, d)
	return 1
}

const (
	// maxAutopsies is how many processes may run to make the calls of a death fewer, or of a hang;
	// autopsyPatience is how long its sequences may take.
	maxAutopsies    = 60
	maxHangs        = 15
	autopsyPatience = 2 * time.Second
	// maxGrowth is how many calls may lead to a death by memory. More are no error: a list that
	// is appended to itself doubles each time.
	maxGrowth = 10
)

// minimize takes calls out of a sequence as long as it ends the process in the same way, until
// the deadline. It reports false if the sequence does not when it runs again.
func (g *generation) minimize(ctx context.Context, d *death, deadline time.Time) (again bool, err error) {
	calls, most := d.calls(), maxAutopsies
	if d.hang {
		most = maxHangs
	}
	same := func(left []int) bool {
		some := make([][]json.RawMessage, len(left))
		for i, n := range left {
			some[i] = calls[n]
		}
		line, _ := json.Marshal(some)
		var now *death
		_, now, err = g.carryOut(ctx, &job.API{Length: len(some), Patience: autopsyPatience, Memory: apiMemory, Only: string(line)})
		if err != nil || now == nil || digits.ReplaceAllString(now.Message, "#") != digits.ReplaceAllString(d.Message, "#") {
			return false
		}
		again, d.line, d.Op, d.Place = true, now.line, now.Op, now.Place
		return true
	}
	subsets := bigen.SliceOf(bigen.IntRange(0, len(calls)-1), 1, len(calls)) // those in order
	all := make([]int, len(calls))
	for i := range all {
		all[i] = i
	}
	tree, err := bigen.Choices(subsets, all)
	for tries := 0; !again && err == nil && tries < 2; tries++ {
		same(all)
	}
	mutate.Minimize(tree, func(t choices.Tree) ([]int, choices.Tree, error) {
		if err != nil || !again || time.Now().After(deadline) {
			return nil, nil, mutate.ErrStop
		}
		left, made, failed := bigen.Run(subsets, choices.Replay(t, nil))
		if !slices.IsSortedFunc(left, func(a, b int) int { return cmp.Or(a-b, 1) }) {
			failed = errors.New("the calls are not in order")
		}
		return left, made, failed
	}, same, most)
	return again, err
}

// code returns the statements of a death, or "" if it is no error: its last call hangs, or ends in
// a run-time error, after one was given nil or what is not ready.
func (g *generation) code(ctx context.Context, d *death) (string, error) {
	var suite *job.Suite
	var err error
	for _, dry := range []bool{false, true} {
		suite, _, _, err = g.process(ctx, &job.API{Only: d.line, Fate: d.Message, Dry: dry, Patience: autopsyPatience, Memory: apiMemory})
		if err != nil || suite != nil {
			break
		}
	}
	switch {
	case err != nil:
		return "", err
	case suite == nil:
		return "", fmt.Errorf("%s: the calls that end the process cannot be written: %s: %s", g.pkg.Path, d.Op, d.Message)
	case suite.Tainted && (d.hang || strings.Contains(d.Message, "stack overflow") || strings.Contains(d.Message, "runtime error")):
		return "", nil
	case !d.hang:
		return suite.Code, nil
	}
	body := "done := make(chan bool)\ngo func() {\ndefer close(done)\n" + suite.Code + "\n}()\n"
	return body + "select {\ncase <-done:\ncase <-time.After(10 * time.Second):\nt.Fatal(\"the calls do not end\")\n}", nil
}
