// Bench compares Espalier with what a user would do without it, in one run on one
// machine. It prints a row for each figure, in seven tab-separated columns: the metric,
// our figure, the name of the baseline, its figure, the ratio, the goal, and ok or short
// (of the goal).
//
//	go -C bench run . [-only REGEXP] [-quick] [-plot FILE]
//
// The rows are those of table.go. All figures are computed from the run, except the baselines
// that name a paper or say "published". A figure is the median of several runs with
// different seeds, but
//
//   - what counts things, such as bugs found, is their number in all runs;
//   - rows of rl/, tune/godel, tune/dragen, callseq/figure5 and callseq/containers have means,
//     as their papers do;
//   - rows of check/first and check/mutants, and the times of rl/bug, have geometric means.
//
// With -quick, there is one run of most. Times are CPU times of all processes. A figure that
// reached its cap is printed with ">": more than that. Standard error has the details of runs.
// Hunts need Linux, where the CPU times of other processes are known.
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
)

// plot is where the curves of tune/godel rows go.
var plot = flag.String("plot", "", "draw the tolerance curves of tune/godel rows to `FILE`, an SVG image")

// scratch is a directory that is removed at the end of the process.
var scratch string

func main() {
	only := flag.String("only", "", "measure the rows whose metric matches `REGEXP`")
	quick := flag.Bool("quick", false, "fewer and shorter runs: most rows take less than 20 seconds")
	flag.Parse()
	match, err := regexp.Compile(*only)
	if err != nil || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "usage: bench [-only REGEXP] [-quick] [-plot FILE]")
		if err != nil {
			fmt.Fprintln(os.Stderr, "bench: -only:", err)
		}
		os.Exit(2)
	}
	if scratch, err = os.MkdirTemp("", "bench-*"); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	failed := false
	fail := func(what string, err error) {
		fmt.Fprintf(os.Stderr, "bench: %s: %v\n", what, err)
		failed = true
	}
	for _, r := range rows(*quick) {
		if !match.MatchString(r.metric) {
			continue
		}
		if ours, base, err := r.measure(r.run); err != nil {
			fail(r.metric, err)
		} else {
			fmt.Println(r.format(ours, base))
		}
	}
	os.RemoveAll(scratch)
	if *plot != "" {
		if err := os.WriteFile(*plot, curvesSVG(), 0o666); err != nil {
			fail("-plot", err)
		}
	}
	if failed {
		os.Exit(1)
	}
}
