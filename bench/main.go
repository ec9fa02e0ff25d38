// Bench compares Espalier with what a user would do without it, in one run on one
// machine. It prints a row for each figure, in seven tab-separated columns: the metric,
// our figure, the name of the baseline, its figure, the ratio, the goal, and ok or short
// (of the goal).
//
//	go -C bench run . [-only REGEXP] [-quick] [-fuzzer COMMAND] [-plot FILE]
//
// All figures are computed from the run: medians, or means for package rl. Times are CPU
// times of all processes. A figure that reached its cap is printed with ">": more than
// that. Standard error has the details of runs. Hunts need Linux, where the CPU times of
// other processes are known.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
)

// row compares a figure with its baseline.
type row struct {
	metric   string
	baseline string
	goal     goal
	measure  func(quick bool) (ours, base figure, err error)
}

// goal is a bound on our figure or on its ratio to the baseline's.
type goal struct {
	ours    bool // of our figure, not of the ratio
	atLeast bool
	strict  bool // the bound itself is not enough
	bound   float64
	within  float64 // if not 0, the ratio must be this close to 1, and there is no bound
}

func ratioAtMost(x float64) goal  { return goal{bound: x} }
func ratioAtLeast(x float64) goal { return goal{atLeast: true, bound: x} }
func ratioAbove(x float64) goal   { return goal{atLeast: true, strict: true, bound: x} }
func ratioWithin(x float64) goal  { return goal{within: x} }
func oursAtMost(x float64) goal   { return goal{ours: true, bound: x} }
func oursAtLeast(x float64) goal  { return goal{ours: true, atLeast: true, bound: x} }

func (g goal) String() string {
	s := fmt.Sprintf("<= %.3g", g.bound)
	switch {
	case g.within != 0:
		s = fmt.Sprintf("within %.3g%%", 100*g.within)
	case g.strict:
		s = fmt.Sprintf("> %.3g", g.bound)
	case g.atLeast:
		s = fmt.Sprintf(">= %.3g", g.bound)
	}
	if g.ours {
		s = "ours " + s
	}
	return s
}

// met reports whether the goal is certainly reached: figures may be lower bounds.
func (g goal) met(ours, base figure) bool {
	x, atLeast, atMost := ours.value, ours.more, base.more
	if g.ours {
		atMost = false
	} else {
		x /= base.value
	}
	switch {
	case g.within != 0:
		return !atLeast && !atMost && math.Abs(x-1) <= g.within
	case g.strict:
		return !atMost && x > g.bound
	case g.atLeast:
		return !atMost && x >= g.bound
	}
	return !atLeast && x <= g.bound
}

// figure is a measured quantity; more if it is a lower bound.
type figure struct {
	value float64
	more  bool
	by    string // who has it, if that depends on the run
}

func (f figure) String() string {
	s := fmt.Sprintf("%.3g", f.value)
	if f.more {
		s = ">" + s
	}
	return s
}

// fuzzer is the command that turbo rows measure.
var fuzzer = flag.String("fuzzer", "", "in turbo rows, measure `COMMAND` instead of corpusgen fuzz of the working tree; with 'go test', all ratios should be 1")

// plot is where the curves of tune/godel rows go.
var plot = flag.String("plot", "", "draw the tolerance curves of tune/godel rows to `FILE`, an SVG image")

// scratch is a directory that is removed at the end of the process.
var scratch string

func main() {
	if name, how, ok := strings.Cut(os.Getenv(rapidEnv), " "); ok {
		rapidMain(name, how)
	}
	if what := os.Getenv(sampleEnv); what != "" {
		sampleMain(what)
	}
	if what := os.Getenv(guideEnv); what != "" {
		guideMain(what)
	}
	if what := os.Getenv(whenEnv); what != "" {
		whenMain(what)
	}
	if what := os.Getenv(seqEnv); what != "" {
		seqMain(what)
	}
	if what := os.Getenv(linearEnv); what != "" {
		linearMain(what)
	}
	if how := os.Getenv(classesEnv); how != "" {
		classesMain(how)
	}
	if what := os.Getenv(priceEnv); what != "" {
		priceMain(what)
	}
	if what := os.Getenv(mutantEnv); what != "" {
		mutantMain(what)
	}
	only := flag.String("only", "", "measure the rows whose metric matches `REGEXP`")
	quick := flag.Bool("quick", false, "fewer and shorter runs: most rows take less than 20 seconds")
	flag.Parse()
	match, err := regexp.Compile(*only)
	if err != nil || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "usage: bench [-only REGEXP] [-quick] [-fuzzer COMMAND] [-plot FILE]")
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
	rows := slices.Concat(genRows(), codecRows(), sampleRows(), nativeRows(), huntRows(), shrinkRows(), reproduceRows(*quick), turboRows(), rlRows(*quick), rlBugRows(*quick), guideRows(), whenRows(), corpusRows(), seedRows(), minRows(), headersRows(), survivalRows(), seqRows(), linearRows(), figure5Rows(*quick), containersRows(*quick), modulesRows(*quick), fzgenRows(*quick), likeRows(), godelRows(), dragenRows(), shRows(*quick), predictRows(), tunedRows(), priceRows(), firstRows(), classesRows(), mutantRows(), scaleRows())
	for _, r := range rows {
		if !match.MatchString(r.metric) {
			continue
		}
		ours, base, err := r.measure(*quick)
		if err != nil {
			fmt.Fprintf(os.Stderr, "bench: %s: %v\n", r.metric, err)
			failed = true
			continue
		}
		fmt.Println(r.format(ours, base))
	}
	os.RemoveAll(scratch)
	if *plot != "" {
		if err := os.WriteFile(*plot, curvesSVG(), 0o666); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}

func (r row) format(ours, base figure) string {
	ratio := fmt.Sprintf("%.3g", ours.value/base.value)
	switch {
	case ours.more && base.more:
		ratio = "unknown"
	case ours.more:
		ratio = ">" + ratio
	case base.more:
		ratio = "<" + ratio
	}
	verdict := "short"
	if r.goal.met(ours, base) {
		verdict = "ok"
	}
	return strings.Join([]string{r.metric, ours.String(), cmp.Or(base.by, r.baseline), base.String(), ratio, r.goal.String(), verdict}, "\t")
}
