// Bench compares Espalier with what a user would do without it, in one run on one
// machine. It prints a row for each figure, in seven tab-separated columns: the metric,
// our figure, the name of the baseline, its figure, the ratio, the goal, and ok or short
// (of the goal). If the machine lacks what a row needs, as clang, the last column says so.
//
//	go -C bench run . [-only REGEXP] [-quick]
//
// The file table.go lists the rows. All figures are computed from the run, except the baselines
// that name a paper or say "published". A figure is the median of several runs with
// different seeds, but
//
//   - found, minimal, slower and reported count, and "found %" is a share of, all runs;
//   - rows of rl/, tune/godel, callseq/containers and callseq/figure5, and sizes, are means;
//   - rows of check/mutants, and the times of rl/bug, are geometric means;
//   - rows of tune/dragen, and of callseq/modules and scale/modules, are of one run.
//
// With -quick, there is one run of most. Times are CPU times of all processes. A figure that
// reached its cap is printed with ">": more than that. Standard error has the details of runs.
// Hunts need Linux, where the CPU times of other processes are known.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
)

// scratch is a directory that is removed at the end of the process.
var scratch string

func main() {
	only := flag.String("only", "", "measure the rows whose metric matches `REGEXP`")
	quick := flag.Bool("quick", false, "fewer and shorter runs: most rows take less than 20 seconds")
	flag.Parse()
	match, err := regexp.Compile(*only)
	if err != nil || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "usage: bench [-only REGEXP] [-quick]")
		if err != nil {
			fmt.Fprintln(os.Stderr, "bench: -only:", err)
		}
		os.Exit(2)
	}
	status := 0
	check := func(what string, err error) {
		if err != nil {
			fmt.Fprintf(os.Stderr, "bench: %s: %v\n", what, err)
			status = 1
		}
	}
	scratch, err = os.MkdirTemp("", "bench-*")
	check("no place to work in", err)
	for _, r := range rows(*quick) {
		if err == nil && match.MatchString(r.metric) {
			ours, base, err := r.measure(r.run)
			if m := missing(""); errors.As(err, &m) {
				fmt.Println(r.skipped(m))
			} else if check(r.metric, err); err == nil {
				fmt.Println(r.format(ours, base))
			}
		}
	}
	os.RemoveAll(scratch)
	os.Exit(status)
}
