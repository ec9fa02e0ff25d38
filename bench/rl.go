package main

import (
	"fmt"
	"os"
	"slices"

	"github.com/espalier-go/espalier/bench/rltargets"
	"github.com/espalier-go/espalier/bench/rltrial"
)

// rlSeed is the seed of the first trial; the others follow. No policy was tuned with them.
const rlSeed = 52000

// rlRows measure the guides of package rl: the unique valid inputs among 100,000, in the
// mean of several trials. Standard error has the means and the standard deviations.
func rlRows(quick bool) []row {
	return slices.Concat(rlStudyRows(), rlTargetRows(), rlCPURows(quick), rlExampleRows(), rlMemoryRows())
}

// rlFigure is a quantity of a trial.
type rlFigure struct {
	name string
	of   func(rltrial.Trial) float64
}

var (
	rlUnique = rlFigure{"unique", func(t rltrial.Trial) float64 { return float64(t.Unique) }}
	rlLarge  = rlFigure{"large", func(t rltrial.Trial) float64 { return float64(t.Large) }}
	rlTraces = rlFigure{"traces", func(t rltrial.Trial) float64 { return float64(t.Traces) }}
	rlSpeed  = rlFigure{"speed", func(t rltrial.Trial) float64 { return float64(t.Inputs) / t.CPU }}
	rlValid  = rlFigure{"valid", func(t rltrial.Trial) float64 { return float64(t.Valid) }}
)

// rlCampaign is a number of trials of a target under a policy.
type rlCampaign struct {
	target, policy string
	trials, inputs int
}

var rlDone = map[rlCampaign][]rltrial.Trial{}

// rlMeasure returns the mean of a quantity. It runs the trials if it has not yet.
func rlMeasure(t rltargets.Target, p rltrial.Policy, f rlFigure, trials, inputs int) (figure, error) {
	c := rlCampaign{t.Name, p.Name, trials, inputs}
	done, ok := rlDone[c]
	if !ok {
		for i := range trials {
			trial, err := rlTrial(t, p, rlSeed+uint64(i), inputs)
			if err != nil {
				return figure{}, err
			}
			done = append(done, trial)
		}
		rlDone[c] = done
		report := fmt.Sprintf("rl: %s, %s, %d trials of %d inputs:", t.Name, p.Name, trials, inputs)
		for _, f := range []rlFigure{rlValid, rlUnique, rlLarge, rlTraces, rlSpeed} {
			mean, sd := rltrial.Moments(done, f.of)
			if f.name != rlTraces.name || rlTraced[t.Name] != "" {
				report += fmt.Sprintf(" %s %.6g (sd %.3g)", f.name, mean, sd)
			}
		}
		fmt.Fprintln(os.Stderr, report)
	}
	mean, _ := rltrial.Moments(done, f.of)
	return figure{value: mean}, nil
}

// rlStudyRows measure the case study of RLCheck, section 4.3.1: the paper's policies
// against the paper's figures, and the default policy against the best of them.
func rlStudyRows() []row {
	study := rltargets.Study()
	measure := func(p rltrial.Policy, f rlFigure, quick bool) (figure, error) {
		trials := 10
		if quick {
			trials = 2
		}
		return rlMeasure(study, p, f, trials, 100_000)
	}
	var rows []row
	for _, paper := range []struct {
		policy rltrial.Policy
		unique float64
	}{{rltrial.Random, 830}, {rltrial.Sequence, 6930}, {rltrial.Tree, 4300}, {rltrial.TreeLR, 9270}} {
		rows = append(rows, row{"rl/study/" + paper.policy.Name, "RLCheck", ratioWithin(0.05), func(quick bool) (figure, figure, error) {
			ours, err := measure(paper.policy, rlUnique, quick)
			return ours, figure{value: paper.unique}, err
		}})
	}
	for _, f := range []struct {
		rlFigure
		goal float64
	}{{rlUnique, 50_000}, {rlLarge, 39_000}, {rlSpeed, 100_000}} {
		rows = append(rows, row{"rl/default/" + f.name, rltrial.TreeLR.Name, oursAtLeast(f.goal), func(quick bool) (ours, base figure, err error) {
			if ours, err = measure(rltrial.Default, f.rlFigure, quick); err == nil {
				base, err = measure(rltrial.TreeLR, f.rlFigure, quick)
			}
			return ours, base, err
		}})
	}
	return rows
}
