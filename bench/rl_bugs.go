package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/espalier-go/espalier/bench/rltargets"
	"github.com/espalier-go/espalier/bench/rltrial"
)

// rlOthers look for the bugs of rltargets, beside the mixture of a guided Check.
var rlOthers = []string{rltrial.Random.Name, rltrial.RLCheck.Name, rltrial.Greybox.Name,
	rltrial.Default.Name, rltrial.Zest, ourFuzzer}

// rlBug measures how soon the mixture of a guided Check finds rare bugs that Assume guards, beside
// the best of the others. Nothing was tuned with these bugs.
func rlBug(less bool, of func([]outcome) float64) measure {
	return func(r run) (ours, base figure, err error) {
		runs, err := rlHunt(r, rltrial.Check)
		if err != nil {
			return ours, base, err
		}
		ours.value = of(runs)
		for i, other := range rlOthers {
			if runs, err = rlHunt(r, other); err != nil {
				return ours, base, err
			}
			if x := of(runs); i == 0 || x != base.value && less == (x < base.value) {
				base = figure{value: x, by: other}
			}
		}
		return ours, base, nil
	}
}

// rlMeanTime is the geometric mean of the CPU time of all runs. That of a run which does not find
// its bug is the limit.
func rlMeanTime(runs []outcome) float64 {
	return geometric(runs, func(o outcome) float64 { return o.cpu.Seconds() })
}

func rlFound(runs []outcome) float64 { return 100 * countFound(runs) / float64(len(runs)) }

// rlReached is the percentage of runs that make a valid input at all.
func rlReached(runs []outcome) float64 {
	return meanOf(runs, func(o outcome) float64 { return 100 * min(1, float64(o.values)) })
}

// rlHunt returns the outcomes of the runs that look for the bugs of a target, several for each bug.
func rlHunt(r run, by string) ([]outcome, error) {
	target := rltargets.Named(r.args[0])
	return once("rl hunt "+target.Name+" "+by, func() ([]outcome, error) {
		bugs, seeds, limit := target.Bugs, pick(r, 5, 1), pick(r, 10*time.Second, 2*time.Second)
		if r.quick {
			bugs = bugs[:2]
		}
		runs := make([]outcome, len(bugs)*seeds)
		hunt := func(i int) (err error) {
			runs[i], err = rlHuntOnce(by, target.Name+"/"+bugs[i/seeds], i%seeds+1, limit)
			runs[i].cpu = min(runs[i].cpu, limit)
			fmt.Fprintf(os.Stderr, "rl/bug: %s, %s, %s: %v CPU s (%d valid)\n", target.Name,
				bugs[i/seeds], by, runs[i].figure(), runs[i].values)
			return err
		}
		if by == ourFuzzer {
			return runs, parallel(1, len(runs), hunt) // in one module
		}
		if _, err := testBinary("./"+rlTrialDir, false); err != nil {
			return nil, err
		}
		if _, err := rlBinary(by); err != nil {
			return nil, err
		}
		return runs, parallel(2, len(runs), hunt)
	})
}

const rlTrialDir = "rltrial"

// rlHuntOnce runs a hunter once. The target is one of rltargets and a bug.
func rlHuntOnce(by, target string, seed int, limit time.Duration) (o outcome, err error) {
	if by != ourFuzzer {
		p := process{
			pkg:    "./" + rlTrialDir,
			test:   "^TestHunt$/^" + strings.ReplaceAll(by, " ", "_") + "$",
			target: target,
			seed:   seed,
			limit:  limit,
		}
		if slices.Contains(rlFeedback, by) {
			if p.binary, err = rlBinary(by); err != nil {
				return o, err
			}
		}
		return p.run()
	}
	command, err := corpusgenFuzz()
	if err != nil {
		return o, err
	}
	f := fuzzing{pkg: rlTrialDir, command: command, test: "FuzzHunt", target: "rb/"}
	if err := f.warm(); err != nil {
		return o, err
	}
	f.target, f.limit = target, limit
	c, err := f.run()
	return c.outcome, err
}
