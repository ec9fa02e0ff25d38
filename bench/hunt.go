package main

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/espalier-go/espalier/bench/targets"
)

// finders are the ways to look for a bug in a test binary, by the tests and targets in ./targets.
var finders = map[string]string{
	"Valid":                             "FuzzValid",
	"Check":                             "TestCheck",
	"rapid.Check":                       "TestRapid",
	"rapid.Check with its own integers": "TestRapidOwn", // small ones are more likely
	"rapid.MakeFuzz":                    "FuzzMakeFuzz",
	"raw bytes":                         "FuzzRaw",
}

// Other finders are corpusgen fuzz with a target of these, and a binary of corpusgen libfuzzer with
// the mutations of fuzzext, or with libFuzzer's own.
const (
	turboOf    = "corpusgen fuzz of "
	structured = "structured"
	stock      = "stock"
)

// hunt compares the CPU seconds to the first value that fails because of a bug of examples/planted,
// with the best of others. Without a finder of ours, the last argument is it.
func hunt(ours string, others ...string) measure {
	return func(r run) (o, b figure, err error) {
		return pair(func() (figure, error) { return best(r, cmp.Or(ours, r.args[len(r.args)-1])) },
			func() (figure, error) { return best(r, others...) })
	}
}

// best returns the least of the median times that the finders take to find a bug.
func best(r run, by ...string) (least figure, err error) {
	for i, finder := range by {
		runs, err := outcomes(r, finder)
		if err != nil {
			return least, err
		}
		if f := medianOf(runs, outcome.figure); i == 0 || f.compare(least) < 0 {
			least = f
		}
	}
	return least, nil
}

// huntsFound compares the runs of finders that find a bug, in percent, within a time if it is not
// 0.
func huntsFound(ours string, within time.Duration, others ...string) measure {
	return func(r run) (o, b figure, err error) {
		return pair(func() (figure, error) { return found(r, within, ours) },
			func() (figure, error) { return found(r, 0, others...) })
	}
}

func found(r run, within time.Duration, by ...string) (share figure, err error) {
	for _, finder := range by {
		runs, err := outcomes(r, finder)
		if err != nil {
			return share, err
		}
		in := slices.DeleteFunc(slices.Clone(runs), func(o outcome) bool {
			return within != 0 && o.cpu > within
		})
		share.value += 100 * countFound(in) / float64(len(runs)) / float64(len(by))
	}
	return share, nil
}

// huntRates compares the values per CPU second of finders.
func huntRates(ours, other string) measure {
	rate := func(r run, by string) (figure, error) {
		runs, err := outcomes(r, by)
		return medianOf(runs, func(o outcome) figure {
			return number(float64(o.values) / o.cpu.Seconds())
		}), err
	}
	return func(r run) (o, b figure, err error) {
		return pair(func() (figure, error) { return rate(r, ours) }, func() (figure, error) {
			return rate(r, other)
		})
	}
}

func countFound(runs []outcome) (n float64) {
	for _, o := range runs {
		if o.found {
			n++
		}
	}
	return n
}

// outcomes returns the outcomes of several runs of a finder that looks for a bug, the fastest
// first.
func outcomes(r run, finder string) ([]outcome, error) {
	bug := r.args[0]
	return once("hunt "+bug+" "+finder, func() ([]outcome, error) {
		n, limit := huntRuns(r.quick, bug)
		runs := make([]outcome, n)
		atATime, run := 1, func(i int) (err error) {
			runs[i], err = scaleRun(finder, bug, i, limit)
			return err
		}
		if target, ok := strings.CutPrefix(finder, turboOf); ok {
			command, err := corpusgenFuzz()
			if err == nil {
				err = fuzzing{command: command, test: "FuzzValid", target: targets.Trivial}.warm()
			}
			if err != nil {
				return nil, err
			}
			run = func(i int) error {
				c, err := fuzzing{command: command, test: finders[target], target: bug, limit: limit}.run()
				runs[i] = c.outcome
				return err
			}
		} else if test := finders[finder]; test != "" {
			if _, err := testBinary("./targets", strings.HasPrefix(test, "Fuzz")); err != nil {
				return nil, err
			}
			atATime, run = 2, func(i int) (err error) {
				runs[i], err = process{test: test, target: bug, seed: i + 1, limit: limit}.run()
				return err
			}
		}
		err := parallel(atATime, n, run)
		slices.SortFunc(runs, func(a, b outcome) int { return a.figure().compare(b.figure()) })
		for _, o := range runs {
			fmt.Fprintf(os.Stderr, "hunt/%s: %s: %v cpu-s, %d values\n", bug, finder, o.figure(), o.values)
		}
		return runs, err
	})
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
