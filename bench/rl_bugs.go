package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"time"

	"github.com/espalier-go/espalier/bench/rltargets"
	"github.com/espalier-go/espalier/bench/rltrial"
)

// rlHunters are those that look for the bugs of rltargets.Hunts, by the names of their tests: the
// mixture of a guided Check, its rivals, and corpusgen fuzz.
var (
	rlOurs   = rlHunter{"Check", "TestHunt"}
	rlOthers = []rlHunter{
		{rltrial.Random.Name, "TestHunt"}, {rltrial.RLCheck.Name, "TestHunt"}, {rltrial.Default.Name, "TestHunt"},
		{"corpusgen fuzz", "FuzzHunt"},
	}
)

type rlHunter struct{ name, test string }

// rlBugCap bounds the CPU time of a run.
func rlBugCap(quick bool) time.Duration {
	if quick {
		return 2 * time.Second
	}
	return 10 * time.Second
}

// rlBugRows measure how soon the mixture of a guided Check finds rare bugs behind Assume, beside
// the best of the others: the geometric mean of the CPU time of all runs, where that of a run
// which does not find its bug is the cap. Nothing was tuned with these bugs.
func rlBugRows(quick bool) []row {
	var rows []row
	for _, h := range rltargets.Hunts() {
		add := func(name string, g goal, less bool, of func([]outcome) float64) {
			rows = append(rows, row{"rl/bug/" + h.Name + "/" + name, "best other", g, func(quick bool) (ours, base figure, err error) {
				runs, err := rlHunt(h, rlOurs, quick)
				if err != nil {
					return ours, base, err
				}
				ours.value = of(runs)
				for i, other := range rlOthers {
					if runs, err = rlHunt(h, other, quick); err != nil {
						return ours, base, err
					}
					if x := of(runs); i == 0 || x != base.value && less == (x < base.value) {
						base = figure{value: x, by: other.name}
					}
				}
				return ours, base, nil
			}})
		}
		limit := rlBugCap(quick).Seconds()
		add(fmt.Sprintf("cpu-s to find, at most %g", limit), ratioAtMost(1.2), true, rlMeanTime)
		add("found percent", ratioAtLeast(0.8), false, func(runs []outcome) float64 { return 100 * countFound(runs) / float64(len(runs)) })
		add(fmt.Sprintf("valid input in %g cpu-s percent", limit), ratioAtLeast(0.8), false, func(runs []outcome) float64 {
			n := 0.
			for _, o := range runs {
				if o.values > 0 {
					n++
				}
			}
			return 100 * n / float64(len(runs))
		})
	}
	return rows
}

// rlMeanTime returns the geometric mean of the CPU seconds of runs.
func rlMeanTime(runs []outcome) float64 {
	sum := 0.
	for _, o := range runs {
		sum += math.Log(o.cpu.Seconds())
	}
	return math.Exp(sum / float64(len(runs)))
}

// rlHunted has the runs made so far.
var rlHunted = map[string][]outcome{}

// rlHunt returns the outcomes of the runs that look for the bugs of a hunt, several for each bug.
// The runs of Check and of policies are two at a time.
func rlHunt(h rltargets.Hunt, by rlHunter, quick bool) ([]outcome, error) {
	key := h.Name + " " + by.name
	if runs, ok := rlHunted[key]; ok {
		return runs, nil
	}
	bugs, seeds, slots := h.Bugs, 5, 2
	if quick {
		bugs, seeds = bugs[:2], 1
	}
	if by.test == "FuzzHunt" {
		slots = 1
		if err := rlWarm(); err != nil {
			return nil, err
		}
	} else if _, err := testBinary("./rltrial", false); err != nil {
		return nil, err
	}
	limit := rlBugCap(quick)
	runs, errs, turns := make([]outcome, len(bugs)*seeds), make([]error, len(bugs)*seeds), make(chan bool, slots)
	for i := range runs {
		turns <- true
		go func() {
			defer func() { <-turns }()
			runs[i], errs[i] = by.hunt(h.Name+"/"+bugs[i/seeds], i%seeds+1, limit)
			runs[i].cpu = min(runs[i].cpu, limit)
		}()
	}
	for range slots {
		turns <- true
	}
	for i, bug := range bugs {
		report := fmt.Sprintf("rl/bug: %s, %s, %s: CPU s", h.Name, bug, by.name)
		for _, o := range runs[i*seeds : (i+1)*seeds] {
			report += fmt.Sprintf(" %v (%d valid)", o.figure(), o.values)
		}
		fmt.Fprintln(os.Stderr, report)
	}
	rlHunted[key] = runs
	return runs, errors.Join(errs...)
}

// hunt runs a hunter once. The target is a hunt and a bug.
func (by rlHunter) hunt(target string, seed int, limit time.Duration) (o outcome, err error) {
	if by.test == "FuzzHunt" {
		command, err := fuzzCommand()
		if err != nil {
			return o, err
		}
		c, err := fuzzing{pkg: rlTrialDir, command: command, test: by.test, target: target, limit: limit}.run()
		return c.outcome, err
	}
	err = inScratch(func(dir string) error {
		o, err = process{pkg: "./" + rlTrialDir, test: "^" + by.test + "$/^" + by.name + "$", target: target, seed: seed, limit: limit}.run(dir)
		return err
	})
	return o, err
}

const rlTrialDir = "rltrial"

// rlWarm builds what the runs of corpusgen fuzz need.
func rlWarm() error {
	command, err := fuzzCommand()
	if err != nil {
		return err
	}
	key := strings.Join(command, " ") + " " + rlTrialDir
	if warmed[key] {
		return nil
	}
	_, err = fuzzing{pkg: rlTrialDir, command: command, test: "FuzzHunt", target: "redblack/", flags: []string{"-fuzztime=1x"}, limit: time.Hour}.run()
	warmed[key] = err == nil
	return err
}
