package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/espalier-go/espalier/bench/rltargets"
	"github.com/espalier-go/espalier/bench/rltrial"
)

// rlStrict are the targets with few valid inputs by chance. The goal for them is three times
// as many unique ones.
var rlStrict = map[string]bool{"rb": true, "workflow": true}

// rlTraced maps the targets that are checked by another module to its packages. A trace is
// the code of these packages that an input executes.
var rlTraced = map[string]string{
	"js":       "github.com/dop251/goja/...",
	"workflow": "github.com/rhysd/actionlint/...",
}

// rlTargetRows measure the default policy on targets with which nothing was tuned, against
// random inputs and against the paper's policy.
func rlTargetRows() []row {
	var rows []row
	for _, t := range rltargets.Others() {
		add := func(f rlFigure, g goal) {
			for _, p := range []rltrial.Policy{rltrial.Random, rltrial.RLCheck} {
				rows = append(rows, row{"rl/" + t.Name + "/" + f.name, p.Name, g, func(quick bool) (ours, base figure, err error) {
					trials, inputs := 10, 100_000
					if quick {
						trials, inputs = 1, 20_000
					}
					if ours, err = rlMeasure(t, rltrial.Default, f, trials, inputs); err == nil {
						base, err = rlMeasure(t, p, f, trials, inputs)
					}
					return ours, base, err
				}})
			}
		}
		if rlStrict[t.Name] {
			add(rlUnique, ratioAtLeast(3))
		} else {
			add(rlUnique, ratioAbove(1))
		}
		if rlTraced[t.Name] != "" {
			add(rlTraces, ratioAbove(1))
		}
	}
	return rows
}

// rlTrial runs a trial: in another process if it counts traces.
func rlTrial(t rltargets.Target, p rltrial.Policy, seed uint64, inputs int) (trial rltrial.Trial, err error) {
	if rlTraced[t.Name] == "" {
		return rltrial.Run(t, p, seed, inputs, nil), nil
	}
	binary, err := rlTracesBinary()
	if err != nil {
		return trial, err
	}
	cmd := exec.Command(binary, t.Name, p.Name, strconv.FormatUint(seed, 10), strconv.Itoa(inputs))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &trial)
	}
	if err != nil {
		return trial, fmt.Errorf("rltraces %s %s: %w", t.Name, p.Name, err)
	}
	return trial, nil
}

// rlTracesBinary builds ./rltraces with the packages of rlTraced instrumented, unless
// scratch has it, and returns the path.
func rlTracesBinary() (string, error) {
	path := filepath.Join(scratch, "rltraces")
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		return path, err
	}
	args := []string{"build", "-o", path, "-ldflags=-checklinkname=0"}
	for _, packages := range rlTraced {
		args = append(args, "-gcflags="+packages+"=-d=libfuzzer")
	}
	if out, err := exec.Command("go", append(args, "./rltraces")...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("building rltraces: %w\n%s", err, out)
	}
	return path, nil
}
