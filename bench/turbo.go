package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/espalier-go/espalier/bench/targets"
)

// turboRows compare corpusgen fuzz with go test -fuzz on the same targets, and with other
// ways to find bugs. As for test binaries, the CPU time of building does not count,
// except in the rows on overhead.
func turboRows() []row {
	rows := turboRates()
	for _, bug := range []string{"bst-insert", "bst-delete", "bst-floor", "bst-union"} {
		rows = append(rows, turboHunt(bug, 1, "TestRapid"))
	}
	rows = append(rows,
		turboHunt("share-merge", 1./2, "FuzzValid"),
		turboHunt("cache-stale", 1./2, "FuzzValid"),
		turboHunt("ladder", 1./3, "FuzzValid"),
		turboFound("ladder", 0))
	for _, bug := range []string{"ladder", "const-int"} {
		rows = append(rows, turboCheck(bug, 20*time.Second))
	}
	for _, bug := range []string{"const-int", "const-string"} {
		rows = append(rows, turboFound(bug, 20*time.Second), foundByOthers(bug))
	}
	for _, bug := range []string{"ladder", "const-int", "const-string"} {
		rows = append(rows, turboPlain(bug, "bytes", "FuzzRaw"), turboPlain(bug, "string", "FuzzText"))
	}
	return append(append(rows, turboOverhead()...), turboInterrupted())
}

// turboHunt compares the times to find a bug.
func turboHunt(bug string, atMost float64, base string) row {
	return row{"turbo/hunt/" + bug + " cpu-s", finders[base], ratioAtMost(atMost), func(quick bool) (o, b figure, err error) {
		runs, err := turboHunts(quick, bug, "FuzzValid")
		if err != nil {
			return o, b, err
		}
		b, err = best(quick, bug, base)
		return runs[len(runs)/2].figure(), b, err
	}}
}

// turboPlain compares the times to find a bug by a target on []byte or string.
func turboPlain(bug, input, test string) row {
	return row{"turbo/plain/" + bug + "/" + input + " cpu-s", finders[test], ratioAtMost(1), func(quick bool) (o, b figure, err error) {
		runs, err := turboHunts(quick, bug, test)
		if err != nil {
			return o, b, err
		}
		b, err = best(quick, bug, test)
		return runs[len(runs)/2].figure(), b, err
	}}
}

// turboFound measures the share of runs that find a bug, within a time if it is not 0.
func turboFound(bug string, within time.Duration) row {
	return row{"turbo/hunt/" + bug + "/found %", "runs", oursAtLeast(100), func(quick bool) (o, b figure, err error) {
		runs, err := turboHunts(quick, bug, "FuzzValid")
		if err != nil {
			return o, b, err
		}
		n := 0.
		for _, r := range runs {
			if r.found && (within == 0 || r.cpu <= within) {
				n++
			}
		}
		b.value = float64(len(runs))
		o.value = 100 * n / b.value
		return o, b, nil
	}}
}

// turboCheck measures the share of runs that find a bug, within a time, by exploring the
// property of an unchanged Check, against Check itself.
func turboCheck(bug string, within time.Duration) row {
	return row{"turbo/check/" + bug + "/found %", "Check", oursAtLeast(100), func(quick bool) (o, b figure, err error) {
		runs, err := turboHunts(quick, bug, "TestCheck")
		if err != nil {
			return o, b, err
		}
		n := 0.
		for _, r := range runs {
			if r.found && r.cpu <= within {
				n++
			}
		}
		o.value = 100 * n / float64(len(runs))
		alone, err := hunt(quick, bug, "TestCheck")
		if err != nil {
			return o, b, err
		}
		b.value = 100 * countFound(alone) / float64(len(alone))
		return o, b, nil
	}}
}

// foundByOthers counts the runs of the other finders that find a bug.
func foundByOthers(bug string) row {
	return row{"turbo/hunt/" + bug + "/found by others", "runs", oursAtMost(0), func(quick bool) (o, b figure, err error) {
		for _, test := range []string{"FuzzValid", "FuzzRaw", "FuzzMakeFuzz", "TestRapid"} {
			n, err := found(quick, bug, test)
			if err != nil {
				return o, b, err
			}
			o.value += n
			b.value += float64(len(hunted[bug+" "+test]))
		}
		return o, b, nil
	}}
}

// turboHunted holds the runs made so far, by bug and test.
var turboHunted = map[string][]outcome{}

// turboHunts returns the outcomes of several runs that look for a bug, the fastest first.
func turboHunts(quick bool, bug, test string) ([]outcome, error) {
	key := bug + " " + test
	if runs, ok := turboHunted[key]; ok {
		return runs, nil
	}
	command, err := fuzzCommand()
	if err != nil {
		return nil, err
	}
	if err := warm(command); err != nil {
		return nil, err
	}
	n, limit := huntRuns(quick, bug)
	var runs []outcome
	for range n {
		c, err := fuzzing{command: command, test: test, target: bug, limit: limit}.run()
		if err != nil {
			return nil, err
		}
		runs = append(runs, c.outcome)
	}
	slices.SortFunc(runs, func(a, b outcome) int { return a.figure().compare(b.figure()) })
	for _, o := range runs {
		fmt.Fprintf(os.Stderr, "turbo/%s: %s by %s: %v cpu-s, %d values\n", bug, finders[test], strings.Join(command, " "), o.figure(), o.values)
	}
	turboHunted[key] = runs
	return runs, nil
}

// turboRates compare executions and values per CPU second with a property that does
// nothing, and count inputs that are found interesting although none is.
func turboRates() []row {
	compare := func(name, test string, g goal, of func(came) float64) row {
		return row{"turbo/" + name, "go test of " + finders[test], g, func(quick bool) (o, b figure, err error) {
			command, err := fuzzCommand()
			if err != nil {
				return o, b, err
			}
			if o.value, err = overRuns(quick, command, test, of); err == nil {
				b.value, err = overRuns(quick, goTest, test, of)
			}
			return o, b, err
		}}
	}
	executions := func(c came) float64 { return c.executions / c.cpu.Seconds() }
	values := func(c came) float64 { return float64(c.values) / c.cpu.Seconds() }
	entries := func(c came) float64 { return c.entries }
	return []row{
		compare("executions/cpu-s", "FuzzValid", ratioAtLeast(3), executions),
		compare("values/cpu-s", "FuzzValid", ratioAtLeast(3), values),
		compare("interesting", "FuzzValid", oursAtMost(2), entries),
		compare("raw/executions/cpu-s", "FuzzRaw", ratioAtLeast(3), executions),
	}
}

// ran holds the runs made so far, by command and test.
var ran = map[string][]came{}

// overRuns returns the median of a figure over several runs, each with the same CPU time.
func overRuns(quick bool, command []string, test string, of func(came) float64) (float64, error) {
	n, limit := 5, 10*time.Second
	if quick {
		n, limit = 1, 4*time.Second
	}
	if err := warm(command); err != nil {
		return 0, err
	}
	key := strings.Join(command, " ") + " " + test
	for len(ran[key]) < n {
		c, err := fuzzing{command: command, test: test, target: targets.Trivial, limit: limit}.run()
		if err != nil {
			return 0, err
		}
		fmt.Fprintf(os.Stderr, "turbo/%s: %s: %.3g cpu-s, %d values, %v executions, %v interesting\n",
			finders[test], strings.Join(command, " "), c.cpu.Seconds(), c.values, c.executions, c.entries)
		ran[key] = append(ran[key], c)
	}
	var x []float64
	for _, c := range ran[key] {
		x = append(x, of(c))
	}
	return median(x), nil
}
