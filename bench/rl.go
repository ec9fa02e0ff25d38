package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/espalier-go/espalier/bench/rltargets"
	"github.com/espalier-go/espalier/bench/rltrial"
)

// The rows of rl measure the guides of package rl: the unique valid inputs among many, in the
// mean of several trials. But for those of the paper's study, nothing was tuned with the targets.
// Standard error has the means and the standard deviations.

// rlSeed is the seed of the first trial; the others follow. No policy was tuned with them.
const rlSeed = 52000

// rlTraced maps the target that is checked by another module to its packages. A trace is
// the code of these packages that an input executes.
var rlTraced = map[string]string{"js": "github.com/dop251/goja/..."}

var (
	rlUnique   = func(t rltrial.Trial) float64 { return float64(t.Unique) }
	rlLarge    = func(t rltrial.Trial) float64 { return float64(t.Large) }
	rlTraces   = func(t rltrial.Trial) float64 { return float64(t.Traces) }
	rlBranches = func(t rltrial.Trial) float64 { return float64(t.Branches) }
	rlSpeed    = func(t rltrial.Trial) float64 { return float64(t.Inputs) / t.CPU }
)

// rlMean returns the mean of a quantity over trials of a target under a policy.
func rlMean(t rltargets.Target, p rltrial.Policy, of func(rltrial.Trial) float64, trials, inputs int) (figure, error) {
	all, err := times(fmt.Sprintln("rl", t.Name, p.Name, inputs), trials, func(i int) (trial rltrial.Trial, err error) {
		seed := rlSeed + uint64(i)
		if rlTraced[t.Name] == "" {
			trial = rltrial.Run(t, p, seed, inputs, nil)
		} else {
			trial, err = rlTrace[rltrial.Trial](t.Name, p.Name, seed, strconv.Itoa(inputs))
		}
		fmt.Fprintf(os.Stderr, "rl: %s, %s, trial %d of %d inputs: %+v\n", t.Name, p.Name, i+1, inputs, trial)
		return trial, err
	})
	return number(meanOf(all, of)), err
}

// rlStudy measures the case study of RLCheck, section 4.3.1, beside what its Figure 4 shows.
func rlStudy(unique float64) measure {
	return func(r run) (ours, base figure, err error) {
		ours, err = rlMean(rltargets.Study(), rltrial.ByName(r.args[0]), rlUnique, pick(r, 10, 2), 100_000)
		return ours, number(unique), err
	}
}

// rlDefault measures the default policy on the target of the study, beside the paper's best.
func rlDefault(of func(rltrial.Trial) float64) measure {
	return func(r run) (ours, base figure, err error) {
		mean := func(p rltrial.Policy) func() (figure, error) {
			return func() (figure, error) { return rlMean(rltargets.Study(), p, of, pick(r, 10, 2), 100_000) }
		}
		return pair(mean(rltrial.Default), mean(rltrial.TreeLR))
	}
}

// rlBeside measures the default policy on other targets, beside another policy.
func rlBeside(base rltrial.Policy, of func(rltrial.Trial) float64) measure {
	return func(r run) (ours, _ figure, err error) {
		mean := func(p rltrial.Policy) func() (figure, error) {
			return func() (figure, error) {
				return rlMean(rlTarget(r.args[0]), p, of, pick(r, 10, 1), pick(r, 100_000, 20_000))
			}
		}
		return pair(mean(rltrial.Default), mean(base))
	}
}

func rlTarget(name string) rltargets.Target {
	all := rltargets.All()
	return all[slices.IndexFunc(all, func(t rltargets.Target) bool { return t.Name == name })]
}

// rlMixture measures what the mixture of a guided Check finds in some CPU time, beside the best of the
// policies.
func rlMixture(of func(c rltrial.Curve, seconds float64) float64) measure {
	return func(r run) (ours, base figure, err error) {
		seconds := 1.
		if len(r.args) > 1 {
			seconds, _ = strconv.ParseFloat(r.args[1], 64)
		}
		mean := func(p rltrial.Policy) (float64, error) {
			curves, err := times("rl curve "+r.args[0]+" "+p.Name, pick(r, 5, 1), func(i int) (rltrial.Curve, error) {
				c, err := rlTrace[rltrial.Curve](r.args[0], p.Name, rlSeed+uint64(i), pick(r, "1,5,20s", "1,5s"))
				fmt.Fprintf(os.Stderr, "rl: %s, %s, trial %d: first valid input after %.3g CPU s; %+v\n", r.args[0], p.Name, i+1, c.First, c.Trial)
				return c, err
			})
			return meanOf(curves, func(c rltrial.Curve) float64 { return of(c, seconds) }), err
		}
		if ours.value, err = mean(rltrial.CheckMixture); err != nil {
			return ours, base, err
		}
		for _, p := range []rltrial.Policy{rltrial.Random, rltrial.RLCheck, rltrial.Default} {
			x, err := mean(p)
			if err != nil {
				return ours, base, err
			}
			base.value = max(base.value, x)
		}
		return ours, base, nil
	}
}

// rlAt is a quantity after some CPU seconds.
func rlAt(of func(rltrial.Trial) float64) func(rltrial.Curve, float64) float64 {
	return func(c rltrial.Curve, seconds float64) float64 { return of(c.Trial[slices.Index(c.At, seconds)]) }
}

// rlFirst is the percentage of runs that reach a valid input within a second.
func rlFirst(c rltrial.Curve, seconds float64) float64 {
	if c.First < 0 || c.First > seconds {
		return 0
	}
	return 100
}

// rlTrace runs a trial, or a curve, in another process, in which the packages of rlTraced are
// instrumented.
func rlTrace[V any](target, policy string, seed uint64, effort string) (v V, err error) {
	args := []string{"build", "-o", filepath.Join(scratch, "rltraces"), "-ldflags=-checklinkname=0"}
	for _, packages := range rlTraced {
		args = append(args, "-gcflags="+packages+"=-d=libfuzzer")
	}
	binary, err := built("rltraces", ".", nil, "go", append(args, "./rltraces")...)
	if err != nil {
		return v, err
	}
	cmd := exec.Command(binary, target, policy, strconv.FormatUint(seed, 10), effort)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &v)
	}
	if err != nil {
		return v, fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	return v, nil
}
