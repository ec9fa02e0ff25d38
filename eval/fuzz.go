package main

import (
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

	"github.com/espalier-go/espalier/eval/bug"
)

// fuzzEnv names the bug of a fuzz target.
const fuzzEnv = "EVAL_FUZZ"

// fuzzLimit is the CPU time after which a fuzzer that has not found its bug is stopped.
const fuzzLimit = 20 * time.Second

// fuzzAll prints, for each bug, the CPU seconds until Go's fuzzer finds it, with the inputs of
// rapid.MakeFuzz and of fuzzext.Valid, and until corpusgen fuzz does, once each.
func fuzzAll(all []bug.Bug) error {
	dir, err := os.MkdirTemp("", "eval-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	binary, tool := filepath.Join(dir, "eval.test"), filepath.Join(dir, "corpusgen")
	for _, args := range [][]string{{"test", "-c", "-vet=off", "-fuzz=.", "-o", binary, "."},
		{"build", "-o", tool, "github.com/espalier-go/espalier/cmd/corpusgen"}} {
		if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
			return fmt.Errorf("go %s: %w\n%s", args[0], err, out)
		}
	}
	for i, b := range all {
		line := b.Name
		for j, target := range []string{"FuzzRapid", "FuzzValid"} {
			own := filepath.Join(dir, fmt.Sprint(i, "-", j))
			if err := os.Mkdir(own, 0o777); err != nil {
				return err
			}
			cpu, found, err := fuzzOnce(b.Name, own, binary, "-test.run=^$",
				"-test.fuzz=^"+target+"$", "-test.fuzzcachedir="+own, "-test.parallel=1",
				"-test.fuzzminimizetime=0s")
			if err != nil {
				return err
			}
			line += "\t" + spent(cpu, found)
		}
		cpu, found, err := fuzzByTool(b.Name, tool)
		if err != nil {
			return err
		}
		fmt.Println(line + "\t" + spent(cpu, found))
	}
	return nil
}

func spent(cpu time.Duration, found bool) string {
	if !found {
		return "–"
	}
	return fmt.Sprintf("%.2f", cpu.Seconds())
}

// fuzzOnce runs a fuzzer in a directory until it fails or has used its time.
func fuzzOnce(name, dir, binary string, args ...string) (cpu time.Duration, found bool, err error) {
	cmd := exec.Command(binary, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), fuzzEnv+"="+name)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		return 0, false, err
	}
	ended, stopped := make(chan error, 1), false
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case err := <-ended:
			cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
			if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
				return cpu, false, err
			}
			if !stopped && !strings.Contains(out.String(), "--- FAIL") {
				return cpu, false, fmt.Errorf("%s: the fuzzer ended without a failure:\n%s", name, out.String())
			}
			return cpu, !stopped, nil
		case <-time.After(20 * time.Millisecond):
			if !stopped && groupTime(cmd.Process.Pid) > fuzzLimit {
				stopped = true
				_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
			}
		}
	}
}

// groupTime returns the CPU time of a group of processes, on Linux.
func groupTime(group int) (sum time.Duration) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		b, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		fields := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))
		if len(fields) < 15 || fields[2] != strconv.Itoa(group) {
			continue
		}
		for _, f := range fields[11:15] {
			n, _ := strconv.Atoi(f)
			sum += time.Duration(n) * time.Second / 100
		}
	}
	return sum
}

var toolCPU = regexp.MustCompile(`(?m)^\s*time:\s.*\bCPU ([0-9.]+)s`)

// fuzzByTool runs corpusgen fuzz. What it builds does not count.
func fuzzByTool(name, tool string) (cpu time.Duration, found bool, err error) {
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		return 0, false, err
	}
	clean := func() {
		_ = os.RemoveAll(filepath.Join(strings.TrimSpace(string(cache)), "fuzz",
			"github.com/espalier-go/espalier/eval", "FuzzValid"))
		_ = os.RemoveAll(filepath.Join("testdata", "fuzz", "FuzzValid"))
	}
	clean()
	defer clean()
	cmd := exec.Command(tool, "fuzz", "-vet=off", "-run", "^$", "-fuzz", "^FuzzValid$", "-fuzztime",
		fuzzLimit.String(), "-parallel", "1", "-instrument", "./...")
	cmd.Env = append(os.Environ(), fuzzEnv+"="+name)
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return 0, false, err
	}
	match := toolCPU.FindSubmatch(out)
	if match == nil {
		return 0, false, fmt.Errorf("%s: corpusgen fuzz:\n%s", name, out)
	}
	seconds, err := strconv.ParseFloat(string(match[1]), 64)
	return time.Duration(seconds * float64(time.Second)), strings.Contains(string(out),
		"--- FAIL"), err
}
