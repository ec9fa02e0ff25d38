package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"github.com/espalier-go/espalier/bench/rltargets"
	"github.com/espalier-go/espalier/bench/rltrial"
)

// rlRivals are what the mixture of a guided Check must keep up with.
var rlRivals = []rltrial.Policy{rltrial.Random, rltrial.RLCheck, rltrial.Default}

// rlFirstWithin is in how many CPU seconds a run should reach a first valid input.
const rlFirstWithin = 1

// rlCPURows measure what the mixture of a guided Check finds in some CPU time, beside the best of
// the policies: traces and branches, or unique values where no trace is known, and how often it
// reaches a valid input at all. Nothing was tuned with these targets.
func rlCPURows(quick bool) []row {
	var rows []row
	for _, t := range rltargets.Others() {
		add := func(name string, g goal, of func(rltrial.Curve) float64) {
			rows = append(rows, row{"rl/" + t.Name + "/" + name, "best policy", g, func(quick bool) (ours, base figure, err error) {
				if ours.value, err = rlCurveMean(t, rltrial.CheckMixture, quick, of); err != nil {
					return ours, base, err
				}
				for _, p := range rlRivals {
					x, err := rlCurveMean(t, p, quick, of)
					if err != nil {
						return ours, base, err
					}
					base.value = max(base.value, x)
				}
				return ours, base, nil
			}})
		}
		for i, seconds := range rlCurveTimes(quick) {
			at := func(of func(rltrial.Trial) int) func(rltrial.Curve) float64 {
				return func(c rltrial.Curve) float64 { return float64(of(c.Trial[i])) }
			}
			in := fmt.Sprintf(" in %d cpu-s", seconds)
			if rlTraced[t.Name] == "" {
				add("unique"+in, ratioAtLeast(0.8), at(func(t rltrial.Trial) int { return t.Unique }))
				continue
			}
			add("traces"+in, ratioAtLeast(0.8), at(func(t rltrial.Trial) int { return t.Traces }))
			add("branches"+in, ratioAtLeast(0.8), at(func(t rltrial.Trial) int { return t.Branches }))
		}
		add("first valid percent", ratioAtLeast(0.8), func(c rltrial.Curve) float64 {
			if c.First < 0 || c.First > rlFirstWithin {
				return 0
			}
			return 100
		})
	}
	return rows
}

// rlCurveTimes returns the CPU times, in seconds, at which curves are measured.
func rlCurveTimes(quick bool) []int {
	if quick {
		return []int{1, 5}
	}
	return []int{1, 5, 20}
}

// rlCurves has the curves measured so far.
var rlCurves = map[string][]rltrial.Curve{}

// rlCurveMean returns the mean of a quantity. It runs the trials if it has not yet.
func rlCurveMean(t rltargets.Target, p rltrial.Policy, quick bool, of func(rltrial.Curve) float64) (mean float64, err error) {
	key := t.Name + " " + p.Name
	if rlCurves[key] == nil {
		trials := 5
		if quick {
			trials = 1
		}
		binary, err := rlTracesBinary()
		if err != nil {
			return 0, err
		}
		var times []string
		for _, s := range rlCurveTimes(quick) {
			times = append(times, strconv.Itoa(s))
		}
		for i := range trials {
			var c rltrial.Curve
			cmd := exec.Command(binary, t.Name, p.Name, strconv.FormatUint(rlSeed+uint64(i), 10), strings.Join(times, ",")+"s")
			cmd.Stderr = os.Stderr
			out, err := cmd.Output()
			if err == nil {
				err = json.Unmarshal(out, &c)
			}
			if err != nil {
				return 0, fmt.Errorf("rltraces %s: %w\n%s", key, err, out)
			}
			fmt.Fprintf(os.Stderr, "rl: %s, %s, trial %d: first valid input after %.3g CPU s; %+v\n", t.Name, p.Name, i+1, c.First, c.Trial)
			rlCurves[key] = append(rlCurves[key], c)
		}
	}
	for _, c := range rlCurves[key] {
		mean += of(c) / float64(len(rlCurves[key]))
	}
	return mean, nil
}
