package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// huntRows measure hunts: the CPU seconds to the first value that fails because of a bug of
// examples/planted. The rows of a bug share their runs.
func huntRows() []row {
	var rows []row
	add := func(bug, ours, name string, g goal, base ...string) {
		rows = append(rows, row{
			metric:   "hunt/" + bug + "/" + finders[ours] + "/" + name + " cpu-s",
			baseline: namesOf(base),
			goal:     g,
			measure: func(quick bool) (o, b figure, err error) {
				if o, err = best(quick, bug, ours); err == nil {
					b, err = best(quick, bug, base...)
				}
				return o, b, err
			},
		})
	}
	for _, bug := range []string{"bst-insert", "bst-delete", "bst-union", "bst-floor"} {
		add(bug, "FuzzValid", "rapid", ratioAtMost(2), "TestRapid")
		add(bug, "TestCheck", "rapid", ratioAtMost(0.5), "TestRapid")
		add(bug, "FuzzValid", "rapid-own", ratioAtMost(2), "TestRapidOwn")
		add(bug, "TestCheck", "rapid-own", ratioAtMost(0.5), "TestRapidOwn")
	}
	add("bst-union", "FuzzValid", "MakeFuzz", ratioAtMost(1./3), "FuzzMakeFuzz")
	add("bst-union", "FuzzValid", "raw", ratioAtMost(1./3), "FuzzRaw")
	for _, bug := range []string{"share-merge", "cache-stale"} {
		for _, ours := range []string{"FuzzValid", "TestCheck"} {
			add(bug, ours, "best", ratioAtMost(1./3), "TestRapid", "FuzzMakeFuzz", "FuzzRaw")
			add(bug, ours, "rapid-own", ratioAtMost(1./3), "TestRapidOwn")
		}
	}
	return append(rows, row{"hunt/ladder/found", "loops", oursAtLeast(4), func(quick bool) (o, b figure, err error) {
		if o.value, err = found(quick, "ladder", "FuzzValid"); err == nil {
			b.value, err = found(quick, "ladder", "TestRapid", "TestRapidOwn", "TestCheck")
		}
		return o, b, err
	}})
}

// finders names the ways to look for a bug, by their tests and targets in ./targets.
var finders = map[string]string{
	"FuzzValid":    "Valid",
	"TestCheck":    "Check",
	"TestRapid":    "rapid.Check",
	"TestRapidOwn": "rapid.Check with its own integers", // small ones are more likely
	"FuzzMakeFuzz": "rapid.MakeFuzz",
	"FuzzRaw":      "raw bytes",
	"FuzzText":     "text", // that the target parses
}

func namesOf(tests []string) string {
	names := make([]string, len(tests))
	for i, t := range tests {
		names[i] = finders[t]
	}
	if len(names) > 1 {
		return "best of " + strings.Join(names, ", ")
	}
	return names[0]
}

// best returns the least of the median times that the tests take to find a bug.
func best(quick bool, bug string, tests ...string) (least figure, err error) {
	for i, test := range tests {
		runs, err := hunt(quick, bug, test)
		if err != nil {
			return least, err
		}
		if f := runs[len(runs)/2].figure(); i == 0 || f.compare(least) < 0 {
			least = f
		}
	}
	return least, nil
}

// found returns how many runs of the tests have found a bug.
func found(quick bool, bug string, tests ...string) (n float64, err error) {
	for _, test := range tests {
		runs, err := hunt(quick, bug, test)
		if err != nil {
			return 0, err
		}
		for _, o := range runs {
			if o.found {
				n++
			}
		}
	}
	return n, nil
}

func (o outcome) figure() figure { return figure{value: o.cpu.Seconds(), more: !o.found} }

// compare orders times. Those that reached the limit come last.
func (f figure) compare(g figure) int {
	switch {
	case f.more != g.more && f.more:
		return 1
	case f.more != g.more:
		return -1
	}
	return cmp.Compare(f.value, g.value)
}

// hunted holds the runs made so far, by bug and test.
var hunted = map[string][]outcome{}

// hunt returns the outcomes of several runs of a test that looks for a bug, the fastest
// first. Two runs run at a time, since only CPU time counts.
func hunt(quick bool, bug, test string) ([]outcome, error) {
	key := bug + " " + test
	if runs, ok := hunted[key]; ok {
		return runs, nil
	}
	n, limit := huntRuns(quick, bug)
	if _, err := testBinary("./targets", strings.HasPrefix(test, "Fuzz")); err != nil {
		return nil, err
	}
	runs, errs := make([]outcome, n), make(chan error, n)
	slots := make(chan bool, 2)
	for i := range runs {
		slots <- true
		go func() {
			defer func() { <-slots }()
			errs <- inScratch(func(dir string) (err error) {
				runs[i], err = process{test: test, target: bug, seed: i + 1, limit: limit}.run(dir)
				return err
			})
		}()
	}
	var err error
	for range runs {
		err = errors.Join(err, <-errs)
	}
	if err != nil {
		return nil, err
	}
	slices.SortFunc(runs, func(a, b outcome) int { return a.figure().compare(b.figure()) })
	for _, o := range runs {
		fmt.Fprintf(os.Stderr, "hunt/%s: %s: %v cpu-s, %d values\n", bug, finders[test], o.figure(), o.values)
	}
	hunted[key] = runs
	return runs, nil
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

// inScratch runs f with a directory that it removes afterwards.
func inScratch(f func(dir string) error) error {
	dir, err := os.MkdirTemp(scratch, "run-*")
	if err != nil {
		return err
	}
	return errors.Join(f(dir), os.RemoveAll(dir))
}
