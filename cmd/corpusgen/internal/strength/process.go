package strength

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/mistake"
)

// A cost is what a process takes without a mistake.
type cost struct {
	cpu, wall time.Duration
	turns     int64 // of loops, at least, and less than twice as many
	memory    int64 // 0 for unknown
}

func (c cost) plus(other cost) cost {
	return cost{
		c.cpu + other.cpu, c.wall + other.wall, c.turns + other.turns, max(c.memory, other.memory),
	}
}

// How much more time by the clock than without it a process may take with a mistake. What ends a
// process, in this order, is its turns of loops, its CPU time, its data, and, last, the clock.
const (
	moreClock = 20
	moreSleep = 3

	anyClock = time.Minute
	anySleep = 3 * time.Second
)

// limits bounds a process.
func (p *program) limits(of cost, o mistake.Order) mistake.Order {
	o = o.Within(of.turns, of.cpu, of.memory)
	if race, _ := p.flags.Lookup("race"); race == "true" || of.memory == 0 {
		o.Bytes = 0 // the race detector reserves more than it uses
	}
	return o
}

// An outcome is how a process has ended.
type outcome struct {
	passed  bool
	endless bool   // a loop took too many turns
	late    bool   // the clock has ended it
	stopped bool   // something else than its own exit has ended it
	failed  string // the test that has failed first, or ""
	output  string
	told    []byte // what has been told to the file of the order
	cost
}

// why says how a process has failed.
func (o outcome) why() string {
	switch {
	case o.endless:
		return "a loop does not end"
	case o.late:
		return "it does not return"
	case o.stopped:
		return "it takes too much CPU time or memory"
	}
	return "it fails"
}

// A task is a process to run.
type task struct {
	tests []string // names; nil for all
	order mistake.Order
	usual *cost // without a mistake; nil for no limit of time
}

// maxOutput bounds how much output of a process is kept.
const maxOutput = 1 << 20

// process runs tests in a process of their own.
func (p *program) process(ctx context.Context, t task) (o outcome, err error) {
	root, err := os.MkdirTemp(p.short, "")
	if err != nil {
		return o, err
	}
	defer os.RemoveAll(root)
	pattern := p.pattern(t.tests)
	if t.order.File != "" {
		t.order.File = filepath.Join(root, "told")
		if err := os.WriteFile(t.order.File, nil, 0o666); err != nil {
			return o, err
		}
	}
	kill, stop := context.WithCancel(ctx)
	defer stop()
	watched := func(pid int) {
		if t.usual != nil {
			go watch(kill, stop, t.usual.wall, pid)
		}
	}
	var dirs []string
	if !p.unconfined {
		dirs = []string{root, p.env.GOCACHE}
	}
	out := &bounded{}
	args := []string{"-test.run=" + pattern, "-test.failfast", "-test.timeout=0"}
	exit := p.binary.Run(gotest.Process{
		Args: slices.Concat(args, p.flags.Test),
		Vars: append(p.vars(), append(temporary(root), t.order.Text())...),
		Dirs: dirs, Output: out, Begun: watched, Interrupt: ctx, Kill: kill,
	})
	p.spent.Add(int64(exit.CPU))
	if ctx.Err() != nil {
		return o, context.Cause(ctx)
	}
	o = outcomeOf(exit, kill.Err() != nil, out.String())
	if t.order.File != "" {
		o.told, err = os.ReadFile(t.order.File)
	}
	return o, err
}

// temporary returns the variables that name the directory of temporary files: some for programs, and
// one for the go command, which T.TempDir prefers.
func temporary(dir string) (vars []string) {
	for _, name := range []string{"TMPDIR", "TMP", "TEMP", "GOTMPDIR"} {
		vars = append(vars, name+"="+dir)
	}
	return vars
}

// glance is how often a watch looks at a process.
const glance = 250 * time.Millisecond

// watch stops a process that sleeps for too long, or that takes too long.
func watch(ctx context.Context, stop func(), usual time.Duration, pid int) {
	end, slept := time.Now().Add(moreClock*usual+anyClock), time.Duration(0)
	tick := time.NewTicker(glance)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			if slept += glance; !sleeps(pid) {
				slept = 0
			}
			if now.After(end) || slept > moreSleep*usual+anySleep {
				stop()
				return
			}
		}
	}
}

// outcomeOf says how a process has ended.
func outcomeOf(exit gotest.Exit, late bool, output string) outcome {
	o := outcome{output: output, late: late}
	o.cpu, o.wall, o.memory = exit.CPU, exit.Wall, exit.Memory
	ended := (*exec.ExitError)(nil)
	switch {
	case exit.Err == nil && !late:
		o.passed = true
	case errors.As(exit.Err, &ended):
		o.endless = ended.ExitCode() == mistake.Endless
		o.stopped = ended.ExitCode() < 0
	}
	if m := failure.FindStringSubmatch(output); m != nil {
		o.failed = m[1]
	}
	return o
}

// failure matches what the testing package prints of a test that fails.
var failure = regexp.MustCompile(`(?m)^\s*--- FAIL: ([^\s/]+)`)

// pattern returns the value of -test.run for tests, or for all that -run selects.
func (p *program) pattern(names []string) string {
	if names == nil {
		names = p.tests.names
	}
	if len(names) == 0 {
		return "^$"
	}
	if len(names) == len(p.tests.listed) {
		return "." // which may be shorter
	}
	return "^(" + strings.Join(names, "|") + ")$"
}

// A bounded keeps the beginning of what is written to it.
type bounded struct{ bytes.Buffer }

func (b *bounded) Write(text []byte) (int, error) {
	b.Buffer.Write(text[:min(len(text), maxOutput-b.Len())])
	return len(text), nil
}
