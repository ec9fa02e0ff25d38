package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/espalier-go/espalier/bench/targets"
	"github.com/espalier-go/espalier/examples/planted"
)

// scaleRows measure the binaries of corpusgen libfuzzer: how soon they find planted bugs, beside
// the same target with libFuzzer's own mutations and beside corpusgen fuzz, and how many values
// they run.
func scaleRows() []row {
	var rows []row
	for _, bug := range []string{"bst-delete", "share-merge", "cache-stale", "ladder"} {
		rows = append(rows,
			row{"scale/hunt/" + bug + "/stock cpu-s", "libFuzzer's mutations", ratioAtMost(1), func(quick bool) (o, b figure, err error) {
				if o, err = scaleHunt(quick, bug, structured); err == nil {
					b, err = scaleHunt(quick, bug, stock)
				}
				return o, b, err
			}},
			row{"scale/hunt/" + bug + "/fuzz cpu-s", "corpusgen fuzz", ratioAtMost(1), func(quick bool) (o, b figure, err error) {
				if o, err = scaleHunt(quick, bug, structured); err != nil {
					return o, b, err
				}
				runs, err := turboHunts(quick, bug, "FuzzValid")
				if err != nil {
					return o, b, err
				}
				return o, runs[len(runs)/2].figure(), nil
			}},
		)
	}
	return append(rows, scaleModulesRow(), row{"scale/values per cpu-s", "libFuzzer's mutations", oursAtLeast(40_000), func(quick bool) (o, b figure, err error) {
		if o.value, err = scaleRate(quick, structured); err == nil {
			b.value, err = scaleRate(quick, stock)
		}
		return o, b, err
	}})
}

// mutations are those that libFuzzer makes: fuzzext's, or its own.
type mutations string

const (
	structured mutations = "structured"
	stock      mutations = "stock"
)

// scaleBinary returns the binary of FuzzValid in package targets.
func scaleBinary() (path string, err error) {
	path = filepath.Join(scratch, "libfuzzer")
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	command, err := fuzzCommand()
	if err != nil {
		return "", err
	}
	user, err := userModule()
	if err != nil {
		return "", err
	}
	cmd := exec.Command(command[0], "libfuzzer", "-fuzz", "^FuzzValid$", "-o", path, ".")
	cmd.Dir = filepath.Join(user, "targets")
	cmd.Env = append(os.Environ(), targets.HuntEnv+"="+targets.Trivial)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", cmd, err, out)
	}
	return path, nil
}

// scaleRun runs a binary in an empty directory until it finds the bug or has used so much CPU time.
func scaleRun(m mutations, target string, seed int, limit time.Duration) (o outcome, err error) {
	binary, err := scaleBinary()
	if err != nil {
		return o, err
	}
	err = inScratch(func(dir string) error {
		tally := filepath.Join(dir, "tally")
		env, err := targets.NewTally(tally)
		if err != nil {
			return err
		}
		run := []string{binary, "-seed=" + strconv.Itoa(seed+1), "-use_value_profile=1"}
		if m == stock {
			run = append(run, "--stock")
		}
		cmd := exec.Command("sh", append([]string{"-c", fmt.Sprintf("ulimit -St %d; exec \"$@\"", int(limit.Seconds())), "sh"}, run...)...)
		cmd.Dir = dir
		bug := target
		if bug == targets.Trivial {
			bug = ""
		}
		cmd.Env = append(os.Environ(), env, targets.HuntEnv+"="+target, planted.Env+"="+bug)
		out, err := cmd.CombinedOutput()
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
			return err
		}
		o.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		o.values, o.found, err = targets.ReadTally(tally)
		if err == nil && !o.found && o.cpu < limit*9/10 { // the kernel counts a little more than it tells
			err = fmt.Errorf("%s ended without a failure:\n%s", cmd, out)
		}
		return err
	})
	return o, err
}

var scaleHunted = map[string][]outcome{}

// scaleHunt returns the median time until a bug is found.
func scaleHunt(quick bool, bug string, m mutations) (figure, error) {
	key := bug + " " + string(m)
	n, limit := huntRuns(quick, bug)
	for seed := len(scaleHunted[key]); seed < n; seed++ {
		o, err := scaleRun(m, bug, seed, limit)
		if err != nil {
			return figure{}, err
		}
		fmt.Fprintf(os.Stderr, "scale/%s: %s: %v cpu-s, %d values\n", bug, m, o.figure(), o.values)
		scaleHunted[key] = append(scaleHunted[key], o)
	}
	runs := scaleHunted[key]
	slices.SortFunc(runs, func(a, b outcome) int { return a.figure().compare(b.figure()) })
	return runs[len(runs)/2].figure(), nil
}

// scaleRate returns the median number of values per CPU second, with a property that does nothing.
func scaleRate(quick bool, m mutations) (float64, error) {
	n, limit := 5, 10*time.Second
	if quick {
		n, limit = 1, 3*time.Second
	}
	var rates []float64
	for seed := range n {
		o, err := scaleRun(m, targets.Trivial, seed, limit)
		if err != nil {
			return 0, err
		}
		rates = append(rates, float64(o.values)/o.cpu.Seconds())
	}
	return median(rates), nil
}
