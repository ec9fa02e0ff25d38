package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/espalier-go/espalier/bench/targets"
	"github.com/espalier-go/espalier/examples/planted"
)

// process is a run of a test or a fuzz target, in a directory of its own, with an empty cache
// and one worker.
type process struct {
	pkg    string // its directory; "" for ./targets
	test   string // FuzzValid, TestCheck, ...
	target string // the code under test: see targets.HuntEnv
	seed   int    // of the random numbers of a test
	limit  time.Duration
	binary string // "" for the tests of the package
}

// outcome is the outcome of a process.
type outcome struct {
	cpu    time.Duration // of all its processes
	values uint64        // values on which the property ran
	found  bool          // the bug; else the process was stopped at its limit of CPU time
}

func (o outcome) figure() figure { return figure{value: o.cpu.Seconds(), more: !o.found} }

func (p process) fuzzes() bool { return strings.HasPrefix(p.test, "Fuzz") }

func (p process) run() (o outcome, err error) {
	binary := p.binary
	if binary == "" {
		if binary, err = testBinary(cmp.Or(p.pkg, "./targets"), p.fuzzes()); err != nil {
			return o, err
		}
	}
	err = inScratch(func(dir string) error {
		cmd := exec.Command(binary, p.args(dir)...)
		cmd.Dir = dir
		var out strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &out
		stopped := false
		err := o.tally(dir, p.target, plantedBug(p.pkg, p.target), func(env ...string) (err error) {
			cmd.Env = append(os.Environ(), env...)
			stopped, err = runLimited(cmd, p.limit, &o)
			return err
		})
		if err == nil && o.found == stopped {
			err = fmt.Errorf("%s %s ended without a failure, or did not end at the failure:\n%s",
				p.test, p.target, out.String())
		}
		return err
	})
	return o, err
}

// tally stores how many values the target of a process runs on, and whether one fails by the bug
// that is planted. run runs the process with an environment.
func (o *outcome) tally(dir, target, bug string, run func(env ...string) error) error {
	path := filepath.Join(dir, "tally")
	env, err := targets.NewTally(path)
	if err != nil {
		return err
	}
	if err := run(env, targets.HuntEnv+"="+target, planted.Env+"="+bug); err != nil {
		return err
	}
	o.values, o.found, err = targets.ReadTally(path)
	return err
}

// plantedBug returns the bug of examples/planted for a target of a package.
func plantedBug(pkg, target string) string {
	if pkg != "" || target == targets.Trivial {
		return ""
	}
	return target
}

func (p process) args(dir string) []string {
	args := []string{"-test.timeout=0", "-test.parallel=1"}
	switch {
	case p.fuzzes():
		// The engine minimizes each input that it keeps, for up to a minute, which would take
		// most of the time. Valid switches that off itself.
		return append(args, "-test.run=^$", "-test.fuzz=^"+p.test+"$", "-test.fuzzminimizetime=0s",
			"-test.fuzzcachedir="+filepath.Join(dir, "cache"))
	case p.pkg != "":
		return append(args, "-test.run="+p.test, "-fuzzext.seed="+strconv.Itoa(p.seed))
	case p.test == "TestCheck":
		return append(args, "-test.run=^"+p.test+"$", "-fuzzext.checks="+endless,
			"-fuzzext.seed="+strconv.Itoa(p.seed))
	}
	// rapid increments its seed for each check, so seeds must be far apart.
	return append(args, "-test.run=^"+p.test+"$", "-rapid.checks="+endless, "-rapid.nofailfile",
		"-rapid.seed="+strconv.FormatUint(uint64(p.seed)<<40, 10))
}

// runLimited runs cmd and stores the CPU time of its process group in o. When that exceeds
// limit, runLimited kills the group.
func runLimited(cmd *exec.Cmd, limit time.Duration, o *outcome) (stopped bool, err error) {
	kill := func() {
		if cmd.Process != nil {
			syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		}
	}
	defer kill()
	err = polled(cmd, func() error {
		if stopped {
			return nil
		}
		cpu, err := groupTime(cmd.Process.Pid)
		if err == nil && cpu > limit {
			o.cpu, stopped = cpu, true
			kill()
		}
		return err
	})
	if err == nil && !stopped {
		o.cpu = cpuOf(cmd)
	}
	return stopped, err
}

// polled runs cmd in a process group of its own and calls poll every 20 milliseconds until
// cmd has ended or poll returns an error. A nonzero exit status is not an error.
func polled(cmd *exec.Cmd, poll func() error) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case err := <-ended:
			if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
				return nil
			}
			return err
		case <-ticker.C:
			if err := poll(); err != nil {
				return err
			}
		}
	}
}

// groupTime returns the CPU time of a process group, including its processes that have
// ended and been waited for. It needs /proc as on Linux.
func groupTime(group int) (time.Duration, error) {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil || len(stats) == 0 {
		return 0, errors.New("the CPU times of other processes are known only on Linux, with " +
			"/proc mounted")
	}
	const ticks = 100 // per second, on every Linux
	sum := 0
	for _, path := range stats {
		b, err := os.ReadFile(path)
		if err != nil {
			continue // the process has ended
		}
		_, rest, _ := strings.Cut(string(b[strings.LastIndexByte(string(b), ')')+1:]), " ")
		fields := strings.Fields(rest) // from the third field on, see proc(5)
		if len(fields) < 15 || fields[2] != strconv.Itoa(group) {
			continue
		}
		for _, f := range fields[11:15] { // utime, stime, cutime, cstime
			n, _ := strconv.Atoi(f)
			sum += n
		}
	}
	return time.Duration(sum) * time.Second / ticks, nil
}

// testBinary builds the tests of the package in dir, with the engine's instrumentation if
// fuzz is true, and returns the path in scratch.
func testBinary(dir string, fuzz bool) (string, error) {
	name := filepath.Base(dir) + ".test"
	if fuzz {
		return buildTests(dir, name+".fuzz", nil, "-fuzz=.")
	}
	return buildTests(dir, name, nil)
}

// buildTests builds the tests of the package in dir, unless scratch has them, and returns
// the path.
func buildTests(dir, name string, env []string, flags ...string) (string, error) {
	return built(name, dir, env, "go",
		append([]string{"test", "-c", "-o", filepath.Join(scratch, name)}, flags...)...)
}

// built returns the path of what a command makes in scratch.
func built(name, dir string, env []string, command string, args ...string) (string, error) {
	return once("build "+name, func() (string, error) {
		cmd := exec.Command(command, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%s in %s: %w\n%s", cmd, dir, err, out)
		}
		return filepath.Join(scratch, name), nil
	})
}

// cpuOf returns the CPU time of a process that has ended, and of those it has waited for.
func cpuOf(cmd *exec.Cmd) time.Duration {
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// inScratch runs f with a directory that it removes afterwards.
func inScratch(f func(dir string) error) error {
	dir, err := os.MkdirTemp(scratch, "run-*")
	if err != nil {
		return err
	}
	return errors.Join(f(dir), os.RemoveAll(dir))
}

// parallel calls f with 0 to n-1, several at a time, and joins the errors: only CPU time counts.
func parallel(atATime, n int, f func(i int) error) error {
	errs := make([]error, n)
	slots := make(chan bool, atATime)
	for i := range n {
		slots <- true
		go func() {
			defer func() { <-slots }()
			errs[i] = f(i)
		}()
	}
	for range cap(slots) {
		slots <- true
	}
	return errors.Join(errs...)
}
