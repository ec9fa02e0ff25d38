package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"github.com/espalier-go/espalier/eval/others"
)

const (
	beforeRuns = 100_000          // at most, until the bug is found
	afterRuns  = 10_000           // after the fix
	chanceRuns = 1000             // without corpusgen
	replays    = 3                // of the saved schedule
	mostIdle   = 15 * time.Second // by the clock, without CPU time
)

// A runner runs bugs.
type runner struct{ *others.Lab }

// bug runs a bug.
func (r runner) bug(ctx context.Context, b bug) (res result) {
	dir, saved := filepath.Join(r.Scratch, "module"), "testdata/fuzzext"
	pkg := filepath.Join(dir, filepath.FromSlash(b.pkg))
	var mode []string
	if b.race {
		mode = []string{"-race"}
	}
	schedules := append([]string{r.Corpusgen, "test", "-c"}, mode...)
	if err := b.copyTo(ctx, r.Lab, b.before, dir); err != nil {
		return result{Note: err.Error()}
	}
	binary := filepath.Join(r.Scratch, "before.test")
	if res.Build, res.Note = r.build(ctx, pkg, binary, schedules...); res.Note != "" {
		return res
	}
	res.Before = r.test(ctx, pkg, binary, beforeRuns)
	if res.Before.Failed {
		res.Replayed = r.replay(ctx, pkg, binary)
	}
	os.RemoveAll(filepath.Join(pkg, saved))
	chance := filepath.Join(r.Scratch, "chance.test")
	if _, res.Note = r.build(ctx, pkg, chance, "go", "test", "-c", "-race",
		"-vet=off"); res.Note != "" {
		return res
	}
	res.Chance = r.test(ctx, pkg, chance, chanceRuns)
	if err := b.copyTo(ctx, r.Lab, b.after, dir); err != nil {
		res.Note = err.Error()
		return res
	}
	binary = filepath.Join(r.Scratch, "after.test")
	if _, res.Note = r.build(ctx, pkg, binary, schedules...); res.Note != "" {
		return res
	}
	res.After = r.test(ctx, pkg, binary, afterRuns)
	return res
}

// build compiles the test, and returns the CPU seconds. It says why if it cannot.
func (r runner) build(
	ctx context.Context, pkg, binary string, command ...string,
) (cpu float64, note string) {
	os.Remove(binary)
	command = append(command, "-o", binary, ".")
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir, cmd.Env = pkg, others.Environment()
	done := others.Start(ctx, others.MostBuild, others.MostBuild, cmd)
	if _, err := os.Stat(binary); err != nil {
		note = fmt.Sprintf("%s: %v: %s", filepath.Base(command[0]), done.Err, done.Tail())
	}
	return done.CPU.Seconds(), note
}

// test runs a test binary on so many schedules, for as long as the limit of the runner says.
func (r runner) test(ctx context.Context, pkg, binary string, runs int) outcome {
	cmd := others.WithLimits(r.Limit, 0, binary, "-test.run=^TestRace$", "-test.v", "-test.timeout=0",
		"-fuzzext.checks="+strconv.Itoa(runs))
	cmd.Dir, cmd.Env = pkg, r.testEnvironment()
	return read(others.Start(ctx, 20*r.Limit, mostIdle, cmd))
}

// replay says how many runs of the saved schedule fail.
func (r runner) replay(ctx context.Context, pkg, binary string) int {
	cmd := exec.Command(binary, "-test.run=^TestRace$/", "-test.count="+strconv.Itoa(replays),
		"-test.v")
	cmd.Dir, cmd.Env = pkg, r.testEnvironment()
	done := others.Start(ctx, 20*r.Limit, mostIdle, cmd)
	return bytes.Count(done.Out, []byte("--- FAIL: TestRace ("))
}

// An outcome is one of the runs of a test.
type outcome struct {
	Failed bool
	Hangs  bool    // the test waited without end
	Spent  bool    // the test had used its CPU time, and was ended
	Runs   int     // up to the failure, or in all; 0 if unknown
	CPU    float64 // seconds
	Says   string  // the first line of the report
}

var (
	reported = regexp.MustCompile(`\((\d+) ran before this one\)`)
	explored = regexp.MustCompile(`fuzzext\.Check: (\d+) `)
	says     = regexp.MustCompile(`(?m)^ {4}((?:deadlock|leak|livelock|panic|data race|` +
		`.*goroutine.* remain|espalier_race_test\.go:\d+: [^f]).*)`)
)

// read reads the output of a test.
func read(done others.Process) (o outcome) {
	o.CPU = done.CPU.Seconds()
	if m := explored.FindSubmatch(done.Out); m != nil {
		o.Runs, _ = strconv.Atoi(string(m[1]))
	}
	if done.Err == nil {
		return o
	}
	if bytes.Contains(done.Out, []byte("SIGXCPU")) || !done.Late && done.Err.Error() ==
		"signal: killed" {
		o.Spent = true
		return o
	}
	o.Failed = true
	if m := reported.FindSubmatch(done.Out); m != nil {
		o.Runs, _ = strconv.Atoi(string(m[1]))
		o.Runs++
	}
	o.Hangs = done.Late
	if m := says.FindSubmatch(done.Out); m != nil {
		o.Says = string(m[1])
	} else {
		o.Says = done.Tail()
	}
	return o
}

// testEnvironment is the one of tests: the race detector writes to files, as with corpusgen test.
func (r runner) testEnvironment() []string {
	return others.Environment("GORACE=suppress_equal_stacks=0 log_path='" +
		filepath.Join(r.Scratch, "race") + "'")
}
