package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

const (
	beforeRuns = 100_000          // at most, until the bug is found
	afterRuns  = 10_000           // after the fix
	chanceRuns = 1000             // without corpusgen
	replays    = 3                // of the saved schedule
	mostBuild  = 20 * time.Minute // by the clock
	mostIdle   = 15 * time.Second // by the clock, without CPU time
)

// A runner runs bugs.
type runner struct {
	scratch, root, corpusgen string
	limit                    time.Duration // of CPU, for the runs of a test
}

// prepare builds corpusgen.
func (r *runner) prepare(ctx context.Context) (err error) {
	out, err := output(ctx, "", "go", "list", "-m", "-f", "{{.Dir}}", espalier)
	if err != nil {
		return err
	}
	r.root = strings.TrimSpace(string(out))
	if r.scratch, err = os.MkdirTemp("", "races-*"); err != nil {
		return err
	}
	r.corpusgen = filepath.Join(r.scratch, "corpusgen")
	_, err = output(ctx, r.root, "go", "build", "-o", r.corpusgen, "./cmd/corpusgen")
	return err
}

// bug runs a bug.
func (r *runner) bug(ctx context.Context, b bug) (res result) {
	dir, saved := filepath.Join(r.scratch, "module"), "testdata/fuzzext"
	pkg := filepath.Join(dir, filepath.FromSlash(b.pkg))
	var mode []string
	if b.race {
		mode = []string{"-race"}
	}
	schedules := append([]string{r.corpusgen, "test", "-c"}, mode...)
	if err := b.copyTo(ctx, b.before, dir, r.root); err != nil {
		return result{Note: err.Error()}
	}
	binary := filepath.Join(r.scratch, "before.test")
	if res.Build, res.Note = r.build(ctx, pkg, binary, schedules...); res.Note != "" {
		return res
	}
	res.Before = r.test(ctx, pkg, binary, beforeRuns)
	if res.Before.Failed {
		res.Replayed = r.replay(ctx, pkg, binary)
	}
	os.RemoveAll(filepath.Join(pkg, saved))
	chance := filepath.Join(r.scratch, "chance.test")
	if _, res.Note = r.build(ctx, pkg, chance, "go", "test", "-c", "-race",
		"-vet=off"); res.Note != "" {
		return res
	}
	res.Chance = r.test(ctx, pkg, chance, chanceRuns)
	if err := b.copyTo(ctx, b.after, dir, r.root); err != nil {
		res.Note = err.Error()
		return res
	}
	binary = filepath.Join(r.scratch, "after.test")
	if _, res.Note = r.build(ctx, pkg, binary, schedules...); res.Note != "" {
		return res
	}
	res.After = r.test(ctx, pkg, binary, afterRuns)
	return res
}

// build compiles the test, and returns the CPU seconds. It says why if it cannot.
func (r *runner) build(
	ctx context.Context, pkg, binary string, command ...string,
) (cpu float64, note string) {
	os.Remove(binary)
	command = append(command, "-o", binary, ".")
	done := start(ctx, pkg, environment(), mostBuild, mostBuild, command...)
	if _, err := os.Stat(binary); err != nil {
		return done.cpu, fmt.Sprintf("%s: %v: %s", filepath.Base(command[0]), done.err, tail(done.out))
	}
	return done.cpu, ""
}

// test runs a test binary on so many schedules, for as long as the limit of the runner says.
func (r *runner) test(ctx context.Context, pkg, binary string, runs int) outcome {
	return read(start(ctx, pkg, r.testEnvironment(), 20*r.limit, mostIdle, "sh", "-c",
		`ulimit -t $0; exec "$@"`, strconv.Itoa(int(r.limit.Seconds())), binary,
		"-test.run=^TestRace$", "-test.v", "-test.timeout=0", "-fuzzext.checks="+strconv.Itoa(runs)))
}

// replay says how many runs of the saved schedule fail.
func (r *runner) replay(ctx context.Context, pkg, binary string) int {
	done := start(ctx, pkg, r.testEnvironment(), 20*r.limit, mostIdle, binary,
		"-test.run=^TestRace$/", "-test.count="+strconv.Itoa(replays), "-test.v")
	return bytes.Count(done.out, []byte("--- FAIL: TestRace ("))
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
func read(done process) (o outcome) {
	o.CPU = done.cpu
	if m := explored.FindSubmatch(done.out); m != nil {
		o.Runs, _ = strconv.Atoi(string(m[1]))
	}
	if done.err == nil {
		return o
	}
	if bytes.Contains(done.out, []byte("SIGXCPU")) || !done.late && done.err.Error() ==
		"signal: killed" {
		o.Spent = true
		return o
	}
	o.Failed = true
	if m := reported.FindSubmatch(done.out); m != nil {
		o.Runs, _ = strconv.Atoi(string(m[1]))
		o.Runs++
	}
	o.Hangs = done.late
	if m := says.FindSubmatch(done.out); m != nil {
		o.Says = string(m[1])
	} else {
		o.Says = tail(done.out)
	}
	return o
}

// tail returns the end of an output, in one line.
func tail(out []byte) string {
	text := strings.Join(strings.Fields(string(out)), " ")
	return text[max(0, len(text)-300):]
}

// A process is one that has ended.
type process struct {
	out  []byte
	cpu  float64
	err  error
	late bool // it was ended, since it did nothing, or after the time that it had
}

// start runs a command until it ends, or until so much time has passed by the clock, in all or
// without CPU time.
func start(
	ctx context.Context, dir string, env []string, most, idle time.Duration, command ...string,
) process {
	var out bytes.Buffer
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, env, &out, &out
	cmd.WaitDelay = time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		return process{err: err}
	}
	kill := func() { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	var late atomic.Bool
	watched, unwatch := context.WithTimeout(ctx, most)
	go func() {
		late.Store(watch(watched, cmd.Process.Pid, idle))
		kill()
	}()
	err := cmd.Wait()
	unwatch()
	p := process{out: out.Bytes(), err: err, late: late.Load()}
	p.cpu = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	return p
}

// watch returns when the context ends, or when the processes of a group have had no CPU time for so
// long. It reports whether it was too late for them.
func watch(ctx context.Context, group int, idle time.Duration) bool {
	last, since := "", time.Now()
	for {
		select {
		case <-ctx.Done():
			return errors.Is(ctx.Err(), context.DeadlineExceeded)
		case <-time.After(time.Second):
		}
		if now := ticks(group); now != last {
			last, since = now, time.Now()
		} else if time.Since(since) > idle {
			return true
		}
	}
}

// ticks returns the CPU times of the processes of a group, as texts.
func ticks(group int) (all string) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, stat := range stats {
		text, _ := os.ReadFile(stat)
		_, rest, _ := strings.Cut(string(text), ") ")
		if f := strings.Fields(rest); len(f) > 12 && f[2] == strconv.Itoa(group) {
			all += f[11] + " " + f[12] + " "
		}
	}
	return all
}

// output returns what a command prints to its standard output.
func output(ctx context.Context, dir, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = environment()
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return out, fmt.Errorf("%s: %w\n%s", cmd, err, exit.Stderr)
	}
	return out, err
}

// environment is the one of all commands.
func environment() []string {
	return append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod -buildvcs=false")
}

// testEnvironment is the one of tests: the race detector writes to files, as with corpusgen test.
func (r *runner) testEnvironment() []string {
	return append(environment(), "GORACE=suppress_equal_stacks=0 log_path='"+
		filepath.Join(r.scratch, "race")+"'")
}
