package main

import (
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strconv"

	"github.com/espalier-go/espalier/bench/branches"
	"github.com/espalier-go/espalier/bench/rltargets"
	"github.com/espalier-go/espalier/bench/rltrial"
)

// The rows of rl measure the guides of package rl: the unique valid inputs among many, in the
// mean of several trials. Except for the targets of the paper's study, nothing was tuned with the
// targets. Standard error has the means and the standard deviations.

// rlSeed is the seed of the first trial; the others follow. No policy was tuned with them.
const rlSeed = 52000

// rlTraced maps the target that is checked by another module to its packages. A trace is
// the code of these packages that an input executes.
var rlTraced = map[string]string{"js": "github.com/dop251/goja/..."}

// rlFeedback are the policies that need the coverage of other targets, too.
var rlFeedback = []string{rltrial.Zest, rltrial.Greybox.Name}

var (
	rlUnique   = func(t rltrial.Trial) float64 { return float64(t.Unique) }
	rlLarge    = func(t rltrial.Trial) float64 { return float64(t.Large) }
	rlTraces   = func(t rltrial.Trial) float64 { return float64(t.Traces) }
	rlBranches = func(t rltrial.Trial) float64 { return float64(t.Branches) }
	rlSpeed    = func(t rltrial.Trial) float64 { return float64(t.Inputs) / t.CPU }
)

// rlFirst is 100 if a valid input came within a second.
func rlFirst(t rltrial.Trial) float64 {
	if t.First < 0 || t.First > 1 {
		return 0
	}
	return 100
}

// rlMean returns the mean of a quantity over trials, at the last or another of the times.
func rlMean(o rltrial.Order, trials, at int, of func(rltrial.Trial) float64) (figure, error) {
	all, err := times(fmt.Sprintln("rl", o), trials, func(i int) (t []rltrial.Trial, err error) {
		o.Seed = rlSeed + uint64(i)
		if rlTraced[o.Target] == "" && o.Policy != rltrial.Check && !slices.Contains(rlFeedback, o.Policy) {
			t = o.Run(nil)
		} else {
			t, err = rlTrial(o)
		}
		fmt.Fprintf(os.Stderr, "rl: %s, %s, trial %d: %+v\n", o.Target, o.Policy, i+1, t)
		return t, err
	})
	return number(meanOf(all, func(t []rltrial.Trial) float64 { return of(t[at]) })), err
}

// rlStudy measures the case study of RLCheck, section 4.3.1, beside what its Figure 4 shows.
func rlStudy(unique float64) measure {
	return func(r run) (ours, base figure, err error) {
		ours, err = rlMean(rltrial.Order{Target: "study", Policy: r.args[0], Inputs: 100_000},
			pick(r, 10, 2), 0, rlUnique)
		return ours, number(unique), err
	}
}

// rlBeside measures the default policy beside another.
func rlBeside(base rltrial.Policy, of func(rltrial.Trial) float64) measure {
	return func(r run) (ours, _ figure, err error) {
		trials, inputs := pick(r, 10, 1), pick(r, 100_000, 20_000)
		if r.args[0] == "study" {
			trials, inputs = pick(r, 10, 2), 100_000
		}
		mean := func(p rltrial.Policy) func() (figure, error) {
			return func() (figure, error) {
				return rlMean(rltrial.Order{Target: r.args[0], Policy: p.Name, Inputs: inputs}, trials, 0, of)
			}
		}
		return pair(mean(rltrial.Default), mean(base))
	}
}

// rlMixture measures what the mixture of a guided Check finds in some CPU time, beside the best of
// the policies.
func rlMixture(of func(rltrial.Trial) float64) measure {
	return func(r run) (ours, base figure, err error) {
		at, looked := pick(r, []float64{1, 5, 20}, []float64{1, 5}), 0
		if len(r.args) > 1 {
			seconds, _ := strconv.ParseFloat(r.args[1], 64)
			looked = slices.Index(at, seconds)
		}
		mean := func(policy string) (figure, error) {
			return rlMean(rltrial.Order{Target: r.args[0], Policy: policy, At: at}, pick(r, 5, 1),
				looked, of)
		}
		if ours, err = mean(rltrial.Check); err != nil {
			return ours, base, err
		}
		for _, p := range []rltrial.Policy{rltrial.Random, rltrial.RLCheck, rltrial.Default} {
			x, err := mean(p.Name)
			if err != nil {
				return ours, base, err
			}
			base.value = max(base.value, x.value)
		}
		return ours, base, nil
	}
}

// rlIn measures what a policy, or the mixture of a guided Check, has in some CPU time, beside another
// policy.
func rlIn(policy, base string, of func(rltrial.Trial) float64) measure {
	return func(r run) (_, _ figure, err error) {
		at, looked := pick(r, []float64{1, 5, 20}, []float64{1, 5}), 0
		seconds, err := strconv.ParseFloat(r.args[1], 64)
		if err != nil {
			return figure{}, figure{}, err
		}
		looked = slices.Index(at, seconds)
		mean := func(policy string) func() (figure, error) {
			return func() (figure, error) {
				return rlMean(rltrial.Order{Target: r.args[0], Policy: policy, At: at},
					pick(r, 10, 1), looked, of)
			}
		}
		return pair(mean(policy), mean(base))
	}
}

// rlBinary builds the tests of rltrial, in which the packages of rlTraced are instrumented, and the
// targets themselves if the policy needs that.
func rlBinary(policy string) (string, error) {
	name := "rltraces"
	packages := slices.Collect(maps.Values(rlTraced))
	if slices.Contains(rlFeedback, policy) {
		name += "-all"
		packages = append(packages, reflect.TypeFor[rltargets.Target]().PkgPath())
	}
	return buildTests("./rltrial", name, nil, branches.Flags(packages...)...)
}

// rlTrial carries out an order in another process; see rlBinary.
func rlTrial(o rltrial.Order) (all []rltrial.Trial, err error) {
	binary, err := rlBinary(o.Policy)
	if err != nil {
		return nil, err
	}
	return elsewhere[[]rltrial.Trial](binary, "TestTrial", func(file string) any {
		o.Answer = file
		return o
	})
}
