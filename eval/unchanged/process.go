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
	"syscall"
	"time"
)

const (
	mostBuild  = 20 * time.Minute // by the clock
	mostTests  = 3 * time.Minute  // by the clock, for the tests of a package
	mostAlone  = 20 * time.Second // by the clock, for one test alone
	mostOutput = 64 << 20         // bytes that are read of it
)

// adopt makes this process the parent of all processes that those which it starts leave behind.
func adopt() {
	const subreaper = 36 // PR_SET_CHILD_SUBREAPER
	syscall.RawSyscall(syscall.SYS_PRCTL, subreaper, 1, 0)
}

// orphans kills the processes that have been left.
func orphans() {
	self := strconv.Itoa(os.Getpid())
	for range 10 {
		stats, _ := filepath.Glob("/proc/[0-9]*/stat")
		found := false
		for _, stat := range stats {
			text, _ := os.ReadFile(stat)
			_, rest, _ := strings.Cut(string(text), ") ")
			if f := strings.Fields(rest); len(f) < 2 || f[1] != self {
				continue
			}
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(stat)))
			found = true
			syscall.Kill(pid, syscall.SIGKILL)
			syscall.Wait4(pid, nil, 0, nil)
		}
		if !found {
			return
		}
	}
}

// A process is one that has ended.
type process struct {
	out []byte
	cpu time.Duration
	err error
}

// start runs a command until it ends, or until so much time has passed by the clock. No process of
// its group remains.
func start(ctx context.Context, most time.Duration, cmd *exec.Cmd) process {
	file, err := os.CreateTemp("", "output-*")
	if err != nil {
		return process{err: err}
	}
	defer os.Remove(file.Name())
	defer file.Close()
	cmd.Stdout, cmd.Stderr = file, file
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		return process{err: err}
	}
	kill := func() { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	timer := time.AfterFunc(most, kill)
	stop := context.AfterFunc(ctx, kill)
	err = cmd.Wait()
	timer.Stop()
	stop()
	kill()
	orphans()
	size := int64(0)
	if info, err := file.Stat(); err == nil {
		size = min(info.Size(), mostOutput)
	}
	out := make([]byte, size)
	n, _ := file.ReadAt(out, 0)
	return process{out[:n:n], cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), err}
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
func environment(more ...string) []string {
	return append(append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod -buildvcs=false"), more...)
}

// outcomes are those of tests, by their names: pass, fail, skip, or none if a test has begun and has
// no other.
type outcomes map[string]string

// runTests runs tests of a binary. Limit is their CPU time, and most their time by the clock.
func runTests(
	ctx context.Context, p tested, binary string, limit, most time.Duration, env []string,
	args ...string,
) (outcomes, process) {
	args = append([]string{"-c", `ulimit -t $0; exec "$@"`, strconv.Itoa(int(limit.Seconds()) + 1),
		binary, "-test.v=test2json", "-test.parallel=1",
		"-test.timeout=" + (most * 2 / 3).String()}, args...)
	cmd := exec.Command("sh", args...)
	cmd.Dir = p.Dir
	cmd.Env = environment(env...)
	done := start(ctx, most, cmd)
	return read(done.out), done
}

// read reads the output of tests.
func read(out []byte) outcomes {
	all := outcomes{}
	for line := range bytes.Lines(out) {
		if m := begins.FindSubmatch(line); m != nil {
			all[testName(m[1])] = "none"
		} else if m := ends.FindSubmatch(line); m != nil {
			all[testName(m[2])] = strings.ToLower(string(m[1]))
		}
	}
	return all
}

// testName returns the name of a test without addresses, which differ between binaries.
func testName(name []byte) string { return string(address.ReplaceAll(name, []byte("0x…"))) }

var address = regexp.MustCompile(`0x[0-9a-f]{4,}`)

var (
	begins = regexp.MustCompile("\x16=== RUN   (.*)\n")
	ends   = regexp.MustCompile("\x16 *--- (PASS|FAIL|SKIP): (.*) \\([0-9.]+s\\)\n")
)
