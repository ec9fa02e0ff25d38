package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// finders are the ways to look for a bug, by the tests and targets in ./targets.
var finders = map[string]string{
	"Valid":                             "FuzzValid",
	"Check":                             "TestCheck",
	"rapid.Check":                       "TestRapid",
	"rapid.Check with its own integers": "TestRapidOwn", // small ones are more likely
	"rapid.MakeFuzz":                    "FuzzMakeFuzz",
	"raw bytes":                         "FuzzRaw",
	"text":                              "FuzzText", // that the target parses
}

// hunts compares the CPU seconds to the first value that fails because of a bug of
// examples/planted, with the best of others. Without a finder of ours, that is args[1].
func hunts(others ...string) measure {
	return func(r run) (ours, base figure, err error) {
		return pair(func() (figure, error) { return best(r, r.args[0], r.args[1]) },
			func() (figure, error) { return best(r, r.args[0], others...) })
	}
}

// huntsFound counts the runs that find a bug.
func huntsFound(r run) (ours, base figure, err error) {
	return pair(func() (figure, error) { return found(r, r.args[0], "Valid") }, func() (figure, error) {
		return found(r, r.args[0], "rapid.Check", "rapid.Check with its own integers", "Check")
	})
}

// best returns the least of the median times that the finders take to find a bug.
func best(r run, bug string, by ...string) (least figure, err error) {
	for i, finder := range by {
		runs, err := hunt(r, bug, finder)
		if err != nil {
			return least, err
		}
		if f := medianOf(runs, outcome.figure); i == 0 || f.compare(least) < 0 {
			least = f
		}
	}
	return least, nil
}

// found returns how many runs of the finders have found a bug.
func found(r run, bug string, by ...string) (n figure, err error) {
	for _, finder := range by {
		runs, err := hunt(r, bug, finder)
		if err != nil {
			return n, err
		}
		n.value += countFound(runs)
	}
	return n, nil
}

func countFound(runs []outcome) (n float64) {
	for _, o := range runs {
		if o.found {
			n++
		}
	}
	return n
}

// hunt returns the outcomes of several runs of a finder that looks for a bug, the fastest first.
func hunt(r run, bug, finder string) ([]outcome, error) {
	return once("hunt "+bug+" "+finder, func() ([]outcome, error) {
		test := finders[finder]
		n, limit := huntRuns(r.quick, bug)
		if _, err := testBinary("./targets", strings.HasPrefix(test, "Fuzz")); err != nil {
			return nil, err
		}
		runs := make([]outcome, n)
		err := twoAtATime(n, func(i int) (err error) {
			runs[i], err = process{test: test, target: bug, seed: i + 1, limit: limit}.run()
			return err
		})
		fastest("hunt/"+bug+": "+finder, runs)
		return runs, err
	})
}

// fastest sorts runs by their times, and reports them.
func fastest(what string, runs []outcome) {
	slices.SortFunc(runs, func(a, b outcome) int { return a.figure().compare(b.figure()) })
	for _, o := range runs {
		fmt.Fprintf(os.Stderr, "%s: %v cpu-s, %d values\n", what, o.figure(), o.values)
	}
}

// huntRuns returns the number of runs that look for a bug, and the limit of their CPU time.
func huntRuns(quick bool, bug string) (n int, limit time.Duration) {
	constant := strings.HasPrefix(bug, "const-") // few find it, so many runs reach the limit
	switch {
	case quick && constant:
		return 1, 4 * time.Second
	case quick:
		return 1, 8 * time.Second
	case constant, bug == "ladder":
		return 5, time.Minute
	}
	return 5, 30 * time.Second
}
