package main

import (
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

// process is a run of one of the tests or fuzz targets of ./targets, in a directory of its
// own, with an empty cache and one worker.
type process struct {
	test   string // FuzzValid, TestCheck, ...
	target string // what it looks into: see targets.HuntEnv
	seed   int    // of a test that draws random numbers
	limit  time.Duration
}

// outcome is what came of a process.
type outcome struct {
	cpu    time.Duration // of all its processes
	values uint64        // on which the property was run
	found  bool          // else it was stopped, once its CPU time was at the limit
}

func (p process) fuzzes() bool { return strings.HasPrefix(p.test, "Fuzz") }

// run runs p in dir, which must be empty.
func (p process) run(dir string) (o outcome, err error) {
	binary, err := testBinary("./targets", p.fuzzes())
	if err != nil {
		return o, err
	}
	tally := filepath.Join(dir, "tally")
	env, err := targets.NewTally(tally)
	if err != nil {
		return o, err
	}
	cmd := exec.Command(binary, p.args(dir)...)
	cmd.Dir = dir
	bug := p.target
	if bug == targets.Native {
		bug = ""
	}
	cmd.Env = append(os.Environ(), env, targets.HuntEnv+"="+p.target, planted.Env+"="+bug)
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	stopped, err := runLimited(cmd, p.limit, &o)
	if err != nil {
		return o, err
	}
	if o.values, o.found, err = targets.ReadTally(tally); err != nil {
		return o, err
	}
	if o.found == stopped {
		return o, fmt.Errorf("%s %s ended by itself, or not at the failure that it found:\n%s", p.test, p.target, out.String())
	}
	return o, nil
}

func (p process) args(dir string) []string {
	args := []string{"-test.timeout=0", "-test.parallel=1"}
	const endless = "1000000000" // checks
	switch {
	case p.fuzzes():
		// The engine's minimisation of inputs that it keeps, up to a minute for each, would take
		// most of the time. Valid switches it off by itself.
		return append(args, "-test.run=^$", "-test.fuzz=^"+p.test+"$", "-test.fuzzminimizetime=0s",
			"-test.fuzzcachedir="+filepath.Join(dir, "cache"))
	case p.test == "TestCheck":
		return append(args, "-test.run=^"+p.test+"$", "-fuzzext.checks="+endless, "-fuzzext.seed="+strconv.Itoa(p.seed))
	}
	// rapid counts on from its seed: far, if it runs long.
	return append(args, "-test.run=^"+p.test+"$", "-rapid.checks="+endless, "-rapid.nofailfile", "-rapid.seed="+strconv.FormatUint(uint64(p.seed)<<40, 10))
}

// runLimited runs cmd, kills it and the processes that it has started once their CPU time
// exceeds limit, and puts that time into o.
func runLimited(cmd *exec.Cmd, limit time.Duration, o *outcome) (stopped bool, err error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return false, err
	}
	kill := func() { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	defer kill()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	poll := time.NewTicker(20 * time.Millisecond)
	defer poll.Stop()
	for {
		select {
		case err = <-ended:
			if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
				return stopped, err
			}
			if !stopped {
				o.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
			}
			return stopped, nil
		case <-poll.C:
			if stopped {
				continue
			}
			cpu, err := groupTime(cmd.Process.Pid)
			if err != nil {
				return stopped, err
			}
			if cpu > limit {
				o.cpu, stopped = cpu, true
				kill()
			}
		}
	}
}

// groupTime returns the CPU time of a process group, with that of the processes that were
// its members and have been waited for. It needs the /proc of Linux.
func groupTime(group int) (time.Duration, error) {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil || len(stats) == 0 {
		return 0, errors.New("CPU times of other processes are known on Linux only, with a /proc")
	}
	const ticks = 100 // per second, on every Linux
	sum := 0
	for _, path := range stats {
		b, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
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

// testBinary builds the tests of the package in dir in scratch, as `go test -fuzz` would if
// they are to fuzz, and returns the path.
func testBinary(dir string, fuzz bool) (string, error) {
	name := filepath.Base(dir) + ".test"
	if fuzz {
		return buildTests(dir, name+".fuzz", nil, "-fuzz=.")
	}
	return buildTests(dir, name, nil)
}

// buildTests builds the tests of the package in dir in scratch, unless they are there, and
// returns the path.
func buildTests(dir, name string, env []string, flags ...string) (string, error) {
	path := filepath.Join(scratch, name)
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	cmd := exec.Command("go", append([]string{"-C", dir, "test", "-c", "-o", path}, flags...)...)
	cmd.Env = append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the tests of %s: %w\n%s", dir, err, out)
	}
	return path, nil
}
